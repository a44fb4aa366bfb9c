import { isDeepStrictEqual } from 'node:util';
import { FileReaders } from '../../src/files/file-readers';
import { pdfAsRead, pdfCases, tableCases, textAsRead } from './file-cases';
import { ownTextGroups, publicAnswerGroups } from './own-texts';
import { publicPdfGroups } from './public-pdfs';

/** How many of the cases of a group are answered right. */
export interface Score {
  readonly right: number;
  readonly of: number;
}

/** Cases of one kind, whose right answers are known. */
export interface TextGroup {
  readonly name: string;
  readonly measure: (log: (message: string) => void) => Promise<Score>;
}

/** Long enough for a busy machine: how long files take is not judged here. */
const DEADLINE_MS = 60_000;

/** What the engine is measured by where no model is asked. */
export const textGroups: readonly TextGroup[] = [
  {
    name: 'PDFs: order, tables, values of forms and dates (own)',
    measure: () => scoreOf(pdfCases, pdfAsRead),
  },
  { name: 'tables of CSV, text, Markdown and HTML (own)', measure: () => scoreOf(tableCases, textAsRead) },
  ...ownTextGroups,
  ...publicAnswerGroups(process.env.BENCH_XQUAD || null),
  ...publicPdfGroups(process.env.BENCH_PDFS || null),
];

async function scoreOf<Case>(
  cases: readonly Case[],
  asRead: (files: FileReaders, expected: Case) => Promise<Case>,
): Promise<Score> {
  const files = new FileReaders({ deadlineMs: DEADLINE_MS });
  try {
    let right = 0;
    for (const expected of cases) {
      right += isDeepStrictEqual(await asRead(files, expected), expected) ? 1 : 0;
    }
    return { right, of: cases.length };
  } finally {
    await files.onApplicationShutdown();
  }
}

/** Prints the share of right answers of each group. */
export async function measureText(log: (message: string) => void): Promise<void> {
  for (const { name, measure } of textGroups) {
    const { right, of } = await measure(log);
    log(`${name}: ${of === 0 ? 'nothing to measure' : `${right} of ${of}, ${share(right, of)} %`}`);
  }
}

function share(right: number, of: number): string {
  return ((100 * right) / of).toFixed(1);
}
