import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { FileReaders, type FileUse } from '../../src/files/file-readers';
import type { Score, TextGroup } from './groups';
import { costOf, DEADLINE_MS, pdfsIn, readOrRefusal } from './public-pdfs';

/** A PDF of the world, which cannot come with the project. */
interface MadePdf {
  readonly maker: string;
  /** Where it was found. */
  readonly source: string;
  readonly sha256: string;
  /** As many as another reader (mupdf 1.28) finds; doubled ones, drawn twice to look bold, it counts twice. */
  readonly words: number;
  /** Phrases in the order in which somebody who looks at the pages reads them, with any space as one. */
  readonly order: readonly string[];
}

const MADE = JSON.parse(readFileSync('bench/text/makers.json', 'utf8')) as MadePdf[];
const WORD = /[\p{L}\p{N}]+/gu;
const TURN_MS = 5;

/** PDFs of different makers: those of `makers.json` that a folder holds, under any name. */
export function pdfMakerGroups(folder: string | null): TextGroup[] {
  const name = 'PDFs of different makers, in the order of reading';
  if (folder === null || !existsSync(folder)) {
    return [
      { name: `${name} (BENCH_PDFS names a folder)`, measure: () => Promise.resolve({ right: 0, of: 0 }) },
    ];
  }
  const paths = new Map(pdfsIn(folder).map((path) => [hashOf(path), path]));
  return [
    {
      name,
      measure: (log) =>
        measureMakers(
          MADE.filter(({ sha256 }) => paths.has(sha256)),
          paths,
          log,
        ),
    },
  ];
}

async function measureMakers(
  made: readonly MadePdf[],
  paths: ReadonlyMap<string, string>,
  log: (message: string) => void,
): Promise<Score> {
  const uses: FileUse[] = [];
  const files = new FileReaders({ deadlineMs: DEADLINE_MS, used: (use) => uses.push(use) });
  let right = 0;
  const heldMsMax = await longestTurnMs(async () => {
    for (const { maker, sha256, words, order } of made) {
      const read = await readOrRefusal(files, paths.get(sha256) ?? '');
      if (typeof read === 'string') {
        log(`${maker}: ${read}`);
        continue;
      }
      const flat = read.text.replaceAll(/\s+/g, ' ');
      const places = order.map((phrase) => flat.indexOf(phrase));
      const isRight = places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1));
      right += isRight ? 1 : 0;
      const found = read.text.match(WORD)?.length ?? 0;
      log(
        `${maker}: order ${isRight ? 'right' : 'wrong'}, ${found} words (another reader ${words}), ` +
          `${read.tables.length} tables, ${costOf(uses.at(-1))}`,
      );
    }
  });
  await files.onApplicationShutdown();
  log(`the event loop was held for at most ${heldMsMax.toFixed(1)} ms of its processor's time`);
  return { right, of: made.length };
}

/** The most processor time between two turns of a timer while some work goes on, so that what else the machine does adds nothing. */
async function longestTurnMs(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let before = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    longest = Math.max(longest, (user + system) / 1000);
  }, TURN_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return longest;
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
