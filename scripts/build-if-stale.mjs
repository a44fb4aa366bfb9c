import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// A start with nothing new to compile skips the compiler, which would take most of that start's time.
const FOLDERS = ['src', 'generated', 'scripts', 'bench'];
const STAMP = '.built';
const NEW = 'dist.new-';
const OLD = 'dist.old-';
/** No build takes so long: what is older was left behind by one that was killed. */
const LEFT_BEHIND_MS = 60 * 60 * 1000;
/** Another build may put its own in place between two renames of this one, but not again and again. */
const RENAMES_MAX = 10;

/** When a path or anything inside it was last changed. Folders count as well, so that a deletion is noticed. */
function changedMs(path) {
  const { mtimeMs } = statSync(path);
  const inside = statSync(path).isDirectory()
    ? readdirSync(path).map((name) => changedMs(join(path, name)))
    : [];
  return Math.max(mtimeMs, ...inside);
}

function isFresh() {
  const stamp = join('dist', STAMP);
  const sourcesMs = Math.max(...[...FOLDERS, '.swcrc', 'package.json'].map(changedMs));
  return (statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= sourcesMs;
}

/**
 * A service that runs starts threads and processes from dist. So the compiler writes to another folder, and dist is missing
 * only from one rename to the next.
 */
function build() {
  const fresh = NEW + randomUUID();
  try {
    mkdirSync(fresh);
    // Before the compiler reads them: what is changed meanwhile is compiled at the next start.
    writeFileSync(join(fresh, STAMP), '');
    execFileSync('npm', ['run', '--silent', 'build', '--', '--out-dir', fresh], { stdio: 'inherit' });
    // Another start may have compiled the same meanwhile, and be loading it by now.
    if (!isFresh()) {
      putInPlace(fresh);
    }
  } finally {
    remove(fresh);
  }
}

function putInPlace(fresh) {
  for (let renames = 1; ; renames += 1) {
    const old = fresh.replace(NEW, OLD);
    ignoring(['ENOENT'], () => renameSync('dist', old));
    const isInPlace = ignoring(renames < RENAMES_MAX ? ['ENOTEMPTY', 'EEXIST'] : [], () =>
      renameSync(fresh, 'dist'),
    );
    remove(old);
    if (isInPlace) {
      return;
    }
  }
}

/** Whether it was done, and did not fail with one of these codes. */
function ignoring(codes, act) {
  try {
    act();
    return true;
  } catch (error) {
    if (codes.includes(error.code)) {
      return false;
    }
    throw error;
  }
}

/** Another build may be removing it too, and what stays is removed by a later one: no start is to fail for that. */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    process.stderr.write(`${folder} was not removed: ${error.message}\n`);
  }
}

function removeLeftBehind() {
  const left = readdirSync('.').filter((name) => name.startsWith(NEW) || name.startsWith(OLD));
  for (const name of left) {
    const changed = statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - changed > LEFT_BEHIND_MS) {
      remove(name);
    }
  }
}

if (!isFresh()) {
  removeLeftBehind();
  build();
}
