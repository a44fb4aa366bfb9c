import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type Repository } from 'typeorm';
import { Clock } from '../../../infrastructure/clock/clock';
import { isId, newId } from '../../../infrastructure/ids/ids';
import { holdCap } from '../accounts/account-cap';
import { ACCESS_CHANGED } from '../accounts/accounts.repository';
import { Conflict, NotFound } from '../../errors/request-errors';
import { AccessKey } from './access-key.entity';
import { hashKeySecret, newKeySecret, previewOf } from './key-secret';

const KEYS_PER_ACCOUNT_MAX = 1000;

/** A key together with its secret. The secret is not stored, so the caller sees it in this one answer only. */
export interface KeyWithSecret {
  key: AccessKey;
  secret: string;
}

/**
 * An account's access keys. Each change notifies all replicas when it commits, so that none serves an outdated key.
 */
@Injectable()
export class AccessKeys {
  private readonly repository: Repository<AccessKey>;

  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
  ) {
    this.repository = database.getRepository(AccessKey);
  }

  /**
   * Creates an active key without spending limits.
   * @throws Conflict when the account has 1,000 keys already
   */
  async create(fields: {
    accountId: string;
    name: string;
    expiresAt: Date | null;
    environment: 'live' | 'test';
  }): Promise<KeyWithSecret> {
    const secret = newKeySecret(fields.environment);
    const key = this.repository.create({
      id: newId(),
      accountId: fields.accountId,
      name: fields.name,
      preview: previewOf(secret),
      secretHash: hashKeySecret(secret),
      previousSecretHash: null,
      previousValidUntil: null,
      isActive: true,
      expiresAt: fields.expiresAt,
      lastUsedAt: null,
      createdAt: this.clock.now(),
    });
    await this.changing(fields.accountId, async (manager) => {
      const { accountId } = fields;
      await holdCap(manager, AccessKey, { accountId, countMax: KEYS_PER_ACCOUNT_MAX, things: 'access keys' });
      await manager.insert(AccessKey, key);
    });
    return { key, secret };
  }

  /** One page of the account's keys, the newest first. */
  async list(accountId: string, page: { limit: number; offset: number }): Promise<AccessKey[]> {
    return this.repository.find({
      where: { accountId },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: page.limit,
      skip: page.offset,
    });
  }

  /**
   * One key of the account.
   * @throws NotFound when the account has no such key, even if another account has it
   */
  async get(accountId: string, id: string): Promise<AccessKey> {
    const key = isId(id) ? await this.repository.findOneBy({ id, accountId }) : null;
    if (!key) {
      throw new NotFound('access key');
    }
    return key;
  }

  /**
   * Deactivates the key for good. Once this has committed, no replica charges the key any more.
   * @throws NotFound when the account has no such key
   * @throws Conflict when the key is revoked already
   */
  async revoke(accountId: string, id: string): Promise<AccessKey> {
    const key = await this.get(accountId, id);
    await this.changing(accountId, async (manager) => {
      const { affected } = await manager.update(
        AccessKey,
        { id, accountId, isActive: true },
        { isActive: false },
      );
      if (affected !== 1) {
        throw new Conflict('The access key is already revoked.');
      }
    });
    return { ...key, isActive: false };
  }

  /**
   * Deletes the key.
   * @throws NotFound when the account has no such key
   */
  async remove(accountId: string, id: string): Promise<void> {
    await this.get(accountId, id);
    await this.changing(accountId, async (manager) => {
      const { affected } = await manager.delete(AccessKey, { id, accountId });
      // Another request deleted the key after it was found above.
      if (affected !== 1) {
        throw new NotFound('access key');
      }
    });
  }

  /**
   * Gives the key a new secret. The old secret keeps working for `overlapSeconds`; 0 ends it at once.
   * @throws NotFound when the account has no such key
   * @throws Conflict when the key is revoked
   */
  async rotate(fields: {
    accountId: string;
    id: string;
    overlapSeconds: number;
    environment: 'live' | 'test';
  }): Promise<KeyWithSecret> {
    const { accountId, id } = fields;
    const key = await this.get(accountId, id);
    const secret = newKeySecret(fields.environment);
    const validUntil = new Date(this.clock.now().getTime() + fields.overlapSeconds * 1000);
    await this.changing(accountId, async (manager) => {
      const rows: unknown = await manager.query(
        `UPDATE access_keys SET secret_hash = $3, preview = $4, previous_valid_until = $5,
           previous_secret_hash = CASE WHEN $6 THEN secret_hash END
         WHERE id = $1 AND account_id = $2 AND is_active`,
        [id, accountId, hashKeySecret(secret), previewOf(secret), validUntil, fields.overlapSeconds > 0],
      );
      if ((rows as [unknown, number])[1] !== 1) {
        throw new Conflict('The access key is revoked.');
      }
    });
    return { key: { ...key, preview: previewOf(secret) }, secret };
  }

  /** Makes a change in one transaction. The notification is part of it, so Postgres sends it only if it commits. */
  private async changing(
    accountId: string,
    change: (manager: EntityManager) => Promise<void>,
  ): Promise<void> {
    await this.database.transaction(async (manager) => {
      await change(manager);
      await manager.query('SELECT pg_notify($1, $2)', [ACCESS_CHANGED, accountId]);
    });
  }
}
