import type { Batch } from './flush-connection';
import { accountsOf } from './flush-queue';
import { chargedNanoUsdOf, type HeldCall, spentOf } from './leases';
import type { Lease } from './lease';

/** sql/ledger_flush.sql says what each of them is. */
export const FLUSH = 'SELECT * FROM ledger_flush($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)';

/** The columns of a row of calls, in the order in which its text has them. */
export const CALLS_COLUMNS = `
  SELECT attname AS name FROM pg_attribute
  WHERE attrelid = 'calls'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`;

/** Texts that a row has without quotes, as those of nearly all calls are. */
const PLAIN = /^[\w:.-]+$/;
const LATENCY_MS_MAX = 2 ** 31 - 1;

/** @param columns those of CALLS_COLUMNS */
export function parametersOf(processId: string, batch: Batch, columns: readonly string[]): unknown[] {
  const { ends, begun, leases } = batch;
  const places = placesOf(batch);
  const paid = [...places].map(() => 0n);
  const rows = ends.toReversed().map((held) => {
    const place = places.get(held.order.accountId) ?? 0;
    const laterNanoUsd = paid[place - 1] ?? 0n;
    paid[place - 1] = laterNanoUsd + chargedNanoUsdOf(held);
    return callRow(held, place, laterNanoUsd, columns);
  });
  const spent = [...spentOf(ends)].filter(([, nanoUsd]) => nanoUsd > 0n);
  // Also those of which nobody knows yet whether their row was written.
  const shown = ends.filter((held) => held.shown !== 'no');
  return [
    processId,
    [...places.keys()],
    paid,
    rows.length === 0 ? null : rows.reverse(),
    spent.map(([lease]) => lease.id),
    spent.map(([, nanoUsd]) => nanoUsd),
    jsonOf(ends.filter(mayHaveClaim).map(claimRow)),
    shown.length === 0 ? null : shown.map(({ order }) => order.callId),
    jsonOf(begun.map(begunRow)),
    jsonOf(leases.map(leaseRow)),
    leases.map(({ keyId }) => keyId),
  ];
}

/**
 * The balance after each call, in the order of the calls.
 * @param balancesNanoUsd those of the batch's accounts after all of them, in the order of placesOf
 */
export function balancesAfter(batch: Batch, balancesNanoUsd: bigint[]): bigint[] {
  const places = placesOf(batch);
  const after = batch.ends.toReversed().map((held) => {
    const place = places.get(held.order.accountId) ?? 0;
    const nanoUsd = balancesNanoUsd[place - 1] ?? 0n;
    balancesNanoUsd[place - 1] = nanoUsd + chargedNanoUsdOf(held);
    return nanoUsd;
  });
  return after.reverse();
}

/** The accounts of a batch in their order, in which all flushes lock them, with their places from 1 on. */
function placesOf(batch: Batch): Map<string, number> {
  return new Map([...accountsOf(batch)].sort().map((accountId, index) => [accountId, index + 1]));
}

/** As Postgres reads a row: what is missing is null. */
function callRow(
  { order, end }: HeldCall,
  place: number,
  laterNanoUsd: bigint,
  columns: readonly string[],
): string {
  if (!end) {
    throw new Error('a call that has not ended is in a flush of those that have');
  }
  const { order: ending, chargeNanoUsd, isTakenOver } = end;
  const latencyMs = ending.now.getTime() - order.now.getTime();
  const row: Record<string, string | number | bigint | null | undefined> = {
    id: order.callId,
    account_id: order.accountId,
    key_id: order.keyId,
    request_id: order.requestId,
    client_request_id: order.clientRequestId,
    operation: order.operation,
    outcome: isTakenOver ? 'released' : ending.outcome,
    status: isTakenOver ? null : ending.status,
    price: order.price,
    price_version: order.priceVersion,
    input_tokens: ending.inputTokens,
    output_tokens: ending.outputTokens,
    cached_tokens: ending.cachedTokens ?? 0,
    cache_write_tokens: ending.cacheWriteTokens ?? 0,
    model: ending.model,
    reserved_nano: order.amountNanoUsd,
    charged_nano: isTakenOver ? 0n : chargeNanoUsd,
    balance_after_nano: laterNanoUsd,
    position: place,
    latency_ms: Math.min(Math.max(latencyMs, 0), LATENCY_MS_MAX),
    created_at: order.now.toISOString(),
    completed_at: ending.now.toISOString(),
  };
  return `(${columns.map((name) => rowText(row[name])).join()})`;
}

function rowText(value: string | number | bigint | null | undefined) {
  return typeof value !== 'string' || PLAIN.test(value) ? value : `"${value.replace(/["\\]/g, '$&$&')}"`;
}

function mayHaveClaim({ end }: HeldCall): boolean {
  if (!end || end.isTakenOver) {
    return false;
  }
  const { answer, outcome, holdsClaim } = end.order;
  return answer !== null || outcome !== 'settled' || holdsClaim === true;
}

/** Amounts are texts in the JSON, because a bigint may be more than a double can hold. */
function jsonOf(rows: readonly object[]): string | null {
  return rows.length === 0 ? null : JSON.stringify(rows);
}

function claimRow({ order, end }: HeldCall) {
  const { status, answer } = end?.order ?? {};
  return { id: order.callId, account: order.accountId, status, answer };
}

function begunRow({ order, lease }: HeldCall) {
  return {
    id: order.callId,
    account: order.accountId,
    key: order.keyId,
    lease: lease.id,
    reserved: String(order.amountNanoUsd),
    operation: order.operation,
    request: order.requestId,
    client_request: order.clientRequestId ?? null,
    price: order.price,
    price_version: order.priceVersion,
    began: order.now.getTime(),
    lease_until: order.leaseUntil.getTime(),
  };
}

function leaseRow(lease: Lease, item: number) {
  const { ask } = lease;
  if (!ask) {
    throw new Error('a lease that asks for nothing is in a flush');
  }
  return {
    item,
    id: lease.id,
    account: lease.accountId,
    key: lease.keyId,
    secret: lease.secretHash?.toString('hex') ?? null,
    takes: ask.takes,
    may_end: !lease.isForExcess,
    needs: ask.needsNanoUsd.map(String),
    room: String(ask.roomNanoUsd),
    reserved: lease.excess === null ? null : String(lease.excess.reservedNanoUsd),
    slack: String(ask.slackNanoUsd),
    largest: String(lease.largestNanoUsd),
    give: String(ask.giveNanoUsd),
    is_exact: !ask.takes,
    is_over: ask.isOver,
    tells: ask.tells,
    now: ask.nowMs,
  };
}
