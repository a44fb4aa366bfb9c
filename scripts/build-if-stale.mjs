import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// A start with nothing new to compile skips the compiler, which would take most of that start's time.
const FOLDERS = ['src', 'generated', 'scripts', 'bench'];
const STAMP = 'dist/.built';

/** When a path or anything inside it was last changed. Folders count as well, so that a deletion is noticed. */
function changedMs(path) {
  const { mtimeMs } = statSync(path);
  const inside = statSync(path).isDirectory()
    ? readdirSync(path).map((name) => changedMs(join(path, name)))
    : [];
  return Math.max(mtimeMs, ...inside);
}

const sourcesMs = Math.max(...[...FOLDERS, '.swcrc', 'package.json'].map(changedMs));
if (!existsSync(STAMP) || statSync(STAMP).mtimeMs < sourcesMs) {
  rmSync('dist', { recursive: true, force: true });
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  writeFileSync(STAMP, '');
}
