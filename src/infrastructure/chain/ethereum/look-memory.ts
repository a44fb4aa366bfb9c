import { LRUCache } from 'lru-cache';
import type { WatchedPayment } from '../payment-chain';
import type { LookOutcome } from './payment-sightings';

const ADDRESSES_MAX = 20_000;
/** Ten minutes: how late it may be noticed that an address was spent from without anything seen to arrive. */
const RESTING_BLOCKS = 50;
/** A contract's transfers have no hash to be found, so that looking for it ends. */
const HASH_SEARCHES_MAX = 3;

interface Rest {
  balance: bigint;
  transfers: number;
  untilBlock: number;
}

/**
 * What earlier looks of this process found, so that the next ones ask less. It only spares requests: without it, as after
 * a start or in another replica, a look finds the same.
 */
export class LookMemory {
  private readonly firstBlocks = new LRUCache<string, number>({ max: ADDRESSES_MAX });
  private readonly searches = new LRUCache<string, number>({ max: ADDRESSES_MAX });
  private readonly resting = new LRUCache<string, Rest>({ max: ADDRESSES_MAX });

  firstBlockOf(id: string): number | undefined {
    return this.firstBlocks.get(id);
  }

  /** Whether nothing can have changed for a payment whose address has this balance at the block. */
  isResting(payment: WatchedPayment, balance: bigint, block: number): boolean {
    const rest = this.resting.get(payment.address);
    return (
      rest !== undefined &&
      rest.balance === balance &&
      rest.transfers === payment.transfers.length &&
      block < rest.untilBlock &&
      payment.transfers.every(({ state, isFinal }) => state !== 'included' || isFinal)
    );
  }

  /** @param balance of the address at the block */
  remember(payment: WatchedPayment, balance: bigint, block: number, outcome: LookOutcome): void {
    for (const [id, first] of outcome.firstBlocks) {
      this.firstBlocks.set(id, first);
    }
    const { sightings, review } = outcome;
    if (review === null && sightings.every(({ state, isFinal }) => state !== 'included' || isFinal)) {
      const transfers = sightings.length;
      this.resting.set(payment.address, { balance, transfers, untilBlock: block + RESTING_BLOCKS });
    } else {
      this.resting.delete(payment.address);
    }
  }

  isWorthSearching(id: string, block: number): boolean {
    return (this.searches.get(`${id} ${block}`) ?? 0) < HASH_SEARCHES_MAX;
  }

  noteSearch(id: string, block: number): void {
    this.searches.set(`${id} ${block}`, (this.searches.get(`${id} ${block}`) ?? 0) + 1);
  }
}
