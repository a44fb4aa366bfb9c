import { Module } from '@nestjs/common';
import { type Call, keysApi, type KeysApi } from '../../../generated/contract';
import type {
  AccessKey,
  AccessKeySecret,
  SpendingLimits,
  SpendingLimitsRequest,
} from '../../../generated/types';
import {
  type AccessKeyEntity,
  AccessKeys,
  type KeyWithSecret,
  type LimitChange,
} from '../../accounts/access-keys';
import { type KeySpendingLimits, SpendingLimitsRepository } from '../../accounts/spending-limits';
import { Configuration } from '../../config/configuration';
import { Serves } from '../../contract/operation';
import { Conflict, NotFound, Unprocessable } from '../../errors/api-errors';
import { Ledger } from '../../ledger/ledger';
import { openPeriod } from '../../ledger/period';
import { exactUsdToNano, nanoToUsd } from '../../ledger/money';
import { Clock, readIsoTime } from '../../runtime/clock';
import { isId } from '../../runtime/ids';
import { inSnakeCase } from '../../runtime/json';

function toAccessKey(key: AccessKeyEntity, limits: KeySpendingLimits): AccessKey {
  return {
    ...inSnakeCase(key, 'id', 'name', 'isActive', 'createdAt', 'expiresAt', 'lastUsedAt'),
    key_value_preview: key.preview,
    limits: toSpendingLimits(limits),
  };
}

function toAccessKeySecret({ key, secret }: KeyWithSecret): AccessKeySecret {
  return { ...inSnakeCase(key, 'id', 'name', 'isActive', 'createdAt', 'expiresAt'), key_value: secret };
}

function toLimitChange(body: SpendingLimitsRequest): LimitChange {
  return {
    dailyLimitNano: toNano(body, 'daily_limit'),
    monthlyLimitNano: toNano(body, 'monthly_limit'),
    perRequestLimitNano: toNano(body, 'per_request_limit'),
    timezone: body.timezone,
  };
}

function toSpendingLimits(limits: KeySpendingLimits): SpendingLimits {
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

/** A limit lowered below the spending has 0 left, not less. */
function remaining(limitNanoUsd: bigint | null, spentNanoUsd: bigint): number | null {
  if (limitNanoUsd === null) {
    return null;
  }
  return limitNanoUsd > spentNanoUsd ? nanoToUsd(limitNanoUsd - spentNanoUsd) : 0;
}

/** `is_active` is false also for an expired key. When the end of a key is answered, its calls in flight have ended. */
@Serves(keysApi)
class KeysController implements KeysApi {
  constructor(
    private readonly keys: AccessKeys,
    private readonly limits: SpendingLimitsRepository,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly configuration: Configuration,
  ) {}

  async createKey({ account, body, idempotencyId }: Call<'createKey'>): Promise<AccessKeySecret> {
    const { name, expires_at: expiresAt = null } = body;
    const expiry = expiresAt === null ? null : (readIsoTime(expiresAt)?.time ?? null);
    if (expiry && expiry <= this.clock.now()) {
      throw new Unprocessable('expires_at lies in the past.');
    }
    const { environment } = this.configuration;
    const limits = body.limits === undefined ? {} : toLimitChange(body.limits);
    const order = { accountId: account.id, name, expiresAt: expiry, environment, idempotencyId, limits };
    return toAccessKeySecret(await this.keys.create(order));
  }

  async listKeys(call: Call<'listKeys'>): Promise<AccessKey[]> {
    const { account, query } = call;
    const asked = { ...query, ...openPeriod(query) };
    const { items, total } = await this.keys.inState(account.id, asked, query.status ?? null);
    const keys = await this.withLimits(account.id, items);
    call.setHeader('X-Total-Count', String(total));
    const offset = query.offset + keys.length;
    if (keys.length > 0 && offset < total) {
      const next = Object.entries({ ...query, offset }).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      call.setHeader('Link', `</api/keys?${new URLSearchParams(next).toString()}>; rel="next"`);
    }
    return keys;
  }

  async updateKey({ account, params, body }: Call<'updateKey'>): Promise<AccessKey> {
    return this.limited(account.id, await this.keys.rename(account.id, params.key_id, body.name));
  }

  async deleteKey({ account, params }: Call<'deleteKey'>): Promise<void> {
    await this.ending(account.id, params.key_id, () => this.keys.remove(account.id, params.key_id));
  }

  async revokeKey({ account, params }: Call<'revokeKey'>): Promise<AccessKey> {
    const revoke = () => this.keys.revoke(account.id, params.key_id);
    return this.limited(account.id, await this.ending(account.id, params.key_id, revoke));
  }

  async rotateKey({ account, params, body }: Call<'rotateKey'>): Promise<AccessKeySecret> {
    const { environment } = this.configuration;
    const order = {
      accountId: account.id,
      id: params.key_id,
      overlapSeconds: body.overlap_seconds,
      environment,
    };
    const rotated = await this.keys.rotate(order);
    return toAccessKeySecret({ ...rotated, key: this.keys.asOfNow(rotated.key) });
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

  private async limited(accountId: string, key: AccessKeyEntity): Promise<AccessKey> {
    const [limited] = await this.withLimits(accountId, [key]);
    if (!limited) {
      throw new NotFound('access key');
    }
    return limited;
  }

  private async withLimits(accountId: string, keys: readonly AccessKeyEntity[]): Promise<AccessKey[]> {
    if (keys.length === 0) {
      return [];
    }
    await this.ledger.show(accountId);
    const ids = keys.map(({ id }) => id);
    const limits = await this.limits.of(accountId, ids);
    return keys.flatMap((key) => {
      const ofKey = limits.get(key.id);
      return ofKey ? [toAccessKey(this.keys.asOfNow(key), ofKey)] : [];
    });
  }

  /** An "already ended" answer waits too: the call that ended the key may still be waiting. */
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
      if (isId(keyId) && (await this.keys.hasEnded(accountId, keyId))) {
        await this.ledger.endSilent(accountId);
      }
    }
  }
}

@Module({ controllers: [KeysController] })
export class KeysModule {}
