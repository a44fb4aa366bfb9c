import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { replaceIfStale } from './replaced-folder.mjs';

// A start with nothing new to compile skips the compiler, which would take most of that start's time.
const SOURCES = ['src', 'generated', 'scripts', 'bench', '.swcrc', 'package.json'];

// The console beside it, on another core. The API starts without one: what is wrong with it is printed and no more.
const console = existsSync('console')
  ? spawn(process.execPath, [fileURLToPath(new URL('build-console.mjs', import.meta.url))], {
      stdio: 'inherit',
    })
  : undefined;
const built = console && once(console, 'exit');
await replaceIfStale('dist', SOURCES, (fresh) => {
  execFileSync('npm', ['run', '--silent', 'build', '--', '--out-dir', fresh], { stdio: 'inherit' });
});
await built;
