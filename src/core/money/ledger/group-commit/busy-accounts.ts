import { ServiceUnavailable } from '../../../errors/service-errors';
import type { PostgresLedger } from '../postgres-ledger';
import { carryOut } from './one-by-one';
import { isOverdue, type WaitingOrder } from './waiting-order';

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
