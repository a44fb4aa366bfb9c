import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../infrastructure/clock/clock';
import * as bounds from './delivery-bounds';

/** An attempt that is to be put in the queue. */
export interface HandedDelivery {
  id: string;
  /** The number of the attempt, from 1 on. */
  attempt: number;
  isSlow: boolean;
}

/** Where a round of the fan-out ended. */
export interface FanOut {
  deliveriesMade: number;
  lastAccount: string | null;
  isMore: boolean;
}

/** Where a round of the hand-over ended. */
export interface HandOver {
  handed: HandedDelivery[];
  lastPair: Pair | null;
  isMore: boolean;
  nextDueAt: Date | null;
  /** Whether deliveries are due that the bounds keep back. */
  areKeptBack: boolean;
  /** How many deliveries were handed before, and their attempts have not ended in time. */
  leasesOver: number;
}

/** A receiver and an account that has something for it. */
export interface Pair {
  receiver: string;
  accountId: string;
}

/** The steps of the relay. Each may run on all replicas at once: what one has taken the others do not see. */
@Injectable()
export class RelayRepository {
  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Makes the deliveries of waiting events, for the accounts after the given one (sql/events_fan_out.sql). */
  async fanOut(after: string | null): Promise<FanOut> {
    const [row] = await this.database.query<
      { deliveries_made: number; last_account: string | null; is_more: boolean }[]
    >('SELECT * FROM events_fan_out($1, $2, $3, $4)', [
      after,
      bounds.ACCOUNTS_PER_ROUND_MAX,
      bounds.EVENTS_PER_ACCOUNT_MAX,
      this.clock.now(),
    ]);
    return {
      deliveriesMade: row?.deliveries_made ?? 0,
      lastAccount: row?.last_account ?? null,
      isMore: row?.is_more ?? false,
    };
  }

  /** Hands due deliveries, of the pairs after the given one first (sql/deliveries_hand_over.sql). */
  async handOver(after: Pair | null): Promise<HandOver> {
    const [row] = await this.database.query<HandOverRow[]>(
      'SELECT * FROM deliveries_hand_over($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
      [
        this.clock.now(),
        bounds.LEASE_SECONDS,
        after?.receiver ?? null,
        after?.accountId ?? null,
        bounds.PAIRS_PER_ROUND_MAX,
        bounds.LATER_PER_ROUND_MAX,
        bounds.PER_RECEIVER_MAX,
        bounds.PER_ACCOUNT_MAX,
        bounds.FAST_IN_HAND_MAX,
        bounds.SLOW_IN_HAND_MAX,
      ],
    );
    if (!row) {
      throw new Error('deliveries_hand_over gave no row');
    }
    const { last_receiver: receiver, last_account: accountId } = row;
    return {
      handed: row.handed,
      lastPair: receiver === null || accountId === null ? null : { receiver, accountId },
      isMore: row.is_more,
      nextDueAt: row.next_due_at,
      areKeptBack: row.are_kept_back,
      leasesOver: row.leases_over,
    };
  }

  /** Makes deliveries due again that the queue did not take. */
  async putBack(handed: readonly HandedDelivery[]): Promise<void> {
    await this.database.query('SELECT deliveries_put_back($1, $2)', [
      handed.map(({ id }) => id),
      handed.map(({ attempt }) => attempt),
    ]);
  }
}

interface HandOverRow {
  handed: HandedDelivery[];
  last_receiver: string | null;
  last_account: string | null;
  is_more: boolean;
  next_due_at: Date | null;
  are_kept_back: boolean;
  leases_over: number;
}
