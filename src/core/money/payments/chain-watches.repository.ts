import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ChainTip, Currency } from '../../../infrastructure/chain/payment-chain';

/** How the looks at a chain went, on whichever replica. */
export interface ChainWatch {
  currency: Currency;
  succeededAt: Date | null;
  failedAt: Date | null;
  /** The newest block of the last look that succeeded, and the chain's own time of it. */
  tipHeight: number | null;
  tipTime: Date | null;
  /** Of the last look that failed. */
  fault: string | null;
}

/** Remembers when each chain was looked at last, for all replicas. */
@Injectable()
export class ChainWatches {
  constructor(private readonly database: DataSource) {}

  async succeeded(currency: Currency, tip: ChainTip, now: Date): Promise<void> {
    await this.database.query(
      `INSERT INTO chain_watches (currency, succeeded_at, tip_height, tip_time) VALUES ($1, $2, $3, $4)
       ON CONFLICT (currency) DO UPDATE SET succeeded_at = excluded.succeeded_at, tip_height = excluded.tip_height,
         tip_time = excluded.tip_time`,
      [currency, now, tip.height, tip.time],
    );
  }

  async failed(currency: Currency, fault: string, now: Date): Promise<void> {
    await this.database.query(
      `INSERT INTO chain_watches (currency, failed_at, fault) VALUES ($1, $2, $3)
       ON CONFLICT (currency) DO UPDATE SET failed_at = excluded.failed_at, fault = excluded.fault`,
      [currency, now, fault],
    );
  }

  async all(): Promise<ChainWatch[]> {
    const rows: {
      currency: Currency;
      succeeded_at: Date | null;
      failed_at: Date | null;
      tip_height: string | null;
      tip_time: Date | null;
      fault: string | null;
    }[] = await this.database.query(
      'SELECT currency, succeeded_at, failed_at, tip_height, tip_time, fault FROM chain_watches',
    );
    return rows.map((row) => ({
      currency: row.currency,
      succeededAt: row.succeeded_at,
      failedAt: row.failed_at,
      tipHeight: row.tip_height === null ? null : Number(row.tip_height),
      tipTime: row.tip_time,
      fault: row.fault,
    }));
  }
}
