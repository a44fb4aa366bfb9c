import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { Clock } from '../../../infrastructure/clock/clock';
import { DatabaseUrl } from '../../../infrastructure/database/database-url';
import { Notifications } from '../../../infrastructure/database/notifications';
import type { AccountRateLimits } from '../accounts/account.entity';
import { ACCESS_CHANGED } from '../accounts/accounts.repository';
import { hashKeySecretHex, KEY_SECRET_LENGTH } from './key-secret';

const CACHED_KEYS_MAX = 20_000;
const CACHED_FOR_MS = 30_000;
const UNKNOWN_MAX = 10_000;
const UNKNOWN_FOR_MS = 5_000;
const TOUCHED_EVERY_MS = 60_000;

/** A key as the pipeline needs it, with its account. */
export interface DirectoryEntry {
  id: string;
  accountId: string;
  /** Of the secret that was shown; null where the key was found by its id. */
  secretHash: Buffer | null;
  isActive: boolean;
  expiresAt: Date | null;
  /** Set when the presented secret is the one before a rotation. */
  secretValidUntil: Date | null;
  role: 'user' | 'admin';
  tier: string;
  rateLimits: AccountRateLimits | null;
  isAccountActive: boolean;
}

/**
 * Finds access keys by their secret, cached in the process. A change on any replica empties the cache for that account
 * through Postgres notifications; while those are not heard, every look-up asks the database.
 */
@Injectable()
export class KeyDirectory implements OnModuleInit, OnModuleDestroy {
  private readonly entries = new LRUCache<string, DirectoryEntry>({
    max: CACHED_KEYS_MAX,
    ttl: CACHED_FOR_MS,
  });
  /** Secrets that no key has: the checksum is no secret, and guessing must not cost a query each. */
  private readonly unknown = new LRUCache<string, true>({ max: UNKNOWN_MAX, ttl: UNKNOWN_FOR_MS });
  private readonly touched = new LRUCache<string, number>({ max: CACHED_KEYS_MAX });
  private readonly notifications: Notifications;
  /** Grows with every eviction, so that a look-up that began before one does not cache what it read. */
  private generation = 0;

  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
    url: DatabaseUrl,
  ) {
    this.notifications = new Notifications(
      url.value,
      ACCESS_CHANGED,
      (accountId) => this.forget(accountId),
      () => this.forgetAll(),
    );
  }

  async onModuleInit(): Promise<void> {
    await this.notifications.open();
  }

  async onModuleDestroy(): Promise<void> {
    await this.notifications.close();
  }

  /** The key of a secret that was looked up a moment ago and has not changed since; null where that has to be asked. */
  cached(secret: string): DirectoryEntry | null {
    if (secret.length !== KEY_SECRET_LENGTH || !this.notifications.isListening) {
      return null;
    }
    return this.entries.get(hashKeySecretHex(secret)) ?? null;
  }

  /** The key of a secret, or null when no key has it. States are reported, not judged. */
  async find(secret: string): Promise<DirectoryEntry | null> {
    const cacheKey = hashKeySecretHex(secret);
    const cached = this.entries.get(cacheKey);
    if (this.notifications.isListening && (cached || this.unknown.has(cacheKey))) {
      return cached ?? null;
    }
    const generation = this.generation;
    const secretHash = Buffer.from(cacheKey, 'hex');
    const [row]: DirectoryRow[] = await this.database.query(FIND, [secretHash]);
    if (!row) {
      if (generation === this.generation) {
        this.unknown.set(cacheKey, true);
      }
      return null;
    }
    const entry = entryOf(row, secretHash);
    if (generation === this.generation) {
      this.entries.set(cacheKey, entry);
    }
    return entry;
  }

  /** The key of an id, for callers within the service, which hold no secret; null when there is none. Never cached. */
  async findById(keyId: string): Promise<DirectoryEntry | null> {
    const [row]: DirectoryRow[] = await this.database.query(FIND_BY_ID, [keyId]);
    return row ? entryOf(row, null) : null;
  }

  /** Forgets an account's keys at once in this process. */
  forget(accountId: string): void {
    this.generation += 1;
    this.unknown.clear();
    for (const [cacheKey, entry] of this.entries.entries()) {
      if (entry.accountId === accountId) {
        this.entries.delete(cacheKey);
      }
    }
  }

  /** Notes the use of a key that no charge noted, at most once a minute. */
  async touch(keyId: string): Promise<void> {
    const now = this.clock.now().getTime();
    if (now - (this.touched.get(keyId) ?? 0) >= TOUCHED_EVERY_MS) {
      this.touched.set(keyId, now);
      await this.database.query('UPDATE access_keys SET last_used_at = $2 WHERE id = $1', [
        keyId,
        new Date(now),
      ]);
    }
  }

  private forgetAll(): void {
    this.generation += 1;
    this.entries.clear();
    this.unknown.clear();
  }
}

const FIND = `
  SELECT k.id, k.account_id, k.is_active, k.expires_at,
    CASE WHEN k.secret_hash = $1 THEN NULL ELSE k.previous_valid_until END AS secret_valid_until,
    a.role, a.tier, a.rate_limits, a.is_active AS is_account_active
  FROM access_keys AS k JOIN accounts AS a ON a.id = k.account_id
  WHERE k.secret_hash = $1 OR k.previous_secret_hash = $1`;

const FIND_BY_ID = `
  SELECT k.id, k.account_id, k.is_active, k.expires_at, NULL AS secret_valid_until,
    a.role, a.tier, a.rate_limits, a.is_active AS is_account_active
  FROM access_keys AS k JOIN accounts AS a ON a.id = k.account_id
  WHERE k.id = $1`;

interface DirectoryRow {
  id: string;
  account_id: string;
  is_active: boolean;
  expires_at: Date | null;
  secret_valid_until: Date | null;
  role: 'user' | 'admin';
  tier: string;
  rate_limits: AccountRateLimits | null;
  is_account_active: boolean;
}

function entryOf(row: DirectoryRow, secretHash: Buffer | null): DirectoryEntry {
  return {
    secretHash,
    id: row.id,
    accountId: row.account_id,
    isActive: row.is_active,
    expiresAt: row.expires_at,
    secretValidUntil: row.secret_valid_until,
    role: row.role,
    tier: row.tier,
    rateLimits: row.rate_limits,
    isAccountActive: row.is_account_active,
  };
}
