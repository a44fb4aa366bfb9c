import { DatabaseAway, ServiceUnavailable } from '../errors/api-errors';
import type { ReserveOrder, ReserveVerdict, Settlement, SettleOrder } from './ledger';
import type { PostgresLedger } from './postgres-ledger';

interface Waiting<Order, Answer> {
  order: Order;
  deadlineMs: number;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

export interface WaitingReserve extends Waiting<ReserveOrder, ReserveVerdict> {
  kind: 'reserve';
}

interface WaitingSettle extends Waiting<SettleOrder, Settlement> {
  kind: 'settle';
}

export type WaitingOrder = WaitingReserve | WaitingSettle;

export interface Batch {
  settles: WaitingSettle[];
  reserves: WaitingReserve[];
}

/** In the order in which a flush carries them out. */
export function ordersOf({ settles, reserves }: Batch): WaitingOrder[] {
  return [...settles, ...reserves];
}

export function batchOf(orders: readonly WaitingOrder[]): Batch {
  return {
    settles: orders.filter((waiting) => waiting.kind === 'settle'),
    reserves: orders.filter((waiting) => waiting.kind === 'reserve'),
  };
}

function isOverdue(waiting: WaitingOrder, nowMs: number): boolean {
  return waiting.deadlineMs <= nowMs;
}

/** Rejects the orders whose deadline is over and returns the others. */
export function stillInTime<Order extends WaitingOrder>(orders: readonly Order[]): Order[] {
  const nowMs = performance.now();
  orders.filter((waiting) => isOverdue(waiting, nowMs)).forEach(tellOverdue);
  return orders.filter((waiting) => !isOverdue(waiting, nowMs));
}

/** The reservation may become durable after all: then the call's release ends it, or the sweep. */
export function tellOverdue(waiting: WaitingOrder): void {
  waiting.reject(new DatabaseAway());
}

/** Settlements go first: they end calls and free the credit that those had reserved. */
export class FlushQueue {
  private settles: WaitingSettle[] = [];
  private reserves: WaitingReserve[] = [];

  constructor(readonly wake: () => void) {}

  get size(): number {
    return this.settles.length + this.reserves.length;
  }

  add(waiting: WaitingOrder): void {
    if (waiting.kind === 'settle') {
      this.settles.push(waiting);
    } else {
      this.reserves.push(waiting);
    }
    this.wake();
  }

  take(itemsMax: number): Batch {
    const settles = this.settles.splice(0, itemsMax);
    return { settles, reserves: this.reserves.splice(0, itemsMax - settles.length) };
  }

  /** Ahead of the orders that have come since. The next flush could hang as the last one did, so the overdue are told here. */
  putBack({ settles, reserves }: Batch): void {
    this.settles.unshift(...stillInTime(settles));
    this.reserves.unshift(...stillInTime(reserves));
    this.wake();
  }

  takeOverdue(nowMs: number): WaitingOrder[] {
    const { settles, reserves } = this;
    const overdue = ordersOf({ settles, reserves }).filter((waiting) => isOverdue(waiting, nowMs));
    if (overdue.length > 0) {
      this.settles = this.settles.filter((waiting) => !isOverdue(waiting, nowMs));
      this.reserves = this.reserves.filter((waiting) => !isOverdue(waiting, nowMs));
    }
    return overdue;
  }
}

const AT_ONCE_MAX = 4;

/** Carries out alone what no flush can answer: Postgres refused it, its call was ended before, or it cost more than reserved. */
export class OneByOne {
  private orders: WaitingOrder[] = [];
  private underWay = 0;

  constructor(private readonly single: PostgresLedger) {}

  get size(): number {
    return this.orders.length + this.underWay;
  }

  add(waiting: WaitingOrder): void {
    this.orders.push(waiting);
    this.next();
  }

  takeOverdue(nowMs: number): WaitingOrder[] {
    const overdue = this.orders.filter((waiting) => isOverdue(waiting, nowMs));
    this.orders = this.orders.filter((waiting) => !isOverdue(waiting, nowMs));
    return overdue;
  }

  private next(): void {
    if (this.underWay >= AT_ONCE_MAX) {
      return;
    }
    const waiting = this.orders.shift();
    if (waiting) {
      this.underWay += 1;
      void carryOut(this.single, waiting).finally(() => {
        this.underWay -= 1;
        this.next();
      });
    }
  }
}

/** Returns the error that the order was answered with; null without one. */
async function carryOut(single: PostgresLedger, waiting: WaitingOrder): Promise<unknown> {
  if (isOverdue(waiting, performance.now())) {
    tellOverdue(waiting);
    return null;
  }
  try {
    if (waiting.kind === 'settle') {
      waiting.resolve(await single.settle(waiting.order));
    } else {
      waiting.resolve(await single.reserve(waiting.order));
    }
    return null;
  } catch (error) {
    waiting.reject(error);
    return error;
  }
}

const TRIED_AT_ONCE_MAX = 8;

/**
 * The orders of accounts whose balance another transaction has locked, which would delay all others in a flush. One order of
 * such an account at a time is carried out alone, until the balance is free and the rest goes back to the flushes.
 */
export class BusyAccounts {
  private readonly orders = new Map<string, WaitingOrder[]>();
  private readonly due: string[] = [];
  private tried = 0;

  constructor(
    private readonly single: PostgresLedger,
    private readonly giveBack: (orders: WaitingOrder[]) => void,
  ) {}

  get size(): number {
    let size = this.tried;
    for (const waiting of this.orders.values()) {
      size += waiting.length;
    }
    return size;
  }

  has(accountId: string): boolean {
    return this.orders.has(accountId);
  }

  add(waiting: WaitingOrder): void {
    const { accountId } = waiting.order;
    const orders = this.orders.get(accountId);
    if (orders) {
      orders.push(waiting);
      return;
    }
    this.orders.set(accountId, [waiting]);
    this.due.push(accountId);
    this.next();
  }

  takeOverdue(nowMs: number): WaitingOrder[] {
    const overdue: WaitingOrder[] = [];
    for (const [accountId, orders] of this.orders) {
      overdue.push(...orders.filter((waiting) => isOverdue(waiting, nowMs)));
      this.orders.set(
        accountId,
        orders.filter((waiting) => !isOverdue(waiting, nowMs)),
      );
    }
    return overdue;
  }

  private next(): void {
    while (this.tried < TRIED_AT_ONCE_MAX) {
      const accountId = this.due.shift();
      if (accountId === undefined) {
        return;
      }
      this.tried += 1;
      void this.try(accountId);
    }
  }

  /** Settlements first: they end calls, and unlike reservations they do not give up the wait for a locked row early. */
  private async try(accountId: string): Promise<void> {
    const orders = this.orders.get(accountId) ?? [];
    const index = Math.max(
      0,
      orders.findIndex(({ kind }) => kind === 'settle'),
    );
    const [waiting] = orders.splice(index, 1);
    const error = waiting ? await carryOut(this.single, waiting) : null;
    this.tried -= 1;
    const rest = this.orders.get(accountId) ?? [];
    if (error instanceof ServiceUnavailable && rest.length > 0) {
      this.due.push(accountId);
    } else {
      this.orders.delete(accountId);
      this.giveBack(rest);
    }
    this.next();
  }
}
