import { Injectable } from '@nestjs/common';
import { Configuration } from '../../config/configuration';
import type { ListKeysQuery } from '../../../generated/types';
import type { AccessKey } from '../../core/access/access-keys/access-key.entity';
import { AccessKeys, type KeyWithSecret } from '../../core/access/access-keys/access-keys.repository';
import { KeyDirectory } from '../../core/access/access-keys/key-directory';
import {
  SpendingLimitsRepository,
  type LimitChange,
  type SpendingLimits,
} from '../../core/access/access-keys/spending-limits.repository';
import { Unprocessable } from '../../core/errors/request-errors';
import { openPeriod } from '../../core/money/usage/period';
import { Clock } from '../../infrastructure/clock/clock';
import { readIsoTime } from '../../infrastructure/clock/iso-time';

/**
 * An account's keys as its owner manages them; `isActive` is false also where a key has expired. A change is in force on
 * this replica before it is answered.
 */
@Injectable()
export class KeysService {
  constructor(
    private readonly keys: AccessKeys,
    private readonly limits: SpendingLimitsRepository,
    private readonly directory: KeyDirectory,
    private readonly clock: Clock,
    private readonly configuration: Configuration,
  ) {}

  /** @throws Unprocessable for a time of expiry that has passed */
  async create(accountId: string, name: string, expiresAt: string | null): Promise<KeyWithSecret> {
    const expiry = expiresAt === null ? null : (readIsoTime(expiresAt)?.time ?? null);
    if (expiry && expiry <= this.clock.now()) {
      throw new Unprocessable('expires_at lies in the past.');
    }
    const { environment } = this.configuration;
    return this.keys.create({ accountId, name, expiresAt: expiry, environment });
  }

  /** @throws Unprocessable when the period would end before it starts */
  async list(accountId: string, query: ListKeysQuery): Promise<AccessKey[]> {
    const { limit, offset, sort, order, status = null } = query;
    const { start, end } = openPeriod(query);
    const filter = { status, createdFrom: start, createdBefore: end };
    const keys = await this.keys.list(accountId, filter, { limit, offset, sort, order });
    return keys.map((key) => this.asOfNow(key));
  }

  async revoke(accountId: string, keyId: string): Promise<AccessKey> {
    const key = await this.keys.revoke(accountId, keyId);
    this.directory.forget(accountId);
    return key;
  }

  async remove(accountId: string, keyId: string): Promise<void> {
    await this.keys.remove(accountId, keyId);
    this.directory.forget(accountId);
  }

  async rotate(accountId: string, keyId: string, overlapSeconds: number): Promise<KeyWithSecret> {
    const { environment } = this.configuration;
    const rotated = await this.keys.rotate({ accountId, id: keyId, overlapSeconds, environment });
    this.directory.forget(accountId);
    return { ...rotated, key: this.asOfNow(rotated.key) };
  }

  async getLimits(accountId: string, keyId: string): Promise<SpendingLimits> {
    return this.limits.get(accountId, keyId);
  }

  async setLimits(accountId: string, keyId: string, change: LimitChange): Promise<SpendingLimits> {
    return this.limits.set(accountId, keyId, change);
  }

  async removeLimits(accountId: string, keyId: string): Promise<void> {
    await this.limits.remove(accountId, keyId);
  }

  async resetLimits(accountId: string, keyId: string): Promise<SpendingLimits> {
    return this.limits.reset(accountId, keyId);
  }

  private asOfNow(key: AccessKey): AccessKey {
    const hasExpired = key.expiresAt !== null && key.expiresAt <= this.clock.now();
    return { ...key, isActive: key.isActive && !hasExpired };
  }
}
