// Runs surfpool, which is no program but a module, in a process of its own: one that a test can stop and kill, and whose
// work is not done in the thread of the tests. Says its address once it listens; whoever started it ends it.
const [, , modulePath, slotTimeMs] = process.argv;
const { Surfnet } = require(modulePath);

const surfnet = Surfnet.startWithConfig({
  offline: true,
  blockProductionMode: 'clock',
  slotTimeMs: Number(slotTimeMs),
});
process.stdout.write(`listening ${surfnet.rpcUrl}\n`);
// Without something to wait for, node would end here.
setInterval(() => surfnet.drainEvents(), 1_000);
