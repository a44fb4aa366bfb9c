import type { PostgresLedger } from '../postgres-ledger';
import { isOverdue, tellOverdue, type WaitingOrder } from './waiting-order';

const AT_ONCE_MAX = 4;

/** Where orders go singly that a flush could not answer: one that Postgres refuses, or whose call was ended before. */
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

  /** Takes out what has waited beyond its deadline. */
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

/** Carries one order out and answers it. Returns the error that it was answered with, null where there was none. */
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
