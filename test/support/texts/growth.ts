import { processorMsBelow, processorMsOf } from '../processor-time';

/** Linear work takes 4 times as long for a text of 4 times the length; quadratic work takes 16 times as long. */
const GROWTH_MAX = 2.6 ** 2;
/** What takes no longer than this is not compared: the engine's own work, such as a collection of garbage, would tell. */
const COMPARED_MS_MIN = 20;
const RUNS = 3;
/** Work that doubles with each character takes seconds for so few, and for ever for a page, which would end no test. */
const FEW_CHARACTERS = 26;
const FEW_MS_MAX = 1_000;

/** Prepares some work for a text of that length. */
type WorkFor = (length: number) => () => unknown;

export interface GrowthOptions {
  /** Of the longest text with which a comparison begins. */
  readonly length: number;
  /** Of the longest text of all: a growth that is seen has to be seen again in longer texts, up to here. */
  readonly lengthMax: number;
  /** The longest that work on any of these texts may take. */
  readonly limitMs: number;
}

/**
 * What is wrong with the processor time that some work takes for longer and longer texts of a kind: that it throws, takes
 * longer than the limit, or grows by more than 2.6 times where the text's length doubles; null where nothing is. A run may
 * include what the engine does meanwhile, so the shortest of several counts, and growth has to be seen at all lengths.
 */
export async function growthFault(workFor: WorkFor, options: GrowthOptions): Promise<string | null> {
  try {
    return (await outburst(workFor)) ?? (await growth(workFor, options));
  } catch (error) {
    return `throws ${String(error)}`;
  }
}

async function growth(
  workFor: WorkFor,
  { length, lengthMax, limitMs }: GrowthOptions,
): Promise<string | null> {
  let fault: string | null = null;
  for (let longest = length; longest <= lengthMax; longest *= 4) {
    const [long, short] = [workFor(longest), workFor(Math.floor(longest / 4))];
    const firstMs = await processorMsOf(long);
    if (firstMs < COMPARED_MS_MIN) {
      return null;
    }
    if (firstMs >= limitMs) {
      return `${Math.round(firstMs)} ms for ${longest} characters`;
    }
    const shortMs = await shortestMs(short, 0);
    const longMs = Math.min(
      firstMs,
      firstMs > GROWTH_MAX * shortMs ? await shortestMs(long, GROWTH_MAX * shortMs) : firstMs,
    );
    if (longMs <= GROWTH_MAX * shortMs) {
      return null;
    }
    fault = `${Math.round(longMs)} ms for ${longest} characters, ${(longMs / shortMs).toFixed(1)} times as long as for a quarter`;
  }
  return fault;
}

async function outburst(workFor: WorkFor): Promise<string | null> {
  const tookMs = await processorMsBelow(FEW_MS_MAX, workFor(FEW_CHARACTERS));
  return tookMs < FEW_MS_MAX ? null : `${Math.round(tookMs)} ms for ${FEW_CHARACTERS} characters`;
}

/** Of three runs, or of fewer where one is short enough. */
async function shortestMs(work: () => unknown, enoughMs: number): Promise<number> {
  let shortest = Infinity;
  for (let run = 0; run < RUNS && shortest > enoughMs; run += 1) {
    shortest = Math.min(shortest, await processorMsOf(work));
  }
  return shortest;
}
