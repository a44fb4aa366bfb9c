import { isDeepStrictEqual } from 'node:util';
import { FileReaders } from '../../src/files/file-readers';
import { pdfAsRead, pdfCases, tableCases, textAsRead } from './file-cases';
import { ownTextGroups } from './own-texts';
import { pdfMakerGroups } from './pdf-makers';
import { publicPdfGroups } from './public-pdfs';
import { licenceGroups, publicAnswerGroups, publicDateGroups } from './public-texts';

/** How many of the cases of a group are answered right. */
export interface Score {
  readonly right: number;
  readonly of: number;
}

/** Cases of one kind, whose right answers are known. */
export interface TextGroup {
  readonly name: string;
  /** The least share in per cent that is to be right; absent where none is set. */
  readonly aim?: number;
  /** What was right before the engine was made anew. */
  readonly before?: string;
  readonly measure: (log: (message: string) => void) => Promise<Score>;
}

/** Long enough for a busy machine: how long files take is not judged here. */
const DEADLINE_MS = 60_000;

/** What the engine is measured by where no model is asked. */
export const textGroups: readonly TextGroup[] = [
  {
    name: 'PDFs: order, tables, values of forms and dates (own)',
    aim: 80,
    before: '4 of 8',
    measure: () => scoreOf(pdfCases, pdfAsRead),
  },
  {
    name: 'tables of CSV, text, Markdown and HTML (own)',
    before: '5 of 8',
    measure: () => scoreOf(tableCases, textAsRead),
  },
  ...ownTextGroups,
  ...publicDateGroups,
  ...licenceGroups(process.env.BENCH_LICENCES || null),
  ...publicAnswerGroups(process.env.BENCH_XQUAD || null),
  ...publicPdfGroups(process.env.BENCH_PDFS || null),
  ...pdfMakerGroups(process.env.BENCH_PDFS || null),
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
  for (const group of textGroups) {
    log(`${group.name}: ${judged(group, await group.measure(log))}`);
  }
}

function judged({ aim, before }: TextGroup, { right, of }: Score): string {
  if (of === 0) {
    return 'nothing to measure';
  }
  const share = (100 * right) / of;
  const aimed = aim === undefined ? '' : `; ${share >= aim ? 'reaches' : 'MISSES'} ${aim} %`;
  return `${right} of ${of}, ${share.toFixed(1)} %${aimed}${before === undefined ? '' : `; before: ${before}`}`;
}
