import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

/** The folders whose lines are counted: what turns the document into code, and what serves its operations. */
const COUNTED = ['scripts/generate', 'src/contract', 'src/pipeline'];

/** One of the two compared versions of this project, each a folder in which `npm run build` was run. */
export interface Checkout {
  name: 'before' | 'after';
  folder: string;
}

/** The other checkout, and the one that this code belongs to. @throws RangeError where the other one is not built */
export function checkoutsOf(before: string): Checkout[] {
  if (!existsSync(join(before, 'dist/bench/metered-server.js'))) {
    throw new RangeError('BENCH_BEFORE: that folder is no checkout in which `npm run build` was run');
  }
  return [{ name: 'before', folder: resolve(before) }, thisCheckout()];
}

/** The one that this code belongs to. */
export function thisCheckout(): Checkout {
  return { name: 'after', folder: resolve(__dirname, '../../..') };
}

/** Where a compiled file of a checkout is. */
export function compiled({ folder }: Checkout, file: string): string {
  return join(folder, 'dist', file);
}

/** A compiled module of a checkout, with that checkout's own dependencies. */
export function load(checkout: Checkout, file: string): unknown {
  return createRequire(__filename)(compiled(checkout, file));
}

/** The commit of a checkout, with the mark `-dirty` where files have changed since. */
export function commitOf({ folder }: Checkout): string {
  try {
    const arguments_ = ['describe', '--always', '--dirty', '--exclude=*'];
    return execFileSync('git', arguments_, { cwd: folder, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

export interface LineCount {
  folder: string;
  code: number;
  tests: number;
}

/** Lines of the TypeScript of the counted folders. */
export function linesOf({ folder }: Checkout): LineCount[] {
  return COUNTED.map((counted) => {
    const files = readdirSync(join(folder, counted), { recursive: true, encoding: 'utf8' });
    const lines = (isCounted: (file: string) => boolean) =>
      files
        .filter((file) => file.endsWith('.ts') && isCounted(file))
        .reduce((sum, file) => sum + lineCount(join(folder, counted, file)), 0);
    return {
      folder: counted,
      code: lines((file) => !file.endsWith('.test.ts')),
      tests: lines((file) => file.endsWith('.test.ts')),
    };
  });
}

function lineCount(path: string): number {
  return readFileSync(path, 'utf8').split('\n').length - 1;
}
