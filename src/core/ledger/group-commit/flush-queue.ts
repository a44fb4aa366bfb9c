import type { Batch, WaitingOrder, WaitingReserve, WaitingSettle } from './waiting-order';

/** The orders that wait for a flush. Settlements go first: they end calls and free what those had reserved. */
export class FlushQueue {
  private settles: WaitingSettle[] = [];
  private reserves: WaitingReserve[] = [];

  get size(): number {
    return this.settles.length + this.reserves.length;
  }

  add(waiting: WaitingOrder): void {
    if (waiting.kind === 'settle') {
      this.settles.push(waiting);
    } else {
      this.reserves.push(waiting);
    }
  }

  /** Takes the oldest orders, at most `itemsMax`. */
  take(itemsMax: number): Batch {
    const settles = takeFirst(this.settles, itemsMax);
    return { settles, reserves: takeFirst(this.reserves, itemsMax - settles.length) };
  }

  /** Puts back what a flush did not decide, ahead of what has come since. */
  putBack({ settles, reserves }: Batch): void {
    this.settles.unshift(...settles);
    this.reserves.unshift(...reserves);
  }

  /** Takes out what has waited beyond its deadline. */
  takeOverdue(nowMs: number): WaitingOrder[] {
    const isOverdue = (waiting: WaitingOrder) => waiting.deadlineMs <= nowMs;
    const overdue = [...this.settles.filter(isOverdue), ...this.reserves.filter(isOverdue)];
    if (overdue.length > 0) {
      this.settles = this.settles.filter((waiting) => !isOverdue(waiting));
      this.reserves = this.reserves.filter((waiting) => !isOverdue(waiting));
    }
    return overdue;
  }
}

function takeFirst<Item>(items: Item[], countMax: number): Item[] {
  return items.splice(0, countMax);
}
