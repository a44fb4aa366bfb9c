// `npm run dev`: runs the service, and compiles and starts it anew whenever one of its sources is saved.
import { transformFile } from '@swc/core';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const SOURCES = ['src', 'generated'];
/** Not dist: a service of `npm start` that runs meanwhile starts threads and processes from there. */
const OUT = '.cache/dev';
/** Editors make files of other names beside the one that they save. */
const SOURCE = /^(?!.*(?:\.test\.ts|README\.md)$).*\.(ts|cjs|json|sql|lua|md)$/;
/** An editor may save several files at once, and `npm run generate` writes many. */
const QUIET_MS = 100;
/** New code need not wait until open streams and sockets have ended, for which the service leaves them 25 seconds. */
const DRAIN_MS_MAX = 1_500;
/** The service ends by itself within 30 seconds. */
const END_MS_MAX = 40_000;
/** Such as --inspect, whose port only one process can have: then none is prepared. */
const nodeOptions = process.argv.slice(2);

/** When each source was last changed. */
let seen = new Map();
/** Sources that have changed since everything compiled. */
const changed = new Set();
let watchers = [];
let quiet;
let service = null;
/** The process of the next start. */
let prepared = null;
let isEnding = false;

const say = (text) => process.stdout.write(`dev | ${text}\n`);
const compiled = (path) => join(OUT, path.replace(/\.ts$/, '.js'));

/** Anew after each change: a watcher sees one folder, and nothing more once that folder was removed and made again. */
function watchSources() {
  watchers.forEach((watcher) => watcher.close());
  const inside = SOURCES.flatMap((root) =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  watchers = [...SOURCES, ...inside].map((folder) => watch(folder, takeSoon).on('error', takeSoon));
}

function takeSoon() {
  clearTimeout(quiet);
  quiet = setTimeout(() => (work = work.then(take)), QUIET_MS);
}

function noteChanges() {
  const paths = SOURCES.flatMap((root) =>
    readdirSync(root, { recursive: true }).map((name) => join(root, name)),
  );
  const timeOf = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const found = new Map(paths.filter((path) => SOURCE.test(path)).map((path) => [path, timeOf(path)]));
  const fresh = [...new Set([...seen.keys(), ...found.keys()])].filter((p) => seen.get(p) !== found.get(p));
  fresh.forEach((path) => changed.add(path));
  seen = found;
  return fresh.length > 0;
}

/** Takes over all that was saved, or nothing where one file does not compile. */
async function take() {
  const startedMs = performance.now();
  try {
    watchSources();
    if (isEnding || !noteChanges()) {
      return;
    }
    await compile([...changed]);
  } catch (error) {
    if (error.code === 'ENOENT') {
      // A folder is being made anew, as by a checkout.
      takeSoon();
      return;
    }
    say(
      `${error.message}\ndev | ${service ? 'The service runs on as it was' : 'Waiting'} until the next save.`,
    );
    return;
  }
  changed.clear();
  await start(startedMs);
}

async function compile(paths) {
  const made = await Promise.allSettled(
    paths.filter((path) => seen.has(path)).map(async (path) => [path, await codeOf(path)]),
  );
  // Below the place in the source stands where the compiler itself was.
  const faults = made
    .filter(({ status }) => status === 'rejected')
    .map(({ reason }) => reason.message.split('\n\nCaused by')[0].trim());
  if (faults.length > 0) {
    throw new Error(`This does not compile:\n${faults.join('\n')}`);
  }
  paths.forEach((path) => rmSync(compiled(path), { force: true }));
  for (const [path, code] of made.map(({ value }) => value)) {
    mkdirSync(dirname(compiled(path)), { recursive: true });
    writeFileSync(compiled(path), code);
  }
}

async function codeOf(path) {
  // With its source map inside, which names the source by its absolute path, so that debuggers find it.
  const options = { sourceMaps: 'inline', sourceFileName: resolve(path) };
  return path.endsWith('.ts') ? (await transformFile(path, options)).code : readFileSync(path);
}

/** Makes a process that loads the packages, which is half of a start's time, and then waits for a line. */
function prepare() {
  const main = [join(import.meta.dirname, 'service.cjs'), OUT];
  const child = spawn(
    process.execPath,
    [
      '--max-semi-space-size=32',
      '--no-allocation-site-pretenuring',
      '--enable-source-maps',
      ...nodeOptions,
      ...main,
    ],
    // Detached, so that a terminal's Ctrl-C does not reach it before us.
    { stdio: ['pipe', 'pipe', 'inherit'], detached: true },
  );
  child.stdin.on('error', () => undefined);
  child.closed = once(child, 'close');
  return child;
}

async function start(startedMs) {
  await stop(service, DRAIN_MS_MAX);
  if (isEnding) {
    return;
  }
  const child = prepared?.exitCode === null && prepared.signalCode === null ? prepared : prepare();
  prepared = null;
  service = child;
  const prepareNext = () => (prepared ??= isEnding || nodeOptions.length > 0 ? null : prepare());
  createInterface({ input: child.stdout }).on('line', (line) => {
    process.stdout.write(`${line}\n`);
    if (line.startsWith('Service ')) {
      say(`The service is up after ${Math.round(performance.now() - startedMs)} ms.`);
      prepareNext();
    }
  });
  child.once('exit', (code, signal) => {
    if (service === child && !child.isStopping) {
      service = null;
      say(`The service has ended (${signal ?? code}). The next save starts it again.`);
      prepareNext();
    }
  });
  child.stdin.write('start\n');
}

async function stop(child, waitMs) {
  if (child === null) {
    return;
  }
  child.isStopping = true;
  child.kill('SIGTERM');
  const isClosed = await Promise.race([child.closed, delay(waitMs, false, { ref: false })]);
  if (!isClosed) {
    // Its Postgres ends with it, and what it was at is settled by the next one.
    child.kill('SIGKILL');
    await child.closed;
  }
}

async function end() {
  isEnding = true;
  prepared?.kill('SIGKILL');
  await work;
  await Promise.all([stop(service, END_MS_MAX), prepared?.closed]);
  process.exit(0);
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  // npm passes on a Ctrl-C that the terminal has sent to us already.
  process.on(signal, () => isEnding || end());
}
SOURCES.forEach((root) => rmSync(join(OUT, root), { recursive: true, force: true }));
let work = take();
