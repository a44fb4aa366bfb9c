import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { inBatches } from '../../../infrastructure/database/in-batches';
import type { Ledger } from './ledger';

const BATCHES = { sizeMax: 500, batchesMax: 40 };

// The order is random, so that reservations that cannot be ended do not fill every batch.
const EXPIRED = `SELECT id, account_id FROM reservations WHERE lease_until <= $1 ORDER BY random() LIMIT $2`;

const logger = new Logger('Ledger');

/**
 * Has the ledger end the calls of a database whose lease is over, and returns how many it ended. A reservation that cannot
 * be ended is logged, and the next sweep tries it again; the others are still ended.
 */
export async function sweepReservations(
  database: DataSource,
  ledger: Pick<Ledger, 'settle'>,
  now: Date,
): Promise<number> {
  return inBatches(BATCHES, async (sizeMax) => {
    const expired: { id: string; account_id: string }[] = await database.query(EXPIRED, [now, sizeMax]);
    const ended = await Promise.all(expired.map(({ id, account_id }) => expire(ledger, id, account_id, now)));
    return ended.filter(Boolean).length;
  });
}

async function expire(
  ledger: Pick<Ledger, 'settle'>,
  callId: string,
  accountId: string,
  now: Date,
): Promise<boolean> {
  const nothing = { chargeNanoUsd: 0n, status: null, inputTokens: 0, outputTokens: 0, answer: null };
  try {
    const order = { callId, accountId, outcome: 'expired' as const, now, ...nothing };
    return (await ledger.settle(order)).verdict === 'settled';
  } catch (error) {
    logger.error({
      message: 'a reservation could not be swept',
      call_id: callId,
      error: String(error),
    });
    return false;
  }
}
