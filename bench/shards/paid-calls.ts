import { newId } from '../../src/runtime/ids';
import type { ShardedAccount, ShardedMoney } from './sharded-money';

const CHARGED_NANO_USD = 700n;
const RESERVED_NANO_USD = 1_000n;
const LEASE_MS = 60_000;
/** One call of so many has an Idempotency-Key. */
const KEYED_EVERY = 5;

export interface PaidCalls {
  calls: number;
  seconds: number;
  chargedNanoUsd: bigint;
}

/**
 * Makes paid calls, `atOnce` at a time, of the accounts in turn: each reserves and settles, and every fifth claims an
 * Idempotency-Key, which its settlement answers.
 * @param until whether that is enough, from the calls that have begun and the seconds since the first
 */
export async function makePaidCalls(
  money: ShardedMoney,
  accounts: readonly ShardedAccount[],
  atOnce: number,
  until: (calls: number, seconds: number) => boolean,
): Promise<PaidCalls> {
  const startedMs = performance.now();
  const seconds = (): number => (performance.now() - startedMs) / 1000;
  let calls = 0;
  let chargedNanoUsd = 0n;
  const caller = async (): Promise<void> => {
    while (!until(calls, seconds())) {
      const account = accounts[calls % accounts.length];
      calls += 1;
      if (account) {
        // Read after the call, because others are charged meanwhile.
        const ofCall = await paidCall(money, account, calls % KEYED_EVERY === 0);
        chargedNanoUsd += ofCall;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return { calls, seconds: seconds(), chargedNanoUsd };
}

/** Makes one call. Returns what it was charged, in nano-USD. */
async function paidCall(
  money: ShardedMoney,
  { accountId, keyId }: ShardedAccount,
  isKeyed: boolean,
): Promise<bigint> {
  const now = new Date();
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const call = { callId: newId(), accountId, now };
  if (isKeyed) {
    const claim = { ...call, idempotencyKey: call.callId, operationId: 'createMemory', request: {} };
    await money.idempotencyOf(accountId).claim({ ...claim, leaseUntil, isBounded: true });
  }
  const reserved = await money.ledger.reserve({
    ...call,
    keyId,
    amountNanoUsd: RESERVED_NANO_USD,
    leaseUntil,
    operation: 'createMemory',
    requestId: call.callId,
    price: 'memory',
    priceVersion: 'bench',
  });
  if (reserved.verdict !== 'reserved') {
    throw new Error(`a call was refused: ${reserved.verdict}`);
  }
  const settled = await money.ledger.settle({
    ...call,
    outcome: 'settled',
    chargeNanoUsd: CHARGED_NANO_USD,
    status: 200,
    inputTokens: 3,
    outputTokens: 4,
    answer: isKeyed ? '{}' : null,
    holdsClaim: isKeyed,
  });
  if (settled.verdict !== 'settled') {
    throw new Error(`a call was not settled: ${settled.verdict}`);
  }
  return settled.chargedNanoUsd;
}
