// Loaded into a service before its own code (NODE_OPTIONS=--require): tells its parent what it holds after a collection.
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { isMainThread } = require('node:worker_threads');

if (isMainThread && process.send) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('message', () => {
    collect();
    // What finalizers let go is collected in a second turn.
    setImmediate(() => {
      collect();
      process.send(process.memoryUsage());
    });
  });
  // A test that dies can't stop its service any more.
  process.on('disconnect', () => process.exit());
  process.channel?.unref();
}
