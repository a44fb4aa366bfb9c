import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { AccountDatabases } from '../database/account-databases';
import { inBatches } from '../database/bounded-statements';
import { longQuery } from '../database/connection-pool';
import { Conflict } from '../errors/api-errors';
import { DAY_MS } from '../runtime/clock';
import { nanoToUsd } from './money';
import { type AccountCall, callOf, type CallReceipt, type CallRow, RECEIPT_COLUMNS } from './call-list';
import {
  type Breakdown,
  readTotalsSince,
  readUsage,
  type UsageDimension,
  type UsageGroup,
  type UsageQuestion,
  type UsageTotals,
} from './period-sums';

@Injectable()
export class UsageLog {
  constructor(private readonly databases: AccountDatabases) {}

  /** Read at one moment. At most the newest 1,000 days, or the 1,000 costliest of other groups. */
  async usage<By extends UsageDimension>(question: UsageQuestion<By>): Promise<Breakdown<By>> {
    return readUsage(this.databases.of(question.accountId), question);
  }

  async totalsSince(accountId: string, starts: readonly Date[]): Promise<UsageTotals[]> {
    return readTotalsSince(this.databases.of(accountId), accountId, starts);
  }

  async keyRecords(accountId: string, groups: readonly UsageGroup[]) {
    const rows: { id: string; name: string }[] = await this.databases
      .of(accountId)
      .query('SELECT id, name FROM access_keys WHERE account_id = $1 AND id = ANY($2::uuid[])', [
        accountId,
        groups.map(({ name }) => name),
      ]);
    const names = new Map<string | null, string>(rows.map(({ id, name }) => [id, name]));
    return groups.map(({ name: keyId, requests, costNanoUsd }) => ({
      key_id: keyId,
      name: names.get(keyId) ?? null,
      requests,
      cost: nanoToUsd(costNanoUsd),
    }));
  }

  /** By request id, else the newest call with this id from its caller; null for none. */
  async receipt(accountId: string, requestId: string): Promise<CallReceipt | null> {
    const found =
      (await this.find('request_id', requestId, accountId)) ??
      (await this.find('client_request_id', requestId, accountId));
    return found?.receipt ?? null;
  }

  /** Does not guess whose: callers choose ids freely. @throws Conflict for calls of several accounts */
  async receiptOfAnyone(requestId: string): Promise<AccountCall | null> {
    const ours = await this.find('request_id', requestId);
    if (ours !== null || isUnstorable(requestId)) {
      return ours;
    }
    const { everyone } = this.databases;
    const gave: { account_id: string }[] = await everyone.query(ACCOUNTS_THAT_GAVE, [requestId]);
    const [account, ...others] = gave;
    if (!account) {
      return null;
    }
    if (others.length > 0) {
      throw new Conflict(
        'Calls of several accounts were given this id by their callers; name the account by user_id.',
      );
    }
    return this.find('client_request_id', requestId, account.account_id);
  }

  private async find(
    column: 'request_id' | 'client_request_id',
    requestId: string,
    accountId?: string,
  ): Promise<AccountCall | null> {
    if (isUnstorable(requestId)) {
      return null;
    }
    const [database, owned, values] =
      accountId === undefined
        ? [this.databases.everyone, '', [requestId]]
        : [this.databases.of(accountId), ' AND account_id = $2', [requestId, accountId]];
    const [row]: CallRow[] = await database.query(receiptWhere(`${column} = $1${owned}`), values);
    return row === undefined ? null : callOf(row);
  }

  /** An existing row stays. @throws UsageRowsLost after those of all schemas were tried */
  async insertUncharged(calls: UnchargedCall[]): Promise<void> {
    let lost = 0;
    let cause: unknown;
    for (const [database, together] of this.databases.split(calls)) {
      try {
        await database.query(INSERT_UNCHARGED, [JSON.stringify(together)]);
      } catch (error) {
        lost += together.length;
        cause = error;
      }
    }
    if (lost > 0) {
      throw new UsageRowsLost(lost, cause);
    }
  }
}

export class UsageRowsLost extends Error {
  constructor(
    readonly count: number,
    cause: unknown,
  ) {
    super(`${count} rows were not written`, { cause });
  }
}

type OfReceipt =
  'requestId' | 'clientRequestId' | 'operation' | 'keyId' | 'price' | 'priceVersion' | 'createdAt';

export interface UnchargedCall extends Pick<CallReceipt, OfReceipt> {
  id: string;
  accountId: string;
  outcome: 'settled' | 'released' | 'refused';
  status: number;
  completedAt: Date;
}

// The index's first and last account show whether there are two, without reading the calls between them.
const ACCOUNTS_THAT_GAVE = `
  (SELECT account_id FROM calls WHERE client_request_id = $1 ORDER BY account_id LIMIT 1)
  UNION
  (SELECT account_id FROM calls WHERE client_request_id = $1 ORDER BY account_id DESC LIMIT 1)
  UNION
  (SELECT DISTINCT account_id FROM reservations WHERE client_request_id = $1 LIMIT 2)`;

function isUnstorable(requestId: string): boolean {
  return requestId.includes('\0');
}

function receiptWhere(condition: string): string {
  return `
    (SELECT ${RECEIPT_COLUMNS}
    FROM calls WHERE ${condition} ORDER BY created_at DESC LIMIT 1)
    UNION ALL
    SELECT account_id, request_id, client_request_id, operation, key_id, NULL, 'in_flight', NULL, price, price_version, 0,
      0, 0, 0, amount_nano, 0, NULL, NULL, created_at, NULL
    FROM reservations WHERE ${condition}
    ORDER BY "createdAt" DESC LIMIT 1`;
}

const INSERT_UNCHARGED = `
  INSERT INTO calls (id, account_id, key_id, request_id, operation, outcome, status, price, price_version,
    created_at, completed_at, client_request_id, latency_ms)
  SELECT call.*, greatest(0, least(extract(epoch FROM "completedAt" - "createdAt") * 1000, 2147483647))::integer
  FROM json_to_recordset($1) AS call (id uuid, "accountId" uuid, "keyId" uuid, "requestId" text, operation text, outcome text,
    status integer, price text, "priceVersion" text, "createdAt" timestamptz, "completedAt" timestamptz, "clientRequestId" text)
  ORDER BY id
  ON CONFLICT DO NOTHING`;

const BATCH_MS_MAX = 30_000;
const BATCHES = { sizeMax: 5000, batchesMax: 400 };
const REST_WITHOUT_CALLS_MS = 5_000;
const ROLL_UPS = { sizeMax: 20_000, batchesMax: 50 };

@Injectable()
export class UsageDays implements OnModuleInit {
  private restsUntilMs = -Infinity;

  constructor(private readonly databases: AccountDatabases) {}

  /** Before calls are written: a restored database's numbers may exceed its new cluster's transaction ids. */
  async onModuleInit(): Promise<void> {
    await this.databases.inEach((database) => longQuery(database, STEP_MS_MAX, 'SELECT usage_renumber()'));
  }

  async addFinishedHours(now: Date, signal?: AbortSignal): Promise<number> {
    return inBatches({ ...BATCHES, signal }, (hoursMax) => this.addHours(now, hoursMax));
  }

  /** At most every five seconds after a roll-up found nothing: reports read calls without sums themselves. */
  async rollUpAtIntervals(signal?: AbortSignal): Promise<void> {
    if (performance.now() >= this.restsUntilMs && (await this.rollUp(signal)) === 0) {
      this.restsUntilMs = performance.now() + REST_WITHOUT_CALLS_MS;
    }
  }

  async rollUp(signal?: AbortSignal): Promise<number> {
    return inBatches({ ...ROLL_UPS, signal }, (callsMax) =>
      this.inEachSchema('SELECT usage_roll_up($1) AS count', [callsMax]),
    );
  }

  /** Makes daily sums where usage hours are dropped (UsagePartitions.keepHours). */
  async foldLedgerHours(signal?: AbortSignal): Promise<void> {
    await inBatches({ ...BATCHES, signal }, (rowsMax) =>
      this.inEachSchema('SELECT ledger_hours_fold($1) AS count', [rowsMax]),
    );
  }

  /** Reports add hours that are not marked as added, so they are always exact. Hours being written wait. */
  async addHours(now: Date, hoursMax: number): Promise<number> {
    const today = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
    return this.inEachSchema(ADD_HOURS, [today, hoursMax]);
  }

  private async inEachSchema(sql: string, values: unknown[]): Promise<number> {
    return this.databases.sumInEach(async (database) => {
      const [row] = await longQuery<{ count: string }>(database, BATCH_MS_MAX, sql, values);
      return Number(row?.count ?? 0);
    });
  }
}

const KEY = 'account_id, day, key_id, operation, price, model';

const ADD_HOURS = `
  WITH open AS MATERIALIZED (
    SELECT tableoid AS part, ctid AS place FROM usage_hours WHERE NOT in_day AND hour < $1
    ORDER BY account_id, hour LIMIT $2 FOR UPDATE SKIP LOCKED
  ), added AS (
    UPDATE usage_hours AS u SET in_day = true
    WHERE ctid = ANY (ARRAY(SELECT place FROM open)) AND (u.tableoid, u.ctid) IN (SELECT part, place FROM open)
    RETURNING account_id, date_bin('1 day', hour, '2000-01-01T00:00Z') AS day, key_id, operation, price,
      model, requests, successful, tokens, cost_nano
  ), days AS (
    INSERT INTO usage_days AS u (${KEY}, requests, successful, tokens, cost_nano)
    SELECT ${KEY}, sum(requests), sum(successful), sum(tokens), sum(cost_nano)
    FROM added GROUP BY ${KEY} ORDER BY ${KEY}
    ON CONFLICT (${KEY}) DO UPDATE SET requests = u.requests + excluded.requests,
      successful = u.successful + excluded.successful, tokens = u.tokens + excluded.tokens,
      cost_nano = u.cost_nano + excluded.cost_nano
  )
  SELECT count(*) AS count FROM added`;

const STEP_MS_MAX = 10 * 60 * 1000;
/** Any number that is used for no other lock. */
const PARTITIONS_LOCK = 7_310_002;

/** The time in a call's id decides its month, by the machine's clock, not the injected one. */
@Injectable()
export class UsagePartitions {
  constructor(private readonly databases: AccountDatabases) {}

  /**
   * Makes this month's, the next three and those of calls in the default partition; drops those that ended `monthsKept`
   * months ago. Waits at most a second for a lock, so that no calls queue behind it; the next run retries.
   */
  async keep(now: Date, monthsKept: number): Promise<Record<'added' | 'dropped', string[]>> {
    const [month, oldest] = [monthOf(now, 0), monthOf(now, -monthsKept)];
    const [added, dropped]: [string[], string[]] = [[], []];
    await this.databases.inEach(async (database) => {
      const missing = await this.alone<{ month: string }>(database, MISSING, month);
      for (const { month: name } of missing) {
        const rows = await this.alone<{ is_new: boolean }>(database, ADD_PARTITION, name);
        added.push(...rows.filter((row) => row.is_new).map(() => name));
      }
      const rows = await this.alone<{ dropped: string }>(database, DROP_PARTITIONS, oldest);
      dropped.push(...rows.map((row) => row.dropped));
    });
    return { added, dropped };
  }

  /** Hours are kept for `daysKept` days and until their month has ended. Returns the partitions changed. */
  async keepHours(now: Date, daysKept: number): Promise<string[]> {
    const oldest = new Date(now.getTime() - daysKept * DAY_MS);
    const months = [monthOf(now, 0), monthOf(oldest, 0)];
    const rows = await this.databases.inEach((database) =>
      this.alone<{ changed: string }>(database, KEEP_HOURS, ...months),
    );
    return rows.flat().map(({ changed }) => changed);
  }

  /** If another replica is running a step, that one does the work. */
  private async alone<Row>(database: DataSource, sql: string, ...months: string[]): Promise<Row[]> {
    return this.databases.changeTables(database, STEP_MS_MAX, async ({ manager }) => {
      const [lock]: { taken: boolean }[] = await manager.query(
        'SELECT pg_try_advisory_xact_lock($1) AS taken',
        [PARTITIONS_LOCK],
      );
      return lock?.taken ? manager.query<Row[]>(sql, months) : [];
    });
  }
}

const ADD_PARTITION = 'SELECT calls_add_partition($1::date) AS is_new';
const DROP_PARTITIONS = 'SELECT calls_drop_partitions($1::date) AS dropped';
const KEEP_HOURS = 'SELECT usage_hours_keep($1::date, $2::date) AS changed';

function monthOf(time: Date, months: number): string {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months, 1)).toISOString().slice(0, 10);
}

const MISSING = `
  WITH bounds AS (
    SELECT pg_get_expr(c.relpartbound, c.oid) AS text FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'calls'::regclass
  ), ranges AS (
    SELECT substring(text FROM 'FROM \\(''([0-9a-f-]{36})''\\)')::uuid AS first,
      substring(text FROM 'TO \\(''([0-9a-f-]{36})''\\)')::uuid AS past
    FROM bounds
  ), months AS (
    SELECT month::date FROM generate_series($1::date, $1::date + interval '3 months', '1 month') AS month
    UNION
    SELECT (date_trunc('month', to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0),
      'UTC') AT TIME ZONE 'UTC')::date
    FROM calls_default WHERE id < calls_partition_bound($1::date)
  )
  SELECT month::text FROM months WHERE NOT EXISTS (
    SELECT FROM ranges WHERE calls_partition_bound(month) < past
      AND (first IS NULL OR calls_partition_bound(month) >= first))
  ORDER BY month`;
