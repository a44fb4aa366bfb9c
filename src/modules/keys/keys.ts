import { Injectable, Module } from '@nestjs/common';
import { type Call, keysApi, type KeysApi } from '../../../generated/contract';
import type {
  AccessKey,
  AccessKeySecret,
  AccessKey as AccessKeyView,
  ListKeysQuery,
  SpendingLimits,
  SpendingLimitsRequest,
  SpendingLimits as SpendingLimitsView,
} from '../../../generated/types';
import { type AccessKeyEntity, AccessKeys, type KeyWithSecret } from '../../accounts/access-keys';
import {
  type KeySpendingLimits,
  type LimitChange,
  SpendingLimitsRepository,
} from '../../accounts/spending-limits';
import { Configuration } from '../../config/configuration';
import { Serves } from '../../contract/operation';
import { Conflict, NotFound, Unprocessable } from '../../errors/api-errors';
import { Ledger } from '../../ledger/ledger';
import { openPeriod } from '../../ledger/period';
import { exactUsdToNano, nanoToUsd } from '../../ledger/money';
import { Clock, readIsoTime } from '../../runtime/clock';
import { isId } from '../../runtime/ids';
import { inSnakeCase } from '../../runtime/snake-case';

interface LimitedKey {
  key: AccessKeyEntity;
  limits: KeySpendingLimits;
}

/**
 * An account's keys as its owner manages them; `isActive` is false also where a key has expired. A change is in force on all
 * processes before it is answered, and whatever a key had in flight has ended when its end is answered.
 */
@Injectable()
class KeysService {
  constructor(
    private readonly keys: AccessKeys,
    private readonly limits: SpendingLimitsRepository,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly configuration: Configuration,
  ) {}

  /** @throws Unprocessable for a time of expiry that has passed, and for limits that can't be set */
  async create({ account, body, idempotencyId }: Call<'createKey'>): Promise<KeyWithSecret> {
    const { name, expires_at: expiresAt = null } = body;
    const expiry = expiresAt === null ? null : (readIsoTime(expiresAt)?.time ?? null);
    if (expiry && expiry <= this.clock.now()) {
      throw new Unprocessable('expires_at lies in the past.');
    }
    const { environment } = this.configuration;
    const limits = body.limits === undefined ? {} : toLimitChange(body.limits);
    await this.limits.check(limits);
    return this.keys.create({
      accountId: account.id,
      name,
      expiresAt: expiry,
      environment,
      idempotencyId,
      limits,
    });
  }

  /** @throws Unprocessable when the period would end before it starts */
  async list(accountId: string, query: ListKeysQuery): Promise<{ keys: LimitedKey[]; total: number }> {
    const asked = { ...query, ...openPeriod(query) };
    const { items, total } = await this.keys.inState(accountId, asked, query.status ?? null);
    return { keys: await this.withLimits(accountId, items), total };
  }

  async rename(accountId: string, keyId: string, name: string): Promise<LimitedKey> {
    return this.limited(accountId, await this.keys.rename(accountId, keyId, name));
  }

  async revoke(accountId: string, keyId: string): Promise<LimitedKey> {
    const revoked = await this.ending(accountId, keyId, () => this.keys.revoke(accountId, keyId));
    return this.limited(accountId, revoked);
  }

  private async limited(accountId: string, key: AccessKeyEntity): Promise<LimitedKey> {
    const [limited] = await this.withLimits(accountId, [key]);
    if (!limited) {
      throw new NotFound('access key');
    }
    return limited;
  }

  /** In the order of the keys; one that was deleted meanwhile is left out. */
  private async withLimits(accountId: string, keys: readonly AccessKeyEntity[]): Promise<LimitedKey[]> {
    if (keys.length === 0) {
      return [];
    }
    await this.ledger.show(accountId);
    const limits = await this.limits.of(
      accountId,
      keys.map(({ id }) => id),
    );
    return keys.flatMap((key) => {
      const ofKey = limits.get(key.id);
      return ofKey ? [{ key: this.asOfNow(key), limits: ofKey }] : [];
    });
  }

  async remove(accountId: string, keyId: string): Promise<void> {
    await this.ending(accountId, keyId, () => this.keys.remove(accountId, keyId));
  }

  async rotate(accountId: string, keyId: string, overlapSeconds: number): Promise<KeyWithSecret> {
    const { environment } = this.configuration;
    const rotated = await this.keys.rotate({ accountId, id: keyId, overlapSeconds, environment });
    return { ...rotated, key: this.asOfNow(rotated.key) };
  }

  /** Whoever is told that the key has ended already may rely on it too: the first to end it may still wait. */
  private async ending<Result>(
    accountId: string,
    keyId: string,
    end: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await end();
    } catch (error) {
      if (error instanceof Conflict) {
        await this.keys.ended(accountId);
      }
      throw error;
    } finally {
      if (isId(keyId) && (await this.keys.hasEnded(keyId))) {
        await this.ledger.endSilent(accountId);
      }
    }
  }

  private asOfNow(key: AccessKeyEntity): AccessKeyEntity {
    const hasExpired = key.expiresAt !== null && key.expiresAt <= this.clock.now();
    return { ...key, isActive: key.isActive && !hasExpired };
  }
}

function toAccessKey({ key, limits }: LimitedKey): AccessKeyView {
  return {
    ...inSnakeCase(key, 'id', 'name', 'isActive', 'createdAt', 'expiresAt', 'lastUsedAt'),
    key_value_preview: key.preview,
    limits: toSpendingLimits(limits),
  };
}

function toAccessKeySecret({ key, secret }: KeyWithSecret): AccessKeySecret {
  return { ...inSnakeCase(key, 'id', 'name', 'isActive', 'createdAt', 'expiresAt'), key_value: secret };
}

/** @throws Unprocessable for a limit that is finer than the ledger counts */
function toLimitChange(body: SpendingLimitsRequest): LimitChange {
  return {
    dailyLimitNano: toNano(body, 'daily_limit'),
    monthlyLimitNano: toNano(body, 'monthly_limit'),
    perRequestLimitNano: toNano(body, 'per_request_limit'),
    timezone: body.timezone,
  };
}

function toSpendingLimits(limits: KeySpendingLimits): SpendingLimitsView {
  return {
    daily_limit: toUsd(limits.dailyLimitNano),
    monthly_limit: toUsd(limits.monthlyLimitNano),
    per_request_limit: toUsd(limits.perRequestLimitNano),
    timezone: limits.timezone,
    daily_spent: nanoToUsd(limits.daySpentNano),
    monthly_spent: nanoToUsd(limits.monthSpentNano),
    daily_remaining: remaining(limits.dailyLimitNano, limits.daySpentNano),
    monthly_remaining: remaining(limits.monthlyLimitNano, limits.monthSpentNano),
    daily_resets_at: limits.dayResetsAt.toISOString(),
    monthly_resets_at: limits.monthResetsAt.toISOString(),
  };
}

function toNano(
  body: SpendingLimitsRequest,
  field: 'daily_limit' | 'monthly_limit' | 'per_request_limit',
): bigint | null | undefined {
  const usd = body[field];
  return typeof usd === 'number' ? exactUsdToNano(usd, field) : usd;
}

function toUsd(nanoUsd: bigint | null): number | null {
  return nanoUsd === null ? null : nanoToUsd(nanoUsd);
}

/** A limit that was lowered below what is spent has nothing left, not less than nothing. */
function remaining(limitNanoUsd: bigint | null, spentNanoUsd: bigint): number | null {
  if (limitNanoUsd === null) {
    return null;
  }
  return limitNanoUsd > spentNanoUsd ? nanoToUsd(limitNanoUsd - spentNanoUsd) : 0;
}

@Serves(keysApi)
class KeysController implements KeysApi {
  constructor(
    private readonly keys: KeysService,
    private readonly limits: SpendingLimitsRepository,
    private readonly ledger: Ledger,
  ) {}

  async createKey(call: Call<'createKey'>): Promise<AccessKeySecret> {
    return toAccessKeySecret(await this.keys.create(call));
  }

  async listKeys(call: Call<'listKeys'>): Promise<AccessKey[]> {
    const { account, query } = call;
    const { keys, total } = await this.keys.list(account.id, query);
    call.setHeader('X-Total-Count', String(total));
    const offset = query.offset + keys.length;
    if (keys.length > 0 && offset < total) {
      const next = Object.entries({ ...query, offset }).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      call.setHeader('Link', `</api/keys?${new URLSearchParams(next).toString()}>; rel="next"`);
    }
    return keys.map(toAccessKey);
  }

  async updateKey({ account, params, body }: Call<'updateKey'>): Promise<AccessKey> {
    return toAccessKey(await this.keys.rename(account.id, params.key_id, body.name));
  }

  async deleteKey({ account, params }: Call<'deleteKey'>): Promise<void> {
    await this.keys.remove(account.id, params.key_id);
  }

  async revokeKey({ account, params }: Call<'revokeKey'>): Promise<AccessKey> {
    return toAccessKey(await this.keys.revoke(account.id, params.key_id));
  }

  async rotateKey({ account, params, body }: Call<'rotateKey'>): Promise<AccessKeySecret> {
    return toAccessKeySecret(await this.keys.rotate(account.id, params.key_id, body.overlap_seconds));
  }

  async setKeyLimits({ account, params, body }: Call<'setKeyLimits'>): Promise<SpendingLimits> {
    return toSpendingLimits(await this.limits.set(account.id, params.key_id, toLimitChange(body)));
  }

  async getKeyLimits({ account, params }: Call<'getKeyLimits'>): Promise<SpendingLimits> {
    await this.ledger.show(account.id);
    return toSpendingLimits(await this.limits.get(account.id, params.key_id));
  }

  async deleteKeyLimits({ account, params }: Call<'deleteKeyLimits'>): Promise<void> {
    await this.limits.remove(account.id, params.key_id);
  }

  async resetKeyLimits({ account, params }: Call<'resetKeyLimits'>): Promise<SpendingLimits> {
    return toSpendingLimits(await this.limits.reset(account.id, params.key_id));
  }
}

@Module({ controllers: [KeysController], providers: [KeysService] })
export class KeysModule {}
