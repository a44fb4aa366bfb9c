import { ServiceUnavailable } from '../../errors/service-errors';
import type { Ledger } from '../ledger';
import type { Batch, WaitingOrder } from './waiting-order';

const LANES_OPEN_MAX = 8;

/**
 * Where orders go one at a time that no flush could take: those of an account whose row somebody holds, or an order
 * that the database refuses. A lane per account, so that one stalled account delays nobody else's calls.
 */
export class SlowLanes {
  private readonly lanes = new Map<string, WaitingOrder[]>();
  private readonly due: string[] = [];
  private open = 0;
  private waiting = 0;

  constructor(private readonly single: Ledger) {}

  /** How many orders wait in all lanes, or are being carried out. */
  get size(): number {
    return this.waiting;
  }

  /** Whether the account has a lane: its further orders must not delay a flush either. */
  has(accountId: string): boolean {
    return this.lanes.has(accountId);
  }

  addAll({ settles, reserves }: Batch): void {
    settles.forEach((waiting) => this.add(waiting));
    reserves.forEach((waiting) => this.add(waiting));
  }

  add(waiting: WaitingOrder): void {
    const { accountId } = waiting.order;
    this.waiting += 1;
    const lane = this.lanes.get(accountId);
    if (lane) {
      lane.push(waiting);
      return;
    }
    this.lanes.set(accountId, [waiting]);
    this.due.push(accountId);
    this.openNext();
  }

  private openNext(): void {
    while (this.open < LANES_OPEN_MAX) {
      const accountId = this.due.shift();
      if (accountId === undefined) {
        return;
      }
      this.open += 1;
      void this.empty(accountId);
    }
  }

  private async empty(accountId: string): Promise<void> {
    const lane = this.lanes.get(accountId) ?? [];
    for (let waiting = lane.shift(); waiting; waiting = lane.shift()) {
      await this.carryOut(waiting);
      this.waiting -= 1;
    }
    this.lanes.delete(accountId);
    this.open -= 1;
    this.openNext();
  }

  private async carryOut(waiting: WaitingOrder): Promise<void> {
    try {
      if (waiting.kind === 'settle') {
        waiting.resolve(await this.single.settle(waiting.order));
      } else if (waiting.deadlineMs <= performance.now()) {
        throw new ServiceUnavailable('The account is busy; call again.', 1);
      } else {
        waiting.resolve(await this.single.reserve(waiting.order));
      }
    } catch (error) {
      waiting.reject(error);
    }
  }
}
