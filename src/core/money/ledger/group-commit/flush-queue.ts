import {
  isOverdue,
  stillInTime,
  ordersOf,
  type Batch,
  type WaitingOrder,
  type WaitingReserve,
  type WaitingSettle,
} from './waiting-order';

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
   * Puts back the orders that a flush did not decide, ahead of those that have come since. An order whose deadline is over
   * is rejected at once: the next flush may take the others before anybody looks for overdue ones, and may hang as well.
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
