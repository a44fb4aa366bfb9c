import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { inBatches } from '../database/bounded-statements';
import { EventSubscriptions } from '../events/event-subscriptions';
import { Outbox, type NewEvent } from '../events/outbox';
import { NANO_PER_USD, nanoToUsd } from './money';
import { hourOf } from '../accounts/anomaly-observations';

const TYPE = 'usage.spike';
const HOUR_MS = 60 * 60 * 1000;
const HOURS_BEFORE = 168;
const USUAL_FACTOR_MAX = 3;
const USUAL_SPEND_MAX_NANO_USD = NANO_PER_USD;
const BATCHES = { sizeMax: 500, batchesMax: 2_000 };

interface Spike {
  accountId: string;
  spentNanoUsd: bigint;
  beforeNanoUsd: bigint;
}

@Injectable()
export class SpendSpikes {
  constructor(
    private readonly database: DataSource,
    private readonly subscriptions: EventSubscriptions,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Tells the subscribers whose account has spent more in the present hour (UTC) than 1 USD and than three times its mean of
   * the 168 hours before, once for each account and hour, however many replicas look at once.
   */
  async tell(now: Date, signal?: AbortSignal): Promise<number> {
    let [told, after]: [number, string | null] = [0, null];
    await inBatches({ ...BATCHES, signal }, async (sizeMax) => {
      const accountIds = await this.subscriptions.subscribers(TYPE, after, sizeMax);
      after = accountIds.at(-1) ?? null;
      for (const spike of await this.spikesOf(accountIds, hourOf(now))) {
        told += Number(await this.outbox.write(this.database, usageSpike(spike, now)));
      }
      return accountIds.length;
    });
    return told;
  }

  private async spikesOf(accountIds: readonly string[], hour: Date): Promise<Spike[]> {
    if (accountIds.length === 0) {
      return [];
    }
    const rows: { account_id: string; spent: string; before: string }[] = await this.database.query(SPIKES, [
      accountIds,
      hour,
      new Date(hour.getTime() - HOURS_BEFORE * HOUR_MS),
      USUAL_SPEND_MAX_NANO_USD.toString(),
    ]);
    return rows.map(({ account_id: accountId, spent, before }) => ({
      accountId,
      spentNanoUsd: BigInt(spent),
      beforeNanoUsd: BigInt(before),
    }));
  }
}

// The charges of an hour are summed up a second after they were made (usage_roll_up).
const SPIKES = `
  SELECT account_id, spent, before FROM unnest($1::uuid[]) AS asked (account_id)
  CROSS JOIN LATERAL (
    SELECT -amount_nano AS spent FROM ledger_hours AS h
    WHERE h.account_id = asked.account_id AND hour = $2 AND type = 'charge' AND -amount_nano > $4
  ) AS present
  CROSS JOIN LATERAL (
    SELECT coalesce(-sum(amount_nano), 0)::bigint AS before FROM ledger_hours AS h
    WHERE h.account_id = asked.account_id AND hour >= $3 AND hour < $2 AND type = 'charge'
  ) AS week
  WHERE spent::numeric * ${HOURS_BEFORE} > ${USUAL_FACTOR_MAX} * before::numeric
  ORDER BY account_id`;

/** The mark is held for longer than the hour: the clock of another replica may say that it still goes on. */
function usageSpike({ accountId, spentNanoUsd, beforeNanoUsd }: Spike, now: Date): NewEvent {
  const hour = hourOf(now);
  const mean = nanoToUsd(beforeNanoUsd / BigInt(HOURS_BEFORE));
  const factor = Number(spentNanoUsd * BigInt(HOURS_BEFORE)) / Number(beforeNanoUsd);
  return {
    accountId,
    type: TYPE,
    data: {
      user_id: accountId,
      hour_starts_at: hour.toISOString(),
      spent: nanoToUsd(spentNanoUsd),
      hourly_mean: mean,
      factor: beforeNanoUsd === 0n ? null : Number(factor.toFixed(2)),
    },
    operation: null,
    occurredAt: now,
    once: { mark: `${TYPE}:${hour.toISOString()}`, heldUntil: new Date(hour.getTime() + 2 * HOUR_MS) },
  };
}
