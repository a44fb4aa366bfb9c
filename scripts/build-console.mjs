import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { replaceIfStale } from './replaced-folder.mjs';

// Builds console/dist unless it is up to date: at the end of npm ci, and at a start where something has changed since.
const SOURCES = ['index.html', 'vite.config.mts', 'src', 'public'].map((name) => join('console', name));
const COMPRESSED = /\.(?:js|css|html|svg)$/;
/** Less than a packet, which compressing would not make fewer. */
const COMPRESSED_MIN_BYTES = 1_000;
const LARGEST_SHOWN = 5;

// An image of a container installs packages before it copies the sources, and an installation for production has no build tools.
if (existsSync('console/index.html') && existsSync('node_modules/vite')) {
  await replaceIfStale(
    'console/dist',
    [...SOURCES, 'generated/openapi.json', 'scripts/build-console.mjs', 'package-lock.json'],
    build,
  );
}

async function build(fresh) {
  // Of React's two builds the one without checks, also where a test calls this.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  await build({
    root: 'console',
    configFile: resolve('console/vite.config.mts'),
    logLevel: 'warn',
    build: { outDir: resolve(fresh), emptyOutDir: false },
  });
  compress(fresh);
  printSizes(fresh);
}

/** Beside each file of text what a browser takes that can unpack it, so that nobody packs it for each request. */
function compress(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => COMPRESSED.test(name));
  for (const file of files.map((name) => join(folder, name))) {
    const bytes = readFileSync(file);
    if (bytes.length >= COMPRESSED_MIN_BYTES) {
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
      writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
    }
  }
}

/** What the first visit loads, which index.html names, and what views load later. */
function printSizes(folder) {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const parts = readdirSync(join(folder, 'assets'))
    .filter((name) => /\.(?:js|css)$/.test(name))
    .map((name) => ({ name, gzipBytes: gzipSync(readFileSync(join(folder, 'assets', name))).length }))
    .sort((one, other) => other.gzipBytes - one.gzipBytes);
  const isFirst = ({ name }) => html.includes(name);
  const later = parts.filter((part) => !isFirst(part));
  const largest = later.slice(0, LARGEST_SHOWN).map((part) => `${part.name} ${kilobytes([part])}`);
  console.log(
    `console, gzip: first load ${kilobytes(parts.filter(isFirst))} kB in ${parts.length - later.length} files`,
  );
  console.log(`  later ${kilobytes(later)} kB in ${later.length} parts, the largest ${largest.join(', ')}`);
}

function kilobytes(parts) {
  return (parts.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0) / 1000).toFixed(1);
}
