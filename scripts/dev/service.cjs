// A process of the service for main.mjs: it loads the packages that the last one needed, and starts when it is told to.
const { existsSync, readFileSync, readSync, writeFileSync } = require('node:fs');
const { join, resolve, sep } = require('node:path');

const folder = resolve(process.argv[2]);
const list = join(folder, 'packages.json');

for (const file of existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []) {
  try {
    require(file);
  } catch {
    // It is no longer installed, or only works once something else is there. The service itself will say so.
  }
}
if (readSync(0, Buffer.alloc(16)) === 0) {
  process.exit();
}
// The input ends with main.mjs, however that ends.
process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM')).resume();
process.stdin.unref();

require(join(folder, 'src/main.js'));

const isOfPackage = (file) => file.includes(`${sep}node_modules${sep}`);
writeFileSync(list, JSON.stringify(Object.keys(require.cache).filter(isOfPackage)));
