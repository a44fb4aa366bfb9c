import { Injectable } from '@nestjs/common';
import { AccountDatabases } from '../database/account-databases';
import { asProperties, type StoredRow, withBigints } from '../database/bounded-statements';
import { ProcessRegister } from '../database/process-register';
import { Conflict, NotFound } from '../errors/api-errors';
import { Clock } from '../runtime/clock';
import { isId } from '../runtime/ids';
import { asKnownZone, type LimitChange, refuseDailyAboveMonthly } from './access-keys';

/** Sums are of the present day and month in the key's time zone. */
export interface KeySpendingLimits {
  dailyLimitNano: bigint | null;
  monthlyLimitNano: bigint | null;
  perRequestLimitNano: bigint | null;
  timezone: string;
  daySpentNano: bigint;
  monthSpentNano: bigint;
  dayResetsAt: Date;
  monthResetsAt: Date;
}

/** Past days' and months' sums read as zero, so no job resets them. Unused leases are no spending. */
@Injectable()
export class SpendingLimitsRepository {
  constructor(
    private readonly databases: AccountDatabases,
    private readonly clock: Clock,
    private readonly register: ProcessRegister,
  ) {}

  /** @throws NotFound */
  async get(accountId: string, keyId: string): Promise<KeySpendingLimits> {
    const [limits] = isId(keyId) ? (await this.of(accountId, [keyId])).values() : [];
    if (!limits) {
      throw new NotFound('access key');
    }
    return limits;
  }

  async of(accountId: string, keyIds: readonly string[]): Promise<Map<string, KeySpendingLimits>> {
    const database = this.databases.of(accountId);
    const rows: (LimitsRow & { id: string })[] = await database.query(READ, [
      keyIds,
      accountId,
      this.clock.now(),
    ]);
    return new Map(rows.map(({ id, ...row }) => [id, limitsOf(row)]));
  }

  /**
   * @throws NotFound; Conflict for a playground key; Unprocessable for a daily limit above the monthly one;
   * ValidationFailed for an unknown time zone
   */
  async set(
    accountId: string,
    keyId: string,
    change: LimitChange,
    resets = false,
  ): Promise<KeySpendingLimits> {
    if (!isId(keyId)) {
      throw new NotFound('access key');
    }
    await this.refusePlayground(accountId, keyId);
    const { dailyLimitNano, monthlyLimitNano, perRequestLimitNano, timezone = null } = change;
    const limits = [dailyLimitNano, monthlyLimitNano, perRequestLimitNano];
    const sets = limits.map((limit) => limit !== undefined);
    const values = limits.map((limit) => limit?.toString() ?? null);
    const changed = await this.register.changingWithin(accountId, async (manager, announce) => {
      // The locking statement is last, so that the ledger waits only for it and the commit.
      await announce(manager);
      const now = this.clock.now();
      const parameters = [keyId, accountId, now, timezone, sets, values, resets];
      const [row] = await manager.query<LimitsRow[]>(CHANGE, parameters).catch(asKnownZone);
      if (!row) {
        throw new NotFound('access key');
      }
      const limits = limitsOf(row);
      refuseDailyAboveMonthly(limits.dailyLimitNano, limits.monthlyLimitNano);
      return limits;
    });
    // All leases are back by now, so these sums are what calls spent and hold.
    const [{ daySpentNano, monthSpentNano } = changed] = (await this.of(accountId, [keyId])).values();
    return { ...changed, daySpentNano, monthSpentNano };
  }

  /** The sums stay and count again under new limits. @throws NotFound, Conflict as set */
  async remove(accountId: string, keyId: string): Promise<void> {
    await this.set(accountId, keyId, NO_LIMITS);
  }

  /** Calls in flight will not be added to the sums either. @throws NotFound, Conflict as set */
  async reset(accountId: string, keyId: string): Promise<KeySpendingLimits> {
    return this.set(accountId, keyId, {}, true);
  }

  /** The cap of a playground key is fixed when it is made. */
  private async refusePlayground(accountId: string, keyId: string): Promise<void> {
    const found: unknown[] = await this.databases.of(accountId).query(PLAYGROUND, [keyId, accountId]);
    if (found.length > 0) {
      throw new Conflict(
        'The limits of a key of the playground stay as it was made. Make another one, or an access key.',
      );
    }
  }
}

const NO_LIMITS: LimitChange = { dailyLimitNano: null, monthlyLimitNano: null, perRequestLimitNano: null };

const PLAYGROUND = 'SELECT FROM access_keys WHERE id = $1 AND account_id = $2 AND is_playground';

const LIMITS = asProperties(
  `daily_limit_nano, monthly_limit_nano, per_request_limit_nano, timezone, day_spent_nano, month_spent_nano, day_resets_at,
  month_resets_at`,
);

const READ = `
  SELECT key_id AS id, ${LIMITS} FROM unnest($1::uuid[]) AS key_id, LATERAL key_limits(key_id, $2, $3)`;

const CHANGE = `SELECT ${LIMITS} FROM key_limits_change($1, $2, $3, $4, $5, $6, $7)`;

type LimitsRow = StoredRow<KeySpendingLimits>;

function limitsOf(row: LimitsRow): KeySpendingLimits {
  const limits = withBigints(row, 'dailyLimitNano', 'monthlyLimitNano', 'perRequestLimitNano');
  return withBigints(limits, 'daySpentNano', 'monthSpentNano');
}
