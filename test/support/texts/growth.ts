import { processorMsOf } from '../processor-time';

/** Linear work takes 4 times as long for a text of 4 times the length; quadratic work takes 16 times as long. */
const GROWTH_MAX = 2.6 ** 2;
/** What takes no longer than this is not compared: the engine's own work, such as a collection of garbage, would tell. */
const COMPARED_MS_MIN = 12;
const RUNS = 3;

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
 * @param workFor prepares the work for a text of some length
 */
export async function growthFault(
  workFor: (length: number) => () => unknown,
  { length, lengthMax, limitMs }: GrowthOptions,
): Promise<string | null> {
  let fault: string | null = null;
  for (let longest = length; longest <= lengthMax; longest *= 4) {
    const [long, short] = [workFor(longest), workFor(Math.floor(longest / 4))];
    const enough = (ms: number) => ms < COMPARED_MS_MIN;
    try {
      let longMs = await shortestMs(long, enough, 1);
      if (longMs >= limitMs) {
        return `${Math.round(longMs)} ms for ${longest} characters`;
      }
      if (enough(longMs)) {
        return null;
      }
      const shortMs = await shortestMs(short, () => false, RUNS);
      const isLinear = (ms: number) => ms <= GROWTH_MAX * shortMs;
      longMs = isLinear(longMs) ? longMs : await shortestMs(long, isLinear, RUNS);
      if (isLinear(longMs)) {
        return null;
      }
      fault = `${(longMs / shortMs).toFixed(1)} times as long, ${Math.round(longMs)} ms, for ${longest} characters`;
    } catch (error) {
      return `throws ${String(error)} for ${longest} characters`;
    }
  }
  return fault;
}

/** Of so many runs, or fewer where one is short enough. */
async function shortestMs(
  work: () => unknown,
  isShortEnough: (ms: number) => boolean,
  runs: number,
): Promise<number> {
  let shortest = Infinity;
  for (let run = 0; run < runs && !isShortEnough(shortest); run += 1) {
    shortest = Math.min(shortest, await processorMsOf(work));
  }
  return shortest;
}
