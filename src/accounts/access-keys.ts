import { Injectable } from '@nestjs/common';
import { Column, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { AccountDatabases } from '../database/account-databases';
import { ProcessRegister } from '../database/process-register';
import { sqlStateOf } from '../database/driver-errors';
import { Conflict, Unprocessable, ValidationFailed } from '../errors/api-errors';
import { type NewEvent, Outbox } from '../events/outbox';
import { Clock } from '../runtime/clock';
import { createdId } from '../runtime/ids';
import { AccountRows, bigintColumn, lockAccount, type ListQuery, type BoundedRowPage } from './account-rows';
import { hashSecret, newKeySecret, previewOf } from './credentials';
import { addPlaygroundCap, type KeyMaker, refuseEndedMaker, removePlaygroundKeys } from './playground-keys';

const nullableBigint = { ...bigintColumn, nullable: true } as const;

/** The columns for what it has spent are not mapped: only SQL reads and writes them. */
@Entity('access_keys')
export class AccessKeyEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') accountId!: string;
  @Column('text') name!: string;
  @Column('text') preview!: string;
  @Column('bytea') secretHash!: Buffer;
  @Column('boolean') isActive!: boolean;
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  @Column('timestamptz', { nullable: true }) lastUsedAt!: Date | null;
  @Column('timestamptz') createdAt!: Date;
  @Column(nullableBigint) dailyLimitNano!: bigint | null;
  @Column(nullableBigint) monthlyLimitNano!: bigint | null;
  @Column(nullableBigint) perRequestLimitNano!: bigint | null;
  @Column('text') timezone!: string;
  @Column('boolean') isPlayground!: boolean;
}

const OVERLAPS_MAX = 5;

/** Needs the key's lock: racing rotations count each other's. 0 seconds ends all. @throws Conflict when five work */
async function keepReplacedSecret(
  manager: EntityManager,
  { id: keyId, secretHash }: AccessKeyEntity,
  now: Date,
  overlapSeconds: number,
): Promise<void> {
  if (overlapSeconds === 0) {
    return endReplacedSecrets(manager, keyId);
  }
  await manager.query('DELETE FROM replaced_secrets WHERE key_id = $1 AND valid_until <= $2', [keyId, now]);
  const [overlaps]: { count: string; first_end: Date }[] = await manager.query(
    'SELECT count(*), min(valid_until) AS first_end FROM replaced_secrets WHERE key_id = $1',
    [keyId],
  );
  if (overlaps && Number(overlaps.count) >= OVERLAPS_MAX) {
    throw new Conflict(
      `${OVERLAPS_MAX} older secrets of the access key still work; the first of them ends at ` +
        `${overlaps.first_end.toISOString()}. Rotate then, or with overlap_seconds 0, which ends them all at once.`,
    );
  }
  await manager.query('INSERT INTO replaced_secrets (secret_hash, key_id, valid_until) VALUES ($1, $2, $3)', [
    secretHash,
    keyId,
    new Date(now.getTime() + overlapSeconds * 1000),
  ]);
}

/** Needs the key's lock. */
async function endReplacedSecrets(manager: EntityManager, keyId: string): Promise<void> {
  await manager.query('DELETE FROM replaced_secrets WHERE key_id = $1', [keyId]);
}

/** Undefined leaves a field, null removes its limit. */
export type LimitChange = Partial<
  Pick<AccessKeyEntity, 'dailyLimitNano' | 'monthlyLimitNano' | 'perRequestLimitNano' | 'timezone'>
>;

const UNKNOWN_TIME_ZONE = '22023';

/** Validation uses Node's time zones; Postgres may lack one. */
export function asKnownZone(error: unknown): never {
  if (sqlStateOf(error) === UNKNOWN_TIME_ZONE) {
    const message = 'must be the name of an IANA time zone, such as Europe/Berlin';
    throw new ValidationFailed([{ field: 'timezone', message }]);
  }
  throw error;
}

export function refuseDailyAboveMonthly(dailyNano: bigint | null, monthlyNano: bigint | null): void {
  if (dailyNano !== null && monthlyNano !== null && dailyNano > monthlyNano) {
    throw new Unprocessable('daily_limit is above monthly_limit.');
  }
}

interface NewKey {
  accountId: string;
  name: string;
  expiresAt: Date | null;
  environment: 'live' | 'test';
  idempotencyId?: string | null;
  isPlayground?: boolean;
  limits?: LimitChange;
}

interface NewPlaygroundKey extends Pick<NewKey, 'accountId' | 'name' | 'environment'> {
  expiresAt: Date;
  capNano: bigint;
  maker: KeyMaker;
}

/** The secret is not stored, so this answer alone shows it. */
export interface KeyWithSecret {
  key: AccessKeyEntity;
  secret: string;
}

type KeyStatus = 'active' | 'revoked' | 'expired';

interface KeyCounts {
  active: number;
  expired: number;
  revoked: number;
  lastUsedAt: Date | null;
}

/** When a change returns, no process serves a key as it was before. */
@Injectable()
export class AccessKeys extends AccountRows<AccessKeyEntity> {
  constructor(
    databases: AccountDatabases,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly register: ProcessRegister,
  ) {
    super(databases, AccessKeyEntity, { name: 'access key', plural: 'access keys', countMax: 1000 });
  }

  /** @throws Conflict at 1,000 keys, or if an unanswered try has made the key; as SpendingLimitsRepository.set */
  async create(fields: NewKey): Promise<KeyWithSecret> {
    const { dailyLimitNano = null, monthlyLimitNano = null, timezone } = fields.limits ?? {};
    refuseDailyAboveMonthly(dailyLimitNano, monthlyLimitNano);
    if (timezone !== undefined) {
      await this.databases.everyone.query('SELECT now() AT TIME ZONE $1', [timezone]).catch(asKnownZone);
    }
    const { key, secret } = this.made(fields);
    const { name, expiresAt } = key;
    // No announcement: nobody has cached a new key.
    const stored = await super.transaction(fields.accountId, (manager) =>
      this.insertOnce(manager, key, { name, expiresAt }),
    );
    if (!stored.secretHash.equals(key.secretHash)) {
      throw new Conflict(
        `An earlier try has made the access key ${stored.id}, and its secret can't be shown any more. Rotate it for a new one.`,
      );
    }
    return { key: stored, secret };
  }

  /** Makes room for it. `expiresAt` is within the UTC day. @throws Conflict, SessionEnded */
  async createPlayground({ capNano, maker, ...fields }: NewPlaygroundKey): Promise<KeyWithSecret> {
    const { accountId } = fields;
    const made = this.made({ ...fields, isPlayground: true, limits: { monthlyLimitNano: capNano } });
    await this.transaction(accountId, async (manager) => {
      await lockAccount(manager, accountId);
      await refuseEndedMaker(manager, accountId, maker);
      await removePlaygroundKeys(manager, accountId, made.key.createdAt);
      await addPlaygroundCap(manager, accountId, capNano, made.key.createdAt);
      await this.insertWithinCap(manager, made.key);
    });
    return made;
  }

  private made({ environment, idempotencyId = null, limits, ...fields }: NewKey): KeyWithSecret {
    const secret = newKeySecret(environment);
    const key = this.repository(fields.accountId).create({
      isPlayground: false,
      ...fields,
      ...limits,
      id: createdId(idempotencyId),
      preview: previewOf(secret),
      secretHash: hashSecret(secret),
      isActive: true,
      lastUsedAt: null,
      createdAt: this.clock.now(),
    });
    return { key, secret };
  }

  async inState(
    accountId: string,
    query: ListQuery,
    status: KeyStatus | null,
  ): Promise<BoundedRowPage<AccessKeyEntity>> {
    const now = this.clock.now();
    return this.list(accountId, query, {
      'is_active = $': status && status !== 'revoked',
      '(expires_at IS NULL OR expires_at > $)': status === 'active' ? now : null,
      'expires_at <= $': status === 'expired' ? now : null,
    });
  }

  /** Not active once it has expired. */
  asOfNow(key: AccessKeyEntity): AccessKeyEntity {
    const hasExpired = key.expiresAt !== null && key.expiresAt <= this.clock.now();
    return { ...key, isActive: key.isActive && !hasExpired };
  }

  /** Active keys with the largest used part of a limit, as far as leases show it. */
  async withLeastLeft(accountId: string, countMax: number): Promise<{ id: string; name: string }[]> {
    return this.databases.of(accountId).query(LEAST_LEFT, [accountId, this.clock.now(), countMax]);
  }

  async counts(accountId: string): Promise<KeyCounts> {
    const database = this.databases.of(accountId);
    const [counts]: [KeyCounts] = await database.query(COUNTS, [accountId, this.clock.now()]);
    return counts;
  }

  /** On return no process accepts the key. @throws NotFound; Conflict when already revoked */
  async revoke(accountId: string, id: string): Promise<AccessKeyEntity> {
    return this.transaction(accountId, async (manager) => {
      const key = await this.locked(manager, accountId, id);
      if (!key.isActive) {
        throw new Conflict('The access key is already revoked.');
      }
      await manager.update(AccessKeyEntity, { id }, { isActive: false });
      await endReplacedSecrets(manager, id);
      await this.outbox.write(manager, keyRevoked(key, this.clock.now()));
      return { ...key, isActive: false };
    });
  }

  async rename(accountId: string, id: string, name: string): Promise<AccessKeyEntity> {
    return this.update(accountId, id, () => ({ name }));
  }

  async hasEnded(accountId: string, id: string): Promise<boolean> {
    return !(await this.repository(accountId).existsBy({ id, isActive: true }));
  }

  async ended(accountId: string): Promise<void> {
    await this.register.changing(accountId, (announce) => announce(this.databases.of(accountId)));
  }

  override async remove(accountId: string, id: string): Promise<void> {
    await this.transaction(accountId, async (manager) => {
      await this.locked(manager, accountId, id);
      await manager.delete(AccessKeyEntity, { id });
      await endReplacedSecrets(manager, id);
    });
  }

  /** Older secrets work through their overlap; 0 ends all at once, for a leak. @throws NotFound, Conflict */
  async rotate(fields: {
    accountId: string;
    id: string;
    overlapSeconds: number;
    environment: 'live' | 'test';
  }): Promise<KeyWithSecret> {
    const { accountId, id, overlapSeconds } = fields;
    const secret = newKeySecret(fields.environment);
    const key = await this.transaction(accountId, async (manager) => {
      const replaced = await this.locked(manager, accountId, id);
      if (!replaced.isActive) {
        throw new Conflict('The access key is revoked.');
      }
      await keepReplacedSecret(manager, replaced, this.clock.now(), overlapSeconds);
      const change = { secretHash: hashSecret(secret), preview: previewOf(secret) };
      await manager.update(AccessKeyEntity, { id }, change);
      return { ...replaced, ...change };
    });
    return { key, secret };
  }

  protected override async transaction<Result>(
    accountId: string,
    change: (manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    return this.register.changingWithin(accountId, async (manager, announce) => {
      const result = await change(manager);
      await announce(manager);
      return result;
    });
  }
}

function keyRevoked({ id, accountId, name, preview }: AccessKeyEntity, revokedAt: Date): NewEvent {
  return {
    accountId,
    type: 'key.revoked',
    data: {
      user_id: accountId,
      access_key_id: id,
      name,
      key_value_preview: preview,
      revoked_at: revokedAt.toISOString(),
    },
    operation: null,
    occurredAt: revokedAt,
  };
}

const COUNTS = `
  SELECT (count(*) FILTER (WHERE is_active AND (expires_at IS NULL OR expires_at > $2)))::integer AS active,
    (count(*) FILTER (WHERE is_active AND expires_at <= $2))::integer AS expired,
    (count(*) FILTER (WHERE NOT is_active))::integer AS revoked, max(last_used_at) AS "lastUsedAt"
  FROM access_keys WHERE account_id = $1`;

const LEAST_LEFT = `
  SELECT id, name FROM access_keys
  WHERE account_id = $1 AND is_active AND (expires_at IS NULL OR expires_at > $2)
    AND (daily_limit_nano IS NOT NULL OR monthly_limit_nano IS NOT NULL)
  ORDER BY greatest(day_spent_nano::numeric / nullif(daily_limit_nano, 0),
    month_spent_nano::numeric / nullif(monthly_limit_nano, 0)) DESC NULLS LAST, id LIMIT $3`;
