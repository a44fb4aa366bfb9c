import * as textJobs from '../../src/core/text/threads/text-jobs';
import { depth, isDeepRun } from '../support/jest/depth';
import { processorMsBelow } from '../support/processor-time';
import { growthFault } from '../support/texts/growth';
import { COMMON_TEXTS, HOSTILE_TEXTS } from '../support/texts/hostile-texts';
import { FURTHER_FUNCTIONS, TEXT_JOB_INPUTS } from '../support/texts/text-job-inputs';

/** A job has 10 s of the clock, on a thread that shares its core with others. */
const LIMIT_MS = 4_000;
/** In UTF-16 units. A body has at most a mebibyte. */
const LENGTH = depth('TEXT_LENGTH', { short: 4_096, deep: 65_536 });
const LENGTH_MAX = 131_072;
const TEXTS = isDeepRun ? HOSTILE_TEXTS : COMMON_TEXTS;
const LONGEST = 1_048_576;
const NAMES = [...Object.keys(textJobs), ...Object.keys(FURTHER_FUNCTIONS)];

/** Each way in which a job or a function reads a text, prepared for that text. */
function waysOf(name: string): readonly ((text: string) => () => unknown)[] {
  const further = FURTHER_FUNCTIONS[name];
  if (further !== undefined) {
    return [(text) => () => further(text)];
  }
  const inputsOf = TEXT_JOB_INPUTS[name as keyof typeof textJobs];
  const job = textJobs[name as keyof typeof textJobs] as (input: unknown) => unknown;
  return inputsOf.map((inputOf) => (text) => {
    const input = inputOf(text);
    return () => job(input);
  });
}

describe('the time of the rule-made text jobs', () => {
  it('is measured for every job', () => {
    expect(Object.keys(TEXT_JOB_INPUTS).sort()).toEqual(Object.keys(textJobs).sort());
    expect(COMMON_TEXTS.size).toBeGreaterThanOrEqual(30);
  });

  it.each(NAMES)(
    'is linear in any text, and no text makes it fail: %s',
    async (name) => {
      const faults: string[] = [];
      for (const [index, workOn] of waysOf(name).entries()) {
        for (const [title, textOf] of TEXTS) {
          const fault = await growthFault((length) => workOn(textOf(length)), {
            ...{ length: LENGTH, lengthMax: LENGTH_MAX, limitMs: LIMIT_MS },
          });
          faults.push(...(fault === null ? [] : [`input ${index} of ${title}: ${fault}`]));
        }
      }
      expect(faults).toEqual([]);
    },
    isDeepRun ? 3_600_000 : undefined,
  );

  (isDeepRun ? it.each(NAMES) : it.skip.each(NAMES))(
    'is short for as much text as a body may have: %s',
    async (name) => {
      const faults: string[] = [];
      for (const [index, workOn] of waysOf(name).entries()) {
        for (const [title, textOf] of COMMON_TEXTS) {
          const tookMs = await processorMsBelow(LIMIT_MS, workOn(textOf(LONGEST)));
          faults.push(...(tookMs < LIMIT_MS ? [] : [`input ${index} of ${title}: ${Math.round(tookMs)} ms`]));
        }
      }
      expect(faults).toEqual([]);
    },
    3_600_000,
  );
});
