import fc from 'fast-check';
import { newId } from '../../../src/runtime/ids';
import type { Ledger } from '../../../src/ledger/ledger';

/** All amounts are multiples of it, so that what is left over is also spent. */
const QUARTER = 250_000_000n;
const LEASE_MS = 60_000;

/** What one of many callers of an account does. */
export type CrowdStep = { replica: number; account: number } & (
  | { act: 'credit'; amount: bigint }
  | { act: 'call'; reserved: bigint; charged: bigint; outcome: 'settled' | 'released' }
);

const place = { replica: fc.nat({ max: 1 }), account: fc.nat({ max: 2 }) };
const amount = fc.constantFrom(QUARTER, 2n * QUARTER, 4n * QUARTER, 11n * QUARTER);

const step: fc.Arbitrary<CrowdStep> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      ...place,
      act: fc.constant('credit' as const),
      amount: fc.constantFrom(4n * QUARTER, 28n * QUARTER),
    }),
  },
  {
    weight: 5,
    arbitrary: fc
      .record({
        ...place,
        act: fc.constant('call' as const),
        reserved: amount,
        charged: amount,
        outcome: fc.constantFrom('settled' as const, 'settled' as const, 'released' as const),
      })
      .map((call) => (call.charged > call.reserved ? { ...call, charged: call.reserved } : call)),
  },
);

/** Rounds of many steps that are taken at once. */
export const crowds = fc.array(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), {
  minLength: 2,
  maxLength: 5,
});

export interface CrowdAccount {
  accountId: string;
  keyId: string;
  secretHash: Buffer;
}

/** Takes a step on a replica; a call that is refused is over. */
export async function takeStep(
  ledger: Ledger,
  { accountId, keyId, secretHash }: CrowdAccount,
  { step: taken, now }: { step: CrowdStep; now: Date },
): Promise<void> {
  const callId = newId();
  if (taken.act === 'credit') {
    await ledger.credit({
      ...{ accountId, type: 'deposit', amountNanoUsd: taken.amount, description: 'test' },
      ...{ referenceId: null, requestId: null, now },
    });
    return;
  }
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const names = { operation: 'test', requestId: callId, price: 'test', priceVersion: 'test' };
  const order = { callId, accountId, keyId, secretHash, amountNanoUsd: taken.reserved, now, leaseUntil };
  if ((await ledger.reserve({ ...order, ...names })).verdict !== 'reserved') {
    return;
  }
  await ledger.settle({
    ...{ callId, accountId, outcome: taken.outcome, now },
    ...(taken.outcome === 'settled'
      ? { chargeNanoUsd: taken.charged, status: 200 }
      : { chargeNanoUsd: 0n, status: null }),
    ...{ inputTokens: 0, outputTokens: 0, answer: null },
  });
}
