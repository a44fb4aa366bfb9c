import { DatabaseAway, ServiceUnavailable } from '../errors/api-errors';
import type { ReserveOrder, ReserveVerdict, Settlement, SettleOrder } from './ledger';
import type { PostgresLedger } from './postgres-ledger';

/** An order, and how to answer the call that waits for it. */
interface Waiting<Order, Answer> {
  order: Order;
  /** On the process's monotonic clock. After it the caller is told that the ledger cannot be reached. */
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

/** What one flush carries. */
export interface Batch {
  settles: WaitingSettle[];
  reserves: WaitingReserve[];
}

/** All orders of a batch, in the order in which a flush carries them out. */
export function ordersOf({ settles, reserves }: Batch): WaitingOrder[] {
  return [...settles, ...reserves];
}

/** The same orders as a batch. */
export function batchOf(orders: readonly WaitingOrder[]): Batch {
  return {
    settles: orders.filter((waiting) => waiting.kind === 'settle'),
    reserves: orders.filter((waiting) => waiting.kind === 'reserve'),
  };
}

/** @param nowMs on the process's monotonic clock */
function isOverdue(waiting: WaitingOrder, nowMs: number): boolean {
  return waiting.deadlineMs <= nowMs;
}

/** Rejects the orders whose deadline is over and returns the others. */
export function stillInTime<Order extends WaitingOrder>(orders: readonly Order[]): Order[] {
  const nowMs = performance.now();
  orders.filter((waiting) => isOverdue(waiting, nowMs)).forEach(tellOverdue);
  return orders.filter((waiting) => !isOverdue(waiting, nowMs));
}

/**
 * Rejects an order that waited too long. Its reservation may become durable after all: then the call's release ends it,
 * or the sweep once its lease is over.
 */
export function tellOverdue(waiting: WaitingOrder): void {
  waiting.reject(new DatabaseAway());
}

/**
 * The orders that wait for a flush. Settlements go first: they end calls and free the credit that those had reserved.
 */
export class FlushQueue {
  private settles: WaitingSettle[] = [];
  private reserves: WaitingReserve[] = [];

  /** @param wake is called whenever orders are added: it must see to it that a flusher takes them */
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

  /** Takes the oldest orders, at most `itemsMax`: settlements, then reservations. */
  take(itemsMax: number): Batch {
    const settles = this.settles.splice(0, itemsMax);
    return { settles, reserves: this.reserves.splice(0, itemsMax - settles.length) };
  }

  /**
   * Puts back the orders that a flush did not decide, ahead of those that have come since. Those whose deadline is over
   * are told so here: the next flush could hang as the last one did.
   */
  putBack({ settles, reserves }: Batch): void {
    this.settles.unshift(...stillInTime(settles));
    this.reserves.unshift(...stillInTime(reserves));
    this.wake();
  }

  /** Removes and returns the orders that have waited beyond their deadline. */
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

/**
 * Carries out alone the orders that no flush can answer: Postgres refused the order, its call was ended before, or it
 * cost more than was reserved for it.
 */
export class OneByOne {
  private orders: WaitingOrder[] = [];
  private underWay = 0;

  constructor(private readonly single: PostgresLedger) {}

  /** How many orders wait or are being carried out. */
  get size(): number {
    return this.orders.length + this.underWay;
  }

  add(waiting: WaitingOrder): void {
    this.orders.push(waiting);
    this.next();
  }

  /** Removes and returns the orders that have waited beyond their deadline. */
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

/** Carries out one order alone and answers it. Returns the error that it was answered with; null without an error. */
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
 * The orders of accounts whose balance another transaction has locked; in a flush they would delay the orders of all
 * other accounts. One order of such an account at a time is carried out alone. If that fails because the balance is
 * still locked, the account's next order is tried later; otherwise all its orders go back to the flushes.
 */
export class BusyAccounts {
  private readonly orders = new Map<string, WaitingOrder[]>();
  private readonly due: string[] = [];
  private tried = 0;

  /** @param giveBack returns the orders of an account that is free again to the flushes */
  constructor(
    private readonly single: PostgresLedger,
    private readonly giveBack: (orders: WaitingOrder[]) => void,
  ) {}

  /** How many orders wait or are being carried out. */
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

  /** Removes and returns the orders that have waited beyond their deadline. */
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

  /**
   * Tries settlements first: they end calls, and unlike reservations they do not give up the wait for a locked row
   * early.
   */
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
