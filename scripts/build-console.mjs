import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { replaceIfStale } from './replaced-folder.mjs';

// Builds console/dist unless it is up to date: at the end of npm ci, and at a start where something has changed since.
const SOURCES = ['index.html', 'vite.config.mts', 'src', 'public'].map((name) => join('console', name));
const COMPRESSED = /\.(?:js|css|html|svg)$/;
/** Less than a packet, which compressing would not make fewer. */
const COMPRESSED_MIN_BYTES = 1_000;

// An image of a container installs packages before it copies the sources, and an installation for production has no build tools.
if (existsSync('console/index.html') && existsSync('node_modules/vite')) {
  await replaceIfStale('console/dist', [...SOURCES, 'scripts/build-console.mjs', 'package-lock.json'], build);
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
