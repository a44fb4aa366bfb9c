import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { inBatches } from '../../../infrastructure/database/in-batches';
import { SILENT_FOR_SECONDS } from '../../../infrastructure/processes/process-register';
import type { Ledger } from './ledger';

const BATCHES = { sizeMax: 500, batchesMax: 40 };
/** Until then the row of a process that is gone is kept: its youngest reservations are left to later sweeps. */
const FORGOTTEN_AFTER_SECONDS = 600;

// The order is random, so that reservations that cannot be ended do not fill every batch.
const EXPIRED = `SELECT id, account_id FROM reservations WHERE lease_until <= $1 ORDER BY random() LIMIT $2`;

const GONE = `
  SELECT id FROM processes WHERE heartbeat_at <= clock_timestamp() - $1 * interval '1 second' LIMIT 1000`;

// Those that were made just now are left to the next sweep: a process that was cut off and is back reserves before its next
// heartbeat.
const OF_GONE = `
  SELECT id, account_id FROM reservations WHERE process_id = ANY($1::uuid[]) AND created_at <= $2
  ORDER BY random() LIMIT $3`;

const FORGET = `
  DELETE FROM processes WHERE id = ANY($1::uuid[]) AND heartbeat_at <= clock_timestamp() - $2 * interval '1 second'`;

const logger = new Logger('Ledger');

/**
 * Has the ledger end the calls of a database whose lease is over, and those of processes that are gone, and returns how
 * many it ended. A reservation that cannot be ended is logged, and the next sweep tries it again; the others are still
 * ended.
 *
 * A process counts as gone where it has stopped or was not heard of for 40 seconds. Where it was only paused, or cut off,
 * its calls find their reservations ended, as they do after their lease: they cost nothing and fail.
 */
export async function sweepReservations(
  database: DataSource,
  ledger: Pick<Ledger, 'settle'>,
  now: Date,
): Promise<number> {
  const overdue = await endAll(ledger, now, (sizeMax) => database.query(EXPIRED, [now, sizeMax]));
  const rows: { id: string }[] = await database.query(GONE, [SILENT_FOR_SECONDS]);
  const gone = rows.map(({ id }) => id);
  // The reservations are only searched where there is something to find: no index is kept for it.
  if (gone.length === 0) {
    return overdue;
  }
  const madeBefore = new Date(now.getTime() - SILENT_FOR_SECONDS * 1000);
  const ofGone = await endAll(ledger, now, (sizeMax) => database.query(OF_GONE, [gone, madeBefore, sizeMax]));
  if (ofGone === 0) {
    await database.query(FORGET, [gone, FORGOTTEN_AFTER_SECONDS]);
  }
  return overdue + ofGone;
}

async function endAll(
  ledger: Pick<Ledger, 'settle'>,
  now: Date,
  find: (sizeMax: number) => Promise<{ id: string; account_id: string }[]>,
): Promise<number> {
  return inBatches(BATCHES, async (sizeMax) => {
    const found = await find(sizeMax);
    const ended = await Promise.all(found.map(({ id, account_id }) => expire(ledger, id, account_id, now)));
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
