import type { ApiAnswer } from './service';

const ANONYMOUS_CALLS_A_MINUTE = 20;

/** Makes so many calls at once. */
export type CallsAtOnce = (count: number) => Promise<ApiAnswer<'listModels'>[]>;

/** Of so many calls at once the limit is served, no more and no less, and the others are told when to come again. */
export async function expectExactly(limit: number, count: number, calls: CallsAtOnce): Promise<void> {
  const answers = await calls(count);
  expect([withStatus(answers, 200), withStatus(answers, 429)]).toEqual([limit, count - limit]);
  const hasty = answers.filter(
    ({ status, headers, body }) =>
      status === 429 &&
      !(Number(headers['retry-after']) > 0 && Number(headers['retry-after']) === body.retry_after),
  );
  expect(hasty).toEqual([]);
}

/** Callers of one address whose keys nobody knows share its allowance of calls. */
export async function expectStrangersHeld(calls: CallsAtOnce): Promise<void> {
  const count = 3 * ANONYMOUS_CALLS_A_MINUTE;
  const answers = await calls(count);
  expect([withStatus(answers, 401), withStatus(answers, 429)]).toEqual([
    ANONYMOUS_CALLS_A_MINUTE,
    count - ANONYMOUS_CALLS_A_MINUTE,
  ]);
}

export function withStatus(answers: readonly ApiAnswer<'listModels'>[], status: number): number {
  return answers.filter((answer) => answer.status === status).length;
}
