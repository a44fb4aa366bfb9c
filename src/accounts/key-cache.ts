import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AccountDatabases } from '../database/account-databases';
import { ANSWER_WITHIN_MS, untilWoken } from '../database/connection-pool';
import { ProcessRegister } from '../database/process-register';
import { ServiceUnavailable } from '../errors/api-errors';
import { BackgroundEventWriter, EventSubscriptions } from '../events/event-subscriptions';
import { Outbox } from '../events/outbox';
import { addressBlock } from '../http/http-server';
import { Clock, HOUR_MS, hourOf } from '../runtime/clock';
import type { Account } from './accounts';
import { ANOMALY, anomalyDetected, Sightings } from './anomaly-observations';
import { fingerprint, hashSecretHex, KEY_SECRET_LENGTH, type KeyPrincipal } from './credentials';
import { InProcessRateLimiter, RateLimitExceeded } from './rate-windows';
import type { RateSubject } from './rate-limiter';

const CACHED_KEYS_MAX = 20_000;
const CACHED_FOR_MS = 30_000;
const UNKNOWN_MAX = 10_000;
const UNKNOWN_FOR_MS = 5_000;
const TOUCHED_EVERY_MS = 60_000;

export interface DirectoryEntry extends KeyPrincipal, Pick<Account, 'role' | 'tier' | 'rateLimits'> {
  secretHash: Buffer | null;
  isActive: boolean;
  isPlayground: boolean;
  expiresAt: Date | null;
  /** When a rotated secret stops working; null for the current one. */
  secretValidUntil: Date | null;
  isAccountActive: boolean;
}

/** Changes drop an account's keys on all processes; one that the database does not hear of looks all up. */
@Injectable()
export class KeyDirectory {
  private readonly entries = new LRUCache<string, DirectoryEntry>({
    max: CACHED_KEYS_MAX,
    ttl: CACHED_FOR_MS,
  });
  /** Anybody can compute a valid checksum, so repeated guesses must not cost a query each. */
  private readonly unknown = new LRUCache<string, true>({ max: UNKNOWN_MAX, ttl: UNKNOWN_FOR_MS });
  /** Secrets lately valid: their holders are not guessing. */
  private readonly known = new LRUCache<string, true>({ max: CACHED_KEYS_MAX });
  private readonly touched = new LRUCache<string, number>({ max: CACHED_KEYS_MAX });
  /** Grows when entries are dropped, so that an older look-up does not cache that there is no key. */
  private generation = 0;

  constructor(
    private readonly databases: AccountDatabases,
    private readonly clock: Clock,
    private readonly register: ProcessRegister,
  ) {
    register.onChange((accountId) => this.forget(accountId));
  }

  cached(secret: string): DirectoryEntry | null {
    if (secret.length !== KEY_SECRET_LENGTH || !this.register.isHeard) {
      return null;
    }
    return this.entries.get(hashSecretHex(secret)) ?? null;
  }

  knows(secret: string): boolean {
    return this.known.has(hashSecretHex(secret));
  }

  /** Null for an unknown secret. Revoked and expired keys are found too. */
  async find(secret: string): Promise<DirectoryEntry | null> {
    const cacheKey = hashSecretHex(secret);
    const cached = this.entries.get(cacheKey);
    if (this.register.isHeard && (cached || this.unknown.has(cacheKey))) {
      return cached ?? null;
    }
    const generation = this.generation;
    const secretHash = Buffer.from(cacheKey, 'hex');
    const row = await this.register.current<DirectoryRow>(FIND, [secretHash]);
    if (!row) {
      this.known.delete(cacheKey);
      if (generation === this.generation) {
        this.unknown.set(cacheKey, true);
      }
      return null;
    }
    this.known.set(cacheKey, true);
    const entry = { ...row, secretHash };
    this.entries.set(cacheKey, entry);
    return entry;
  }

  async findById(keyId: string): Promise<DirectoryEntry | null> {
    const row = await this.register.current<DirectoryRow>(FIND_BY_ID, [keyId]);
    return row ? { ...row, secretHash: null } : null;
  }

  /** @param accountId null for all accounts */
  forget(accountId: string | null): void {
    this.generation += 1;
    this.unknown.clear();
    for (const [cacheKey, entry] of this.entries.entries()) {
      if (accountId === null || entry.accountId === accountId) {
        this.entries.delete(cacheKey);
      }
    }
  }

  /** For uncharged calls, at most once a minute; charges record the use themselves. */
  async touch({ id, accountId }: KeyPrincipal): Promise<void> {
    const now = this.clock.now().getTime();
    if (now - (this.touched.get(id) ?? 0) >= TOUCHED_EVERY_MS) {
      this.touched.set(id, now);
      await this.databases.of(accountId).query(TOUCH, [id, accountId, new Date(now)]);
    }
  }
}

const TOUCH = `UPDATE access_keys SET last_used_at = $3 WHERE id = $1 AND account_id = $2`;

const ENTRY = `k.id, k.account_id AS "accountId", k.is_active AS "isActive",
  k.is_playground AS "isPlayground", k.expires_at AS "expiresAt", a.role, a.tier, a.rate_limits AS "rateLimits", a.is_active AS "isAccountActive"`;

const FIND = `
  SELECT ${ENTRY}, s.valid_until AS "secretValidUntil"
  FROM (
    SELECT id AS key_id, NULL::timestamptz AS valid_until FROM access_keys WHERE secret_hash = $1
    UNION ALL SELECT key_id, valid_until FROM replaced_secrets WHERE secret_hash = $1
  ) AS s
  JOIN access_keys AS k ON k.id = s.key_id JOIN accounts AS a ON a.id = k.account_id`;

const FIND_BY_ID = `
  SELECT ${ENTRY}, NULL AS "secretValidUntil"
  FROM access_keys AS k JOIN accounts AS a ON a.id = k.account_id
  WHERE k.id = $1`;

type DirectoryRow = Omit<DirectoryEntry, 'secretHash'>;

const ADDRESSES_MAX = 20_000;
const AT_ONCE_MAX = 20;
const WAITING_MAX = 1_000;
const RETRY_AFTER_SECONDS = 1;

interface LookUps {
  underWay: number;
  readonly waiting: Set<() => void>;
}

/** Counts wrong secrets only, so that no new key is refused. Look-ups wait when they might be too many. */
@Injectable()
export class KeyLookUps {
  private readonly guesses = new InProcessRateLimiter(ADDRESSES_MAX);
  private readonly ofAddresses = new Map<string, LookUps>();

  constructor(
    private readonly keys: KeyDirectory,
    private readonly clock: Clock,
  ) {}

  /** @throws RateLimitExceeded for wrong guesses; ServiceUnavailable for too many or slow look-ups */
  async find(secret: string, address: RateSubject): Promise<DirectoryEntry | null> {
    if (this.keys.knows(secret)) {
      return this.keys.find(secret);
    }
    const lookUps = await this.begin(address);
    try {
      const entry = await this.keys.find(secret);
      if (entry === null) {
        this.guesses.take([address], this.nowMs());
      }
      return entry;
    } finally {
      lookUps.underWay -= 1;
      this.wakeNext(address.id, lookUps);
    }
  }

  private async begin(address: RateSubject): Promise<LookUps> {
    const deadlineMs = performance.now() + ANSWER_WITHIN_MS;
    for (;;) {
      const lookUps = this.lookUpsOf(address.id);
      const { room, refused } = this.guesses.peek([address], this.nowMs());
      if (refused) {
        this.wakeNext(address.id, lookUps);
        throw new RateLimitExceeded(refused);
      }
      if (lookUps.underWay < Math.min(room, AT_ONCE_MAX)) {
        lookUps.underWay += 1;
        return lookUps;
      }
      if (lookUps.waiting.size >= WAITING_MAX) {
        throw tooManyWait();
      }
      await untilWoken(lookUps.waiting, deadlineMs, tooManyWait);
    }
  }

  private lookUpsOf(id: string): LookUps {
    let lookUps = this.ofAddresses.get(id);
    if (!lookUps) {
      lookUps = { underWay: 0, waiting: new Set() };
      this.ofAddresses.set(id, lookUps);
    }
    return lookUps;
  }

  /** Whoever stops wakes the next, so that none waits for a look-up that does not come. */
  private wakeNext(id: string, lookUps: LookUps): void {
    const [next] = lookUps.waiting;
    if (next) {
      next();
    } else if (lookUps.underWay === 0 && this.ofAddresses.get(id) === lookUps) {
      this.ofAddresses.delete(id);
    }
  }

  private nowMs(): number {
    return this.clock.now().getTime();
  }
}

function tooManyWait(): ServiceUnavailable {
  return new ServiceUnavailable('Too many new keys of this address wait; call again.', RETRY_AFTER_SECONDS);
}

const USUAL_ADDRESSES_MAX = 10;
const ADDRESSED_KEYS_MAX = 10_000;

interface SeenAddresses {
  readonly hour: Date;
  readonly endMs: number;
  readonly fingerprints: Set<string>;
  latest: string | null;
}

/** Only an address's first call costs more than memory. Postgres counts for all replicas. */
@Injectable()
export class KeyAddresses {
  private readonly ofKeys = new LRUCache<string, SeenAddresses>({ max: ADDRESSED_KEYS_MAX });

  constructor(
    private readonly subscriptions: EventSubscriptions,
    private readonly writes: BackgroundEventWriter,
    private readonly sightings: Sightings,
    private readonly outbox: Outbox,
    private readonly databases: AccountDatabases,
  ) {}

  /** For valid keys. Returns at once and never throws. */
  note(key: KeyPrincipal, address: string, at: Date): void {
    if (this.subscriptions.cached(key.accountId, ANOMALY, at.getTime()) === false) {
      return;
    }
    const seen = this.seenOf(key.id, at);
    const { hour, fingerprints } = seen;
    if (fingerprints.size > USUAL_ADDRESSES_MAX || seen.latest === address) {
      return;
    }
    // Short, however long the text is that a proxy gives for an address.
    const block = fingerprint(`${key.id} ${addressBlock(address)}`);
    if (fingerprints.has(block)) {
      return;
    }
    fingerprints.add(block);
    // Most calls repeat the last address. Copied, because the text may be a slice of a long header.
    seen.latest = Buffer.from(address).toString();
    this.writes.begin({
      accountId: key.accountId,
      type: ANOMALY,
      write: () => this.write(key, block, { hour, detectedAt: at }),
      undone: () => {
        fingerprints.delete(block);
        seen.latest = null;
      },
    });
  }

  /** A call admitted late counts with the next hour. */
  private seenOf(keyId: string, at: Date): SeenAddresses {
    let seen = this.ofKeys.get(keyId);
    if (!seen || at.getTime() >= seen.endMs) {
      const hour = hourOf(at);
      seen = { hour, endMs: hour.getTime() + HOUR_MS, fingerprints: new Set(), latest: null };
      this.ofKeys.set(keyId, seen);
    }
    return seen;
  }

  private async write(
    key: KeyPrincipal,
    address: string,
    { hour, detectedAt }: { hour: Date; detectedAt: Date },
  ): Promise<void> {
    await this.databases.of(key.accountId).transaction(async (manager) => {
      const sighting = { keyId: key.id, hour, address, countMax: USUAL_ADDRESSES_MAX + 1 };
      const count = await this.sightings.addAddress(manager, sighting);
      if (count > USUAL_ADDRESSES_MAX) {
        const anomaly = { kind: 'many_addresses', key, count, hour, detectedAt } as const;
        await this.outbox.write(manager, anomalyDetected(anomaly));
      }
    });
  }
}
