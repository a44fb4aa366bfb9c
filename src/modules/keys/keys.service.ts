import { Injectable } from '@nestjs/common';
import { Configuration } from '../../config/configuration';
import type { AccessKey } from '../../core/access/access-keys/access-key.entity';
import { AccessKeys, type KeyWithSecret } from '../../core/access/access-keys/access-keys.repository';
import { KeyDirectory } from '../../core/access/access-keys/key-directory';
import {
  SpendingLimitsRepository,
  type LimitChange,
  type SpendingLimits,
} from '../../core/access/access-keys/spending-limits.repository';
import { Unprocessable } from '../../core/errors/request-errors';
import { Clock } from '../../infrastructure/clock/clock';

/** An account's keys as its owner manages them. A change is in force on this replica before it is answered. */
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
    const expiry = expiresAt === null ? null : new Date(expiresAt);
    if (expiry && expiry <= this.clock.now()) {
      throw new Unprocessable('expires_at lies in the past.');
    }
    const { environment } = this.configuration;
    return this.keys.create({ accountId, name, expiresAt: expiry, environment });
  }

  async list(accountId: string, page: { limit: number; offset: number }): Promise<AccessKey[]> {
    return this.keys.list(accountId, page);
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
    return rotated;
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
}
