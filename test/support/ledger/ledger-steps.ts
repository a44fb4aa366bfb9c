import fc from 'fast-check';
import type { LimitChange } from '../../../src/accounts/access-keys';

export const ACCOUNTS = 4;
export const KEYS_PER_ACCOUNT = 2;

export const ZONES = ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles', 'Asia/Kolkata', 'Atlantic/Azores'];
/** Times that are also overlaps of secrets, lifetimes of keys and leases: what ends is met at its very end. */
export const MINUTES = [1, 60, 300];
const ABSURD = 2n ** 62n;

/** Something to do; `pick` chooses among what is there when its turn comes. */
export type LedgerStep =
  | { act: 'sweep'; replica: number }
  | ({ replica: number; account: number } & (
      | {
          act: 'reserve';
          key: number | null;
          amount: bigint;
          secretPick: number | null;
          leaseMinutes: number;
        }
      | { act: 'settle'; pick: number; charge: bigint; outcome: 'settled' | 'released' }
      | { act: 'credit'; amount: bigint; reference: string | null }
      | { act: 'change limits'; key: number; change: LimitChange }
      | { act: 'remove limits' | 'reset limits' | 'revoke'; key: number }
      | { act: 'rotate'; key: number; overlapMinutes: number }
      | { act: 'open' | 'close' }
    ));

const replica = fc.nat({ max: 1 });
export const account = fc.nat({ max: ACCOUNTS - 1 });
export const key = fc.nat({ max: KEYS_PER_ACCOUNT - 1 });
export const minutes = fc.constantFrom(...MINUTES);
export const oneOf = <Value>(...values: Value[]) => fc.constantFrom(...values);

export const limitChange: fc.Arbitrary<LimitChange> = fc.record(
  {
    dailyLimitNano: oneOf(null, null, 0n, 40n, 50n, 100n, 240n),
    monthlyLimitNano: oneOf(null, 50n, 60n, 100n, 220n),
    perRequestLimitNano: oneOf(null, 10n, 50n),
    timezone: oneOf(...ZONES),
  },
  { requiredKeys: [] },
);

const amount = oneOf(10n, 10n, 10n, 25n, 40n, 50n, 51n, 0n, 1n, 200n, -1n);
const charge = oneOf(0n, 1n, 10n, 10n, 12n, 25n, 40n, 51n, 60n, -1n, ABSURD, -ABSURD);
const outcome = oneOf('settled' as const, 'settled' as const, 'released' as const);

/** Each kind of step. */
export const steps = {
  reserve: fc.record({
    act: fc.constant('reserve' as const),
    replica,
    account,
    key: fc.option(key, { freq: 6 }),
    amount,
    // The newest secret mostly, then older ones.
    secretPick: oneOf(0, 0, 0, 0, 1, 2, null),
    leaseMinutes: minutes,
  }),
  settle: fc.record({
    act: fc.constant('settle' as const),
    replica,
    account,
    pick: fc.nat({ max: 30 }),
    charge,
    outcome,
  }),
  credit: fc.record({
    act: fc.constant('credit' as const),
    replica,
    account,
    amount: oneOf(1n, 30n, 100n),
    reference: oneOf(null, null, 'payment 1', 'payment 2'),
  }),
  changeLimits: fc.record({
    act: fc.constant('change limits' as const),
    replica,
    account,
    key,
    change: limitChange,
  }),
  keep: fc.record({
    act: oneOf('remove limits' as const, 'reset limits' as const, 'reset limits' as const),
    replica,
    account,
    key,
  }),
  revoke: fc.record({ act: fc.constant('revoke' as const), replica, account, key }),
  rotate: fc.record({
    act: fc.constant('rotate' as const),
    replica,
    account,
    key,
    overlapMinutes: oneOf(0, 0, ...MINUTES),
  }),
  door: fc.record({ act: oneOf('close' as const, 'open' as const, 'open' as const), replica, account }),
  sweep: fc.record({ act: fc.constant('sweep' as const), replica }),
};

/** Any step, the everyday ones most often. */
export const step: fc.Arbitrary<LedgerStep> = fc.oneof(
  { weight: 16, arbitrary: steps.reserve },
  { weight: 12, arbitrary: steps.settle },
  { weight: 3, arbitrary: steps.credit },
  { weight: 4, arbitrary: steps.changeLimits },
  { weight: 2, arbitrary: steps.keep },
  { weight: 1, arbitrary: steps.revoke },
  { weight: 1, arbitrary: steps.rotate },
  { weight: 2, arbitrary: steps.door },
  { weight: 1, arbitrary: steps.sweep },
);
