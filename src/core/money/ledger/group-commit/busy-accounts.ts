import { ServiceUnavailable } from '../../../errors/service-errors';
import type { PostgresLedger } from '../postgres-ledger';
import { carryOut } from './one-by-one';
import { isOverdue, type WaitingOrder } from './waiting-order';

const TRIED_AT_ONCE_MAX = 8;

/**
 * The orders of accounts whose row somebody holds: in a flush they would hold up everybody else's. One order of an
 * account is tried at a time; as soon as one gets through, the account is free and the rest of its orders go back.
 */
export class BusyAccounts {
  private readonly orders = new Map<string, WaitingOrder[]>();
  private readonly due: string[] = [];
  private tried = 0;

  /** @param giveBack takes the orders of an account that is free again */
  constructor(
    private readonly single: PostgresLedger,
    private readonly giveBack: (orders: WaitingOrder[]) => void,
  ) {}

  /** How many orders wait or are being tried. */
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

  /** Takes out what has waited beyond its deadline. */
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

  /** Settlements first: they end calls, and are not given up by whoever waits for the row. */
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
