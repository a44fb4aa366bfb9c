import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../infrastructure/clock/clock';
import { inBatches } from '../../../infrastructure/database/in-batches';

const ADDRESSES_MAX = 20;
const KEPT_MS = 30 * 24 * 3_600_000;
/** Whoever logs in often writes no more often than this. */
const WRITTEN_EVERY_MS = 3_600_000;
const SWEEP_BATCHES = { sizeMax: 5_000, batchesMax: 40 };

/** Stands for an e-mail address without an account, for which as much is asked. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * From where an account was logged into in the last 30 days: the newest 20 blocks of addresses. Their guesses are not
 * held back by those of strangers (LoginAttempts).
 */
@Injectable()
export class LoginAddresses {
  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  /** @param accountId null for an e-mail address without an account: false, in the same time */
  async isKnown(accountId: string | null, addressBlock: string): Promise<boolean> {
    const id = accountId ?? NOBODY;
    const rows: unknown[] = await this.database.query(KNOWN, [
      id,
      fingerprintOf(id, addressBlock),
      this.before(KEPT_MS),
    ]);
    return rows.length > 0;
  }

  /** To be called after a right password only. */
  async remember(accountId: string, addressBlock: string): Promise<void> {
    const written: unknown[] = await this.database.query(REMEMBER, [
      accountId,
      fingerprintOf(accountId, addressBlock),
      this.clock.now(),
      this.before(WRITTEN_EVERY_MS),
    ]);
    if (written.length > 0) {
      await this.database.query(FORGET_BEYOND, [accountId, ADDRESSES_MAX]);
    }
  }

  /** Forgets what is older than 30 days. */
  async sweep(): Promise<void> {
    await inBatches(SWEEP_BATCHES, async (sizeMax) => {
      const [, deleted]: [unknown, number] = await this.database.query(FORGET_OLD, [
        this.before(KEPT_MS),
        sizeMax,
      ]);
      return deleted;
    });
  }

  private before(ms: number): Date {
    return new Date(this.clock.now().getTime() - ms);
  }
}

/** Nobody's address is stored, and the same one has another hash for each account. */
function fingerprintOf(accountId: string, addressBlock: string): string {
  return hash('sha256', `${accountId} ${addressBlock}`, 'base64url');
}

const KNOWN = `
  SELECT FROM login_addresses WHERE account_id = $1 AND address_hash = $2 AND logged_in_at > $3`;

const REMEMBER = `
  INSERT INTO login_addresses AS known (account_id, address_hash, logged_in_at) VALUES ($1, $2, $3)
  ON CONFLICT (account_id, address_hash) DO UPDATE SET logged_in_at = excluded.logged_in_at
    WHERE known.logged_in_at <= $4
  RETURNING account_id`;

// Passes over rows that another login changes at this moment: it counts them itself.
const FORGET_BEYOND = `
  DELETE FROM login_addresses WHERE account_id = $1 AND address_hash IN (
    SELECT address_hash FROM login_addresses WHERE account_id = $1
    ORDER BY logged_in_at DESC, address_hash OFFSET $2 FOR UPDATE SKIP LOCKED)`;

const FORGET_OLD = `
  DELETE FROM login_addresses WHERE (account_id, address_hash) IN (
    SELECT account_id, address_hash FROM login_addresses WHERE logged_in_at <= $1 LIMIT $2)`;
