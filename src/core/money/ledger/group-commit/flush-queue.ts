import {
  isOverdue,
  ordersOf,
  type Batch,
  type WaitingOrder,
  type WaitingReserve,
  type WaitingSettle,
} from './waiting-order';

/** The orders that wait for a flush. Settlements go first: they end calls and free what those had reserved. */
export class FlushQueue {
  private settles: WaitingSettle[] = [];
  private reserves: WaitingReserve[] = [];

  /** @param wake is told whenever there is more to do: an order that nobody takes would never be answered */
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

  /** Takes the oldest orders, at most `itemsMax`. */
  take(itemsMax: number): Batch {
    const settles = this.settles.splice(0, itemsMax);
    return { settles, reserves: this.reserves.splice(0, itemsMax - settles.length) };
  }

  /** Puts back what a flush did not decide, ahead of what has come since. */
  putBack({ settles, reserves }: Batch): void {
    this.settles.unshift(...settles);
    this.reserves.unshift(...reserves);
    this.wake();
  }

  /** Takes out what has waited beyond its deadline. */
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
