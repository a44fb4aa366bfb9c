import fc from 'fast-check';
import type { LimitChange } from '../../../src/accounts/access-keys';
import type { Lapse } from './lapsing';
import {
  account,
  ACCOUNTS,
  key,
  KEYS_PER_ACCOUNT,
  limitChange,
  minutes,
  MINUTES,
  oneOf,
  step,
  steps,
  ZONES,
  type LedgerStep,
} from './ledger-steps';

/** Before a month's end, before the hour that summer time takes or gives, and before a year's end. */
const STARTS = ['2026-01-30T09:00', '2026-03-07T20:00', '2026-10-24T18:00', '2026-12-31T03:00'];
/** Steps that are taken at once, and how the clocks move before. */
export interface LedgerRound {
  wait: { minutes: number } | { until: 'day' | 'month'; zone: string; lessMs: number };
  steps: LedgerStep[];
  /** A replica that is not heard of meanwhile. Others end it when they need what it has, or in any case. */
  lapse?: (Lapse & { replica: number; isEnded: boolean }) | null;
}

export interface LedgerHistory {
  startsAt: string;
  /** How far the second replica's clock is behind. */
  lagMs: number;
  accounts: { credit: bigint; keys: { expiresAfterMinutes: number | null; limits: LimitChange }[] }[];
  rounds: LedgerRound[];
}

/** Most on one replica: what it can't do at once it does together. */
const places = fc.array(oneOf(0, 0, 0, 0, 0, 1), { minLength: 3, maxLength: 7, size: 'max' });

/** Equal amounts that race for the room of one key, or of one account by all ways. */
const burst = fc
  .tuple(steps.reserve, places, oneOf(true, false, false))
  .map(([reserve, replicas, byAllWays]) =>
    replicas.map((one, index) => ({
      ...reserve,
      replica: one,
      key: byAllWays ? ([0, 1, null][index % 3] ?? null) : reserve.key,
    })),
  );

/** Calls of one account that end together, some of them twice. */
const endings = fc
  .record({
    settles: fc.array(steps.settle, { minLength: 7, maxLength: 7 }),
    one: account,
    replicas: places,
    pick: fc.nat({ max: 5 }),
  })
  .map(({ settles, one, replicas, pick }): LedgerStep[] =>
    replicas.flatMap((at, index) => {
      const settle = settles[index];
      return settle ? [{ ...settle, account: one, pick: (pick + index) % 6, replica: at }] : [];
    }),
  );

const scramble = fc
  .tuple(account, fc.array(step, { minLength: 7, maxLength: 7 }), places)
  .map(([one, some, replicas]): LedgerStep[] =>
    replicas.flatMap((at, index) => {
      const each = some[index];
      return each ? [{ ...each, ...(each.act === 'sweep' ? {} : { account: one }), replica: at }] : [];
    }),
  );

const AT_ONCE = { minutes: 0 };

const dayEnd = fc.record({ until: fc.constant('day' as const), zone: oneOf(...ZONES), lessMs: oneOf(0, 1) });

const lapse = fc.record({
  stops: oneOf('heartbeats' as const, 'before sending' as const, 'before hearing' as const),
  goesOnWith: oneOf('heartbeat' as const, 'flush' as const),
  replica: fc.nat({ max: 1 }),
  isEnded: fc.boolean(),
});

const round: fc.Arbitrary<LedgerRound> = fc.record({
  lapse: fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: lapse }),
  wait: fc.oneof(
    { weight: 4, arbitrary: fc.constant({ minutes: 0 }) },
    { weight: 2, arbitrary: fc.record({ minutes: oneOf(...MINUTES, ...MINUTES, 1439, 45_000) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        until: oneOf('day' as const, 'day' as const, 'month' as const),
        zone: oneOf(...ZONES),
        lessMs: oneOf(0, 1),
      }),
    },
  ),
  steps: fc.oneof(
    { weight: 4, arbitrary: step.map((one) => [one]) },
    { weight: 3, arbitrary: burst },
    { weight: 3, arbitrary: scramble },
    { weight: 2, arbitrary: endings },
    { weight: 3, arbitrary: fc.array(step, { minLength: 12, maxLength: 24, size: 'max' }) },
  ),
});

/** A secret that is rotated away, shown again at the very end of its overlap or a moment before. */
const overlapEnd = fc
  .record({ rotate: steps.rotate, reserve: steps.reserve, lastMinutes: minutes, early: fc.nat({ max: 1 }) })
  .map(({ rotate, reserve, lastMinutes, early }): LedgerRound[] => [
    { wait: AT_ONCE, steps: [{ ...rotate, overlapMinutes: lastMinutes }] },
    { wait: { minutes: lastMinutes - early }, steps: [{ ...reserve, ...placeOf(rotate), secretPick: 1 }] },
  ]);

/** Calls that end after their day, their counters' epoch or their zone has, while others count in the new one. */
const lateEnds = fc
  .record({
    before: burst,
    wait: fc.oneof(
      round.map(({ wait }) => wait),
      dayEnd,
    ),
    between: fc.oneof(steps.keep, steps.keep, steps.changeLimits, steps.credit),
    key,
    after: burst,
    ends: endings,
  })
  .map(({ before, wait, between, after, ends, ...of }): LedgerRound[] => {
    const { account: one } = between;
    const at = (reserve: (typeof before)[number]) => ({ ...reserve, account: one, ...of });
    const change = between.act === 'credit' ? between : { ...between, ...of };
    return [
      { wait: AT_ONCE, steps: before.slice(0, 3).map(at) },
      { wait, steps: [change] },
      { wait: AT_ONCE, steps: after.slice(0, 4).map(at) },
      { wait: AT_ONCE, steps: ends.map((end) => ({ ...end, account: one })) },
    ];
  });

/** Many calls at once on what was shut or made tight just before. */
const shutDoors = fc
  .record({
    shut: fc.oneof(steps.door, steps.revoke, steps.rotate, steps.changeLimits, steps.changeLimits),
    reserves: burst,
    key,
  })
  .map(({ shut, reserves, ...of }): LedgerRound[] => {
    const at = { account: shut.account, ...of };
    return [
      { wait: AT_ONCE, steps: ['key' in shut ? { ...shut, ...of } : { ...shut, act: 'close' }] },
      {
        wait: AT_ONCE,
        steps: reserves.map((reserve, index) => ({ ...reserve, ...at, secretPick: index % 2 })),
      },
      { wait: AT_ONCE, steps: [{ act: 'open', replica: 0, account: shut.account }] },
    ];
  });

/** A key that is used by replicas whose clocks disagree on the day. */
const twoDays = fc
  .record({ reserve: steps.reserve, key, zone: oneOf(...ZONES), replicas: places })
  .map(({ reserve, zone, replicas, ...of }): LedgerRound[] => {
    const change: LedgerStep = {
      act: 'change limits',
      ...placeOf({ ...reserve, ...of }),
      change: { timezone: zone },
    };
    return [
      { wait: { until: 'day', zone, lessMs: 0 }, steps: [change] },
      ...[0, 1, ...replicas.slice(0, 3)].map((at) => ({
        wait: AT_ONCE,
        steps: [{ ...reserve, ...of, replica: at }],
      })),
    ];
  });

/** A replica is not heard of while it has calls in flight and room that the other one needs; then it goes on. */
const lapses = fc
  .record({ before: burst, lapse, ends: endings, during: burst, after: burst })
  .map(({ before, lapse: of, ends, during, after }): LedgerRound[] => {
    const at = { account: before[0]?.account ?? 0 };
    const here = before.map((reserve) => ({ ...reserve, ...at, replica: of.replica }));
    const there = during.map((reserve) => ({ ...reserve, ...at, replica: 1 - of.replica }));
    const mixed = ends
      .slice(0, 3)
      .flatMap((end, index) => [{ ...end, ...at }, ...there.slice(index, index + 1)]);
    return [
      { wait: AT_ONCE, steps: here },
      { wait: AT_ONCE, steps: mixed, lapse: of },
      { wait: AT_ONCE, steps: after.map((reserve) => ({ ...reserve, ...at })) },
    ];
  });

function placeOf({ account: of, key: one, replica: at }: { account: number; key: number; replica: number }) {
  return { account: of, key: one, replica: at };
}

/** Whole lives of some accounts and their keys. */
export const ledgerHistories: fc.Arbitrary<LedgerHistory> = fc.record({
  startsAt: oneOf(...STARTS.map((start) => `${start}:00.000Z`)),
  lagMs: oneOf(0, 0, 1),
  accounts: fc.array(
    fc.record({
      credit: oneOf(30n, 150n, 1000n, 1000n),
      keys: fc.array(
        fc.record({ expiresAfterMinutes: oneOf(null, null, null, ...MINUTES), limits: limitChange }),
        { minLength: KEYS_PER_ACCOUNT, maxLength: KEYS_PER_ACCOUNT },
      ),
    }),
    { minLength: ACCOUNTS, maxLength: ACCOUNTS },
  ),
  rounds: fc
    .array(
      fc.oneof(
        { weight: 9, arbitrary: round.map((one) => [one]) },
        { weight: 1, arbitrary: overlapEnd },
        { weight: 2, arbitrary: lateEnds },
        { weight: 2, arbitrary: shutDoors },
        { weight: 1, arbitrary: twoDays },
        { weight: 2, arbitrary: lapses },
      ),
      { minLength: 5, maxLength: 11, size: 'max' },
    )
    .map((parts) => parts.flat()),
});
