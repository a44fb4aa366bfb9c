import { parse } from 'csv-parse/sync';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FileReaders, type FileUse } from '../../src/files/file-readers';
import type { ReadFile } from '../../src/files/file-jobs';
import type { Score, TextGroup } from './groups';

/** Longer than the service gives a file, so that a busy machine changes the seconds that are told and not the rows. */
export const DEADLINE_MS = 60_000;
const MEGABYTE = 1024 * 1024;
/** What camelot's benchmark calls the rows that it takes for right, beside each of its PDFs. */
const TRUTH = /-data-camelot-.*\.csv$/;

/**
 * The tables of public PDFs, whose files cannot come with the project: a folder holds PDFs in any depth, and beside a PDF the
 * rows of its tables as CSV. Those of docs/benchmark of camelot-dev/camelot are laid out like that.
 */
export function publicPdfGroups(folder: string | null): TextGroup[] {
  return [
    {
      name: 'rows of tables of public PDFs, each cell',
      aim: 65,
      before: '0 of 582',
      measure: async (log) => {
        if (folder === null || !existsSync(folder)) {
          log('BENCH_PDFS names no folder with public PDFs, so none is read.');
          return { right: 0, of: 0 };
        }
        const paths = pdfsIn(folder).filter((path) => rowsBeside(path).length > 0);
        return measurePdfs(paths, log);
      },
    },
  ];
}

/** All PDFs of a folder, in any depth. */
export function pdfsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.pdf'))
    .sort()
    .map((name) => join(folder, name));
}

async function measurePdfs(paths: readonly string[], log: (message: string) => void): Promise<Score> {
  const uses: FileUse[] = [];
  const files = new FileReaders({ deadlineMs: DEADLINE_MS, used: (use) => uses.push(use) });
  const sum = { right: 0, of: 0 };
  try {
    for (const path of paths) {
      const read = await readOrRefusal(files, path);
      const rows = rowsBeside(path);
      const right = typeof read === 'string' ? 0 : rightRows(rows, read.tables.flatMap(rowsOf));
      sum.right += right;
      sum.of += rows.length;
      const facts =
        typeof read === 'string'
          ? read
          : `${read.text.split(/\s+/).length} words, ${read.tables.length} tables`;
      log(`${basename(path)}: ${facts}, rows ${right} of ${rows.length}, ${costOf(uses.at(-1))}`);
    }
    return sum;
  } finally {
    await files.onApplicationShutdown();
  }
}

export async function readOrRefusal(files: FileReaders, path: string): Promise<ReadFile | string> {
  try {
    return await files.read('pdf', readFileSync(path), { accountId: 'bench' });
  } catch (error) {
    return (error as Error).message;
  }
}

export function costOf(use: FileUse | undefined): string {
  const grownBytes = (use?.peakBytes ?? 0) - (use?.startBytes ?? 0);
  return `${((use?.tookMs ?? 0) / 1000).toFixed(2)} s, ${(grownBytes / MEGABYTE).toFixed(0)} MB more`;
}

function rowsOf({ header, rows }: ReadFile['tables'][number]): string[][] {
  return [header, ...rows];
}

/** Rows with several texts; a title above a table is none. */
function rowsBeside(path: string): string[][] {
  const folder = dirname(path);
  const name = basename(path, '.pdf');
  return readdirSync(folder)
    .filter((file) => file.startsWith(`${name}-`) && TRUTH.test(file))
    .flatMap((file) =>
      parse(readFileSync(join(folder, file)), { relax_column_count: true, skip_empty_lines: true }),
    )
    .filter((row) => row.filter((cell) => cell.trim() !== '').length > 1);
}

/** Of each row all texts have to be right and apart; spaces and empty cells, which tools tell differently, do not count. */
function rightRows(expected: readonly string[][], found: readonly string[][]): number {
  const left = new Map<string, number>();
  for (const key of found.map(keyOf)) {
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  return expected.map(keyOf).filter((key) => {
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count > 0;
  }).length;
}

function keyOf(row: readonly string[]): string {
  return JSON.stringify(row.map((cell) => cell.replaceAll(/\s+/g, '')).filter(Boolean));
}
