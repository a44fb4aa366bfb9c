import { transformFile } from '@swc/core';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';

// Compiles as .swcrc says, and copies what is no TypeScript beside it. Types are checked by `npm run types`.
const FOLDERS = ['src', 'generated', 'scripts', 'bench'];

const { 'out-dir': outDir } = parseArgs({
  options: { 'out-dir': { type: 'string', default: 'dist' } },
}).values;
const files = FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name));

for (const result of await Promise.allSettled(files.map(build))) {
  if (result.status === 'rejected') {
    process.stderr.write(`${result.reason.message}\n`);
    process.exitCode = 1;
  }
}

async function build(file) {
  const target = join(outDir, file.replace(/\.ts$/, '.js'));
  const folder = dirname(target);
  mkdirSync(folder, { recursive: true });
  if (!file.endsWith('.ts')) {
    copyFileSync(file, target);
    return;
  }
  const { code, map } = await transformFile(file, { sourceFileName: relative(folder, file) });
  writeFileSync(target, `${code}\n//# sourceMappingURL=${basename(target)}.map`);
  writeFileSync(`${target}.map`, map);
}
