import { AccessKeys } from '../../../src/accounts/access-keys';
import { AccountTokens } from '../../../src/accounts/credentials';
import type { ApiAnswer, TestService } from './service';
import type { TestAccount } from './world';

const ANONYMOUS_CALLS_A_MINUTE = 20;

/** What of an answer tells whether the rate let its call pass, whichever operation it is of. */
type RatedAnswer = Pick<ApiAnswer, 'status' | 'headers' | 'body'>;

/** Makes so many calls at once. */
export type CallsAtOnce = (count: number) => Promise<RatedAnswer[]>;

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

/**
 * Nine access keys and three account tokens of one account, and a call with each of them at once.
 * @param services what serves the calls in turn
 */
export async function callersOf(
  services: readonly [TestService, ...TestService[]],
  { id }: TestAccount,
  ip: string,
): Promise<() => Promise<RatedAnswer[]>> {
  const [{ app }] = services;
  const keys = await Promise.all(
    Array.from({ length: 9 }, (_, index) =>
      app
        .get(AccessKeys)
        .create({ accountId: id, name: `key ${index}`, expiresAt: null, environment: 'test' }),
    ),
  );
  const tokens = Array.from({ length: 3 }, () =>
    app.get(AccountTokens).issue({ id, role: 'user', tokenVersion: 1 }),
  );
  const callers = [
    ...keys.map(({ secret }) => ['listModels', secret] as const),
    ...tokens.map(({ token }) => ['getCurrentUser', token] as const),
  ];
  return () =>
    Promise.all(
      callers.map(([operation, credential], index) =>
        (services[index % services.length] as TestService).call(operation, { credential, ip }),
      ),
    );
}

/** Of one free account, however many keys and tokens call: one call a second passes, ten a minute, and no more. */
export async function expectFreeRate(
  calls: () => Promise<RatedAnswer[]>,
  advance: (milliseconds: number) => void,
): Promise<void> {
  for (let second = 0; second < 10; second += 1) {
    const answers = await calls();
    expect([withStatus(answers, 200), withStatus(answers, 429)]).toEqual([1, answers.length - 1]);
    advance(1_000);
  }
  const refusals = await calls();
  expect(new Set(refusals.map(({ status, body }) => `${status} ${body.limit} a ${body.window}`))).toEqual(
    new Set(['429 10 a minute']),
  );
  advance(50_000);
  expect(withStatus(await calls(), 200)).toBe(1);
}

export function withStatus(answers: readonly RatedAnswer[], status: number): number {
  return answers.filter((answer) => answer.status === status).length;
}
