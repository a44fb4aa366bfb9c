import { chargedNanoUsdOf, endLost, type ReservedCall, spentOf } from './leases';
import type { Lease } from './lease';
import type { Lending } from './lending';

/** Bound for each kind: Postgres scans one kind for each row of another. */
const ITEMS_MAX = 300;

/** The columns of calls, in the order of their row text. */
export const CALLS_COLUMNS = `
  SELECT attname AS name FROM pg_attribute
  WHERE attrelid = 'calls'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`;

/** Texts that need no quotes in a row, as in nearly all calls. */
const PLAIN = /^[\w:.-]+$/;
const LATENCY_MS_MAX = 2 ** 31 - 1;

export interface Batch {
  readonly ends: readonly ReservedCall[];
  readonly begun: readonly ReservedCall[];
  readonly leases: readonly Lease[];
}

export interface FlushOwner {
  /** The process id that fences the next flush. */
  readonly processId: string;
  readonly lending: Pick<Lending, 'hasSlack' | 'leases' | 'lent' | 'refused'>;
  ended(held: ReservedCall, chargedNanoUsd: bigint, balanceNanoUsd: bigint, isTakenOver: boolean): void;
  /** Postgres refuses the call's end; it is still in flight. */
  notEnded(held: ReservedCall, error: unknown): void;
  /** The charge was not carried out, and its caller was answered that the outcome is unknown. */
  abandoned(held: ReservedCall): void;
  /** Whether the call has a row now; the database may have refused it. */
  shown(held: ReservedCall, isShown: boolean): void;
  fenced(processId: string): Promise<void>;
}

export class FlushQueue {
  ends: ReservedCall[] = [];
  begun: ReservedCall[] = [];
  readonly leases = new Set<Lease>();

  get size(): number {
    return this.ends.length + this.begun.length + this.leases.size;
  }

  clear(): ReservedCall[] {
    const dropped = this.ends;
    this.ends = [];
    this.begun = [];
    this.leases.clear();
    return dropped;
  }

  takeUnsent(nowMs: number): ReservedCall[] {
    const isUnsent = ({ end }: ReservedCall) =>
      end !== null && !end.wasSent && end.order.outcome === 'settled' && end.sendByMs <= nowMs;
    const unsent = this.ends.filter(isUnsent);
    if (unsent.length > 0) {
      this.ends = this.ends.filter((held) => !isUnsent(held));
    }
    return unsent;
  }

  take(): Batch {
    const ends = this.ends.splice(0, ITEMS_MAX);
    const begun = this.begun.splice(0, ITEMS_MAX);
    const leases = [...this.leasesInOrder(ends)].slice(0, ITEMS_MAX);
    leases.forEach((lease) => this.leases.delete(lease));
    return { ends, begun, leases };
  }

  /** An ended call's rest goes back in the same flush, or others would be refused in between. */
  private leasesInOrder(ends: readonly ReservedCall[]): ReadonlySet<Lease> {
    if (this.leases.size <= ITEMS_MAX) {
      return this.leases;
    }
    const first = ends.map(({ lease }) => lease).filter((lease) => this.leases.has(lease));
    return new Set([...first, ...this.leases]);
  }

  putBack({ ends, begun, leases }: Batch): void {
    this.ends.unshift(...ends);
    this.begun.unshift(...begun);
    leases.forEach((lease) => this.leases.add(lease));
  }

  takeBack(batch: Batch): Batch {
    const [ends, begun] = [new Set(batch.ends), new Set(batch.begun)];
    const taken = {
      ends: this.ends.filter((held) => ends.has(held)),
      begun: this.begun.filter((held) => begun.has(held)),
      leases: batch.leases.filter((lease) => this.leases.delete(lease)),
    };
    this.ends = this.ends.filter((held) => !ends.has(held));
    this.begun = this.begun.filter((held) => !begun.has(held));
    return taken;
  }

  takeOf(accountId: string): Batch {
    const isOf = ({ order }: ReservedCall) => order.accountId === accountId;
    const leases = [...this.leases].filter((lease) => lease.accountId === accountId);
    return this.takeBack({ ends: this.ends.filter(isOf), begun: this.begun.filter(isOf), leases });
  }
}

export function accountsOf({ ends, begun, leases }: Batch): Set<string> {
  return new Set([
    ...[...ends, ...begun].map(({ order }) => order.accountId),
    ...leases.map(({ accountId }) => accountId),
  ]);
}

export function sizeOf({ ends, begun, leases }: Batch): number {
  return ends.length + begun.length + leases.length;
}

/** Drops items without a request, and prepares each lease's. */
export function preparedOf(batch: Batch, owner: FlushOwner): Batch {
  batch.ends.filter(({ isLost }) => isLost).forEach(endLost);
  const ends = batch.ends.filter(({ isLost, end }) => !isLost && end !== null);
  const spent = spentOf(ends);
  const nowMs = performance.now();
  const leases = batch.leases.filter((lease) =>
    lease.prepare(spent.get(lease) ?? 0n, nowMs, owner.lending.hasSlack(lease.accountId)),
  );
  return { ends, begun: batch.begun.filter(({ end, isLost }) => !isLost && end === null), leases };
}

export function halvesOf(batch: Batch): Batch[] {
  const { ends, begun, leases } = batch;
  const none: Batch = { ends: [], begun: [], leases: [] };
  const kinds = [
    { ...none, ends },
    { ...none, begun },
    { ...none, leases },
  ].filter((kind) => sizeOf(kind) > 0);
  if (kinds.length > 1) {
    return kinds;
  }
  const middle = Math.ceil(sizeOf(batch) / 2);
  const part = (from: number, to: number): Batch => ({
    ends: ends.slice(from, to),
    begun: begun.slice(from, to),
    leases: leases.slice(from, to),
  });
  return [part(0, middle), part(middle, Infinity)];
}

/** Described in sql/ledger_flush.sql. @param columns those of CALLS_COLUMNS */
export function parametersOf(processId: string, batch: Batch, columns: readonly string[]): (string | null)[] {
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
  // Includes calls whose row may not have been written yet.
  const shown = ends.filter((held) => held.shown !== 'no');
  return [
    processId,
    arrayOf([...places.keys()]),
    arrayOf(paid),
    rows.length === 0 ? null : arrayOf(rows.reverse()),
    arrayOf(spent.map(([lease]) => lease.id)),
    arrayOf(spent.map(([, nanoUsd]) => nanoUsd)),
    jsonOf(ends.filter(mayHaveClaim).map(claimRow)),
    shown.length === 0 ? null : arrayOf(shown.map(({ order }) => order.callId)),
    jsonOf(begun.map(begunRow)),
    jsonOf(leases.map(leaseRow)),
    arrayOf(leases.map(({ keyId }) => keyId)),
  ];
}

/** In the order of the calls. @param balancesNanoUsd final ones, in the order of placesOf */
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

/** With places from 1 on, sorted: the order in which all flushes lock them. */
function placesOf(batch: Batch): Map<string, number> {
  return new Map([...accountsOf(batch)].sort().map((accountId, index) => [accountId, index + 1]));
}

function callRow(
  { order, end }: ReservedCall,
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
  const text = columns.map((name) => rowText(row[name])).join();
  return `"(${text.replace(/["\\]/g, '\\$&')})"`;
}

function arrayOf(elements: readonly (string | bigint | null)[]): string {
  return `{${elements.map((element) => element ?? 'NULL').join()}}`;
}

function rowText(value: string | number | bigint | null | undefined) {
  return typeof value !== 'string' || PLAIN.test(value) ? value : `"${value.replace(/["\\]/g, '$&$&')}"`;
}

function mayHaveClaim({ end }: ReservedCall): boolean {
  if (!end || end.isTakenOver) {
    return false;
  }
  const { answer, outcome, holdsClaim } = end.order;
  return answer !== null || outcome !== 'settled' || holdsClaim === true;
}

/** Amounts are JSON strings, because a bigint may exceed a double. */
function jsonOf(rows: readonly object[]): string | null {
  return rows.length === 0 ? null : JSON.stringify(rows);
}

function claimRow({ order, end }: ReservedCall) {
  const { status, answer } = end?.order ?? {};
  return { id: order.callId, account: order.accountId, status, answer };
}

function begunRow({ order, lease }: ReservedCall) {
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
    tells: ask.answersRecall,
    now: ask.nowMs,
  };
}
