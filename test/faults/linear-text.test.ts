import { depth, isDeepRun } from '../support/jest/depth';
import { processorMsBelow, processorMsOf } from '../support/processor-time';
import { growthFault } from '../support/texts/growth';
import { COMMON_TEXTS, HOSTILE_TEXTS, type TextOfLength } from '../support/texts/hostile-texts';
import { FURTHER_FUNCTIONS, TEXT_JOB_INPUTS, TEXT_JOBS } from '../support/texts/text-job-inputs';

/** A job has 10 s of the clock, on a thread that shares its core with others. */
const LIMIT_MS = 4_000;
/** In UTF-16 units. */
const LENGTH = depth('TEXT_LENGTH', { short: 4_096, deep: 16_384 });
const GROWTH = { length: LENGTH, lengthMax: 262_144, limitMs: LIMIT_MS };
const TEXTS = isDeepRun ? HOSTILE_TEXTS : COMMON_TEXTS;
const WAYS_OF_TEXT = 2;
/** In full depth a job also reads so many texts as long as a body: those that took it longest before. */
const LONGEST_TEXTS = 3;
const BODY_BYTES_MAX = 1_048_576;
const NAMES = [...Object.keys(TEXT_JOBS), ...Object.keys(FURTHER_FUNCTIONS)];

/** In the short form two of the ways of a job read a text, in turn: they mostly do the same with it. */
function textsFor(way: number, ways: number): (readonly [string, TextOfLength])[] {
  return [...TEXTS].filter((_, index) => isDeepRun || (index + way) % ways < WAYS_OF_TEXT);
}

/** As many characters of a kind of text as a body has bytes for. */
function asLongAsABody(textOf: TextOfLength): string {
  const sample = textOf(LENGTH);
  return textOf(Math.floor((BODY_BYTES_MAX * sample.length) / Buffer.byteLength(sample)));
}

/** Each way in which a job or a function reads a text, prepared for that text. */
function waysOf(name: string): readonly ((text: string) => () => unknown)[] {
  const further = FURTHER_FUNCTIONS[name];
  if (further !== undefined) {
    return [(text) => () => further(text)];
  }
  const inputsOf = TEXT_JOB_INPUTS[name as keyof typeof TEXT_JOBS];
  const job = TEXT_JOBS[name as keyof typeof TEXT_JOBS].run as (input: unknown) => unknown;
  return inputsOf.map((inputOf) => (text) => {
    const input = inputOf(text);
    return () => job(input);
  });
}

async function slownessOf(work: () => unknown): Promise<string | null> {
  const tookMs = await processorMsBelow(LIMIT_MS, work);
  return tookMs < LIMIT_MS ? null : `${Math.round(tookMs)} ms for as much as a body may have`;
}

describe('the time of the rule-made text jobs', () => {
  it('is measured for every job', () => {
    expect(Object.keys(TEXT_JOB_INPUTS).sort()).toEqual(Object.keys(TEXT_JOBS).sort());
    expect(COMMON_TEXTS.size).toBeGreaterThanOrEqual(30);
  });

  it.each(NAMES)(
    'is linear in any text, and no text makes it fail: %s',
    async (name) => {
      const faults: string[] = [];
      const read: { text: string; ms: number; workOnBody: () => () => unknown }[] = [];
      const ways = waysOf(name);
      for (const [index, workOn] of ways.entries()) {
        for (const [title, textOf] of textsFor(index, ways.length)) {
          const text = `input ${index} of ${title}`;
          const fault = await growthFault((length) => workOn(textOf(length)), GROWTH);
          if (fault !== null) {
            faults.push(`${text}: ${fault}`);
          } else if (isDeepRun) {
            const ms = await processorMsOf(workOn(textOf(LENGTH)));
            read.push({ text, ms, workOnBody: () => workOn(asLongAsABody(textOf)) });
          }
        }
      }
      for (const { text, workOnBody } of read.sort((a, b) => b.ms - a.ms).slice(0, LONGEST_TEXTS)) {
        const fault = await slownessOf(workOnBody());
        faults.push(...(fault === null ? [] : [`${text}: ${fault}`]));
      }
      expect(faults).toEqual([]);
    },
    isDeepRun ? 7_200_000 : undefined,
  );
});
