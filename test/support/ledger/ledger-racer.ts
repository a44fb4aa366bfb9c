import 'reflect-metadata';
import { DatabaseAway } from '../../../src/errors/api-errors';
import type { Ledger, Settlement, SettleOrder } from '../../../src/ledger/ledger';
import { newId } from '../../../src/runtime/ids';
import type { RaceCounts, RaceOrder, RaceResult, RaceTurns } from './ledger-race';
import { openLedger, type OpenLedger } from './open-ledger';

const LEASE_MS = 3_600_000;
const FAULTS_MAX = 10;
const BEFORE_NONE_NS = 2n ** 63n;

process.once('message', (order: RaceOrder) => {
  void prepare(order);
});

/** Waits for the others: they all begin at once. */
async function prepare(order: RaceOrder): Promise<void> {
  const open = await openLedger(order.databaseUrl);
  process.once('message', () => {
    void race(open, order).then((result) => process.send?.(result, () => process.disconnect()));
  });
  process.send?.('ready');
}

/** Keeps as many calls in flight as it is told until all of its calls have ended. */
async function race(open: OpenLedger, order: RaceOrder): Promise<RaceResult> {
  const startedMs = performance.now();
  const counts = order.accounts.map((): RaceCounts => ({ settled: 0, released: 0, refused: 0 }));
  const turns = new Map<string, RaceTurns>();
  const faults: string[] = [];
  let next = order.first;
  const worker = async (): Promise<void> => {
    for (let index = next; index < order.calls; index = next) {
      next += order.processes;
      try {
        const end = await call(open, order, index, turns);
        (counts[index % order.accounts.length] as RaceCounts)[end] += 1;
      } catch (error) {
        faults.push(String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: order.inFlight }, worker));
  const tookMs = performance.now() - startedMs;
  await open.close();
  return { tookMs, counts, turns, faults: faults.slice(0, FAULTS_MAX) };
}

async function call(
  { ledger }: OpenLedger,
  order: RaceOrder,
  index: number,
  turns: Map<string, RaceTurns>,
): Promise<keyof RaceCounts> {
  const turn = Math.floor(index / order.accounts.length);
  const account = order.accounts[index % order.accounts.length];
  const key = account?.keys[turn % account.keys.length];
  if (!account || !key) {
    throw new Error('an account without keys');
  }
  const { now } = order;
  const callId = newId();
  const beganNs = process.hrtime.bigint();
  const { verdict } = await ledger.reserve({
    callId,
    accountId: account.id,
    keyId: key.id,
    secretHash: key.secretHash,
    amountNanoUsd: account.priceNanoUsd,
    now,
    leaseUntil: new Date(now.getTime() + LEASE_MS),
    operation: 'createMemory',
    requestId: callId,
    price: 'test',
    priceVersion: 'test',
  });
  const keyTurns = turns.get(key.id) ?? { lastLetInBeganNs: -1n, firstRefusedNs: BEFORE_NONE_NS };
  turns.set(key.id, keyTurns);
  if (verdict !== 'reserved') {
    const refusedNs = process.hrtime.bigint();
    keyTurns.firstRefusedNs = refusedNs < keyTurns.firstRefusedNs ? refusedNs : keyTurns.firstRefusedNs;
    return 'refused';
  }
  keyTurns.lastLetInBeganNs = beganNs > keyTurns.lastLetInBeganNs ? beganNs : keyTurns.lastLetInBeganNs;
  const isReleased = account.releases && Math.floor(turn / account.keys.length) % 2 === 1;
  const outcome = isReleased ? 'released' : 'settled';
  const cost = isReleased
    ? { chargeNanoUsd: 0n, status: 500 }
    : { chargeNanoUsd: account.priceNanoUsd, status: 200 };
  const use = { inputTokens: 0, outputTokens: 0, answer: null };
  const end = await ended(ledger, { callId, accountId: account.id, outcome, ...cost, ...use, now });
  if (end.verdict !== 'settled' || end.chargedNanoUsd !== cost.chargeNanoUsd) {
    throw new Error(
      `a call that was to be ${outcome} was charged ${end.chargedNanoUsd} and is ${end.verdict}`,
    );
  }
  return outcome;
}

/** Whoever releases a call is told after half a second that it is not known yet: on a busy machine it is asked again. */
async function ended(ledger: Ledger, order: SettleOrder): Promise<Settlement> {
  try {
    return await ledger.settle(order);
  } catch (error) {
    if (order.outcome === 'released' && error instanceof DatabaseAway) {
      return ended(ledger, order);
    }
    throw error;
  }
}
