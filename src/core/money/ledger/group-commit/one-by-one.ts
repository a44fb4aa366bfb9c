import type { PostgresLedger } from '../postgres-ledger';
import { isOverdue, tellOverdue, type WaitingOrder } from './waiting-order';

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
export async function carryOut(single: PostgresLedger, waiting: WaitingOrder): Promise<unknown> {
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
