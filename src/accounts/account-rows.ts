import { isDeepStrictEqual } from 'node:util';
import type {
  ColumnOptions,
  DataSource,
  EntityManager,
  EntityMetadata,
  EntityTarget,
  FindOptionsWhere,
  ObjectLiteral,
  Repository,
} from 'typeorm';
import { AccountDatabases } from '../database/account-databases';
import {
  boundedPage,
  type Conditions,
  countOf,
  inPeriod,
  meeting,
  orderBy,
  pageOf,
  type PageSize,
  type RowPage,
} from '../database/bounded-statements';
import { Conflict, IdempotencyKeyUsed, NotFound } from '../errors/api-errors';
import { isId, newId } from '../runtime/ids';

/** As long as an Idempotency-Key is remembered: after that it means another call. */
export const RETRIED_FOR_MS = 24 * 60 * 60 * 1000;

/** @param callId the same for every retry; null without retries */
export function isRetryOf(
  made: { callId: string | null; at: Date },
  callId: string | null,
  now: Date,
): boolean {
  return callId !== null && made.callId === callId && now.getTime() - made.at.getTime() < RETRIED_FOR_MS;
}

export const bigintColumn: ColumnOptions = {
  type: 'bigint',
  transformer: {
    from: (text: string | null) => (text === null ? null : BigInt(text)),
    to: (value: bigint | null) => value?.toString() ?? value,
  },
};

interface RowKind<Row> {
  name: string;
  plural?: string;
  countMax?: number;
  /** The property that identifies a row within its account, and its values' form. */
  key?: keyof Row & string;
  isKey?: (text: string) => boolean;
  unlisted?: readonly (keyof Row)[];
  size?: PageSize;
}

export interface ListQuery {
  start: Date | null;
  end: Date | null;
  limit: number;
  offset: number;
  sort?: string;
  order: 'asc' | 'desc';
}

export interface BoundedRowPage<Entry> extends RowPage<Entry> {
  truncated: boolean;
}

/** Every statement filters by account, so another account's row is never found. */
export class AccountRows<
  Row extends ObjectLiteral & { accountId: string; createdAt: Date },
  Entry extends object = Row,
> {
  constructor(
    protected readonly databases: AccountDatabases,
    private readonly entity: EntityTarget<Row>,
    private readonly kind: RowKind<Row>,
  ) {}

  protected repository(accountId: string): Repository<Row> {
    return this.databases.of(accountId).getRepository(this.entity);
  }

  async find(accountId: string, id: string): Promise<Row | null> {
    return this.isKey(id) ? this.repository(accountId).findOneBy(this.named(accountId, id)) : null;
  }

  /** @throws NotFound */
  async get(accountId: string, id: string): Promise<Row> {
    return (await this.find(accountId, id)) ?? this.missing();
  }

  async list(
    accountId: string,
    query: ListQuery,
    conditions: Conditions = {},
  ): Promise<BoundedRowPage<Entry>> {
    return this.readPage(
      this.databases.of(accountId),
      query,
      owned(accountId, meeting({ ...conditions, ...inPeriod(query) })),
    );
  }

  protected async listAll(query: ListQuery, conditions: Conditions): Promise<BoundedRowPage<Entry>> {
    return this.readPage(this.databases.everyone, query, meeting({ ...conditions, ...inPeriod(query) }));
  }

  /** Locks the account to the end, or simultaneous creations would not count each other. @throws Conflict */
  async insertWithinCap(manager: EntityManager, row: Row): Promise<void> {
    const { accountId } = row;
    await lockAccount(manager, accountId);
    await this.refuseAtCap(accountId, manager);
    await manager.insert(this.entity, row);
  }

  /** Returns the row of an earlier try, if RETRIED_FOR_MS is not over. @throws Conflict; IdempotencyKeyUsed */
  async insertOnce(
    manager: EntityManager,
    row: Row & { id: string },
    requested: Readonly<Partial<Row>>,
  ): Promise<Row> {
    await lockAccount(manager, row.accountId);
    const earlier = await manager.findOneBy(this.entity, this.named(row.accountId, row.id));
    if (earlier && row.createdAt.getTime() - earlier.createdAt.getTime() < RETRIED_FOR_MS) {
      if (!isDeepStrictEqual({ ...earlier, ...requested }, { ...earlier })) {
        throw new IdempotencyKeyUsed();
      }
      return earlier;
    }
    const created = earlier ? { ...row, id: newId() } : row;
    await this.refuseAtCap(row.accountId, manager);
    await manager.insert(this.entity, created);
    return created;
  }

  /** @throws Conflict */
  async refuseAtCap(accountId: string, manager = this.databases.of(accountId).manager): Promise<void> {
    const { plural, countMax = Infinity } = this.kind;
    if ((await manager.countBy(this.entity, { accountId } as FindOptionsWhere<Row>)) >= countMax) {
      throw new Conflict(`An account has at most ${countMax} ${plural}; delete one first.`);
    }
  }

  /** Locked until the transaction ends. @throws NotFound */
  async locked(manager: EntityManager, accountId: string, id: string): Promise<Row> {
    const lock = { mode: 'for_no_key_update' } as const;
    const where = this.named(accountId, id);
    return (this.isKey(id) && (await manager.findOne(this.entity, { where, lock }))) || this.missing();
  }

  /** Locks the row; if `decide` throws, nothing is changed. @throws NotFound */
  async update(accountId: string, id: string, decide: (row: Row) => Partial<Row>): Promise<Row> {
    return this.transaction(accountId, async (manager) => {
      const row = await this.locked(manager, accountId, id);
      const change = decide(row);
      // `save` would compare JSON by a stored `hasOwnProperty` member, if there is one.
      await manager.update(this.entity, this.named(accountId, id), change);
      return { ...row, ...change };
    });
  }

  protected async transaction<Result>(
    accountId: string,
    change: (manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    return this.databases.of(accountId).transaction(change);
  }

  /** @throws NotFound */
  async remove(accountId: string, id: string): Promise<void> {
    if (
      !this.isKey(id) ||
      (await this.repository(accountId).delete(this.named(accountId, id))).affected !== 1
    ) {
      this.missing();
    }
  }

  private get metadata(): EntityMetadata {
    return this.databases.everyone.getMetadata(this.entity);
  }

  private isKey(text: string): boolean {
    return (this.kind.isKey ?? isId)(text);
  }

  private named(accountId: string, id: string): FindOptionsWhere<Row> {
    return { accountId, [this.kind.key ?? 'id']: id } as FindOptionsWhere<Row>;
  }

  protected missing(): never {
    throw new NotFound(this.kind.name);
  }

  private async readPage(
    database: DataSource,
    { limit, offset, sort = 'created_at', order }: ListQuery,
    { where, values }: Chosen,
  ): Promise<BoundedRowPage<Entry>> {
    const { tableName, columns, connection } = this.metadata;
    const total = await countOf(database, `${tableName} WHERE ${where}`, values);
    const listed = columns.filter(({ propertyName }) => !this.kind.unlisted?.includes(propertyName));
    const names = listed.map(({ databaseName }) => databaseName).join(', ');
    const aliases = listed.map(({ databaseName, propertyName }) => `${databaseName} AS "${propertyName}"`);
    const inOrder = this.inOrder(sort, order);
    const bounds = `LIMIT $${values.length + 1} OFFSET $${values.length + 2}`;
    const rows = (selected: string) =>
      `SELECT ${selected} FROM ${tableName} WHERE ${where} ORDER BY ${inOrder} ${bounds}`;
    const { size } = this.kind;
    const sql = size
      ? boundedPage({ ...size, rows: rows(names), order: inOrder, columns: aliases.join(', ') })
      : rows(aliases.join(', '));
    const found: (Entry & { listed: number })[] = await database.query(sql, [...values, limit, offset]);
    for (const column of listed.filter(({ transformer }) => transformer)) {
      for (const row of found as ObjectLiteral[]) {
        const value: unknown = connection.driver.prepareHydratedValue(row[column.propertyName], column);
        row[column.propertyName] = value;
      }
    }
    const { items, isTruncated } = size ? pageOf<Entry>(found) : { items: found, isTruncated: false };
    return { items, total, limit: isTruncated ? items.length : limit, offset, truncated: isTruncated };
  }

  private inOrder(sort: string, order: 'asc' | 'desc'): string {
    const key = this.metadata.findColumnWithPropertyName(this.kind.key ?? 'id');
    const sorted = this.metadata.findColumnWithDatabaseName(sort);
    if (!key || !sorted) {
      throw new Error(`${this.metadata.tableName} cannot be sorted by ${sort}`);
    }
    return orderBy(sort, order, sorted.isNullable, key.databaseName);
  }
}

/** Until the transaction ends, so that others who store for the account wait. */
export async function lockAccount(manager: Pick<EntityManager, 'query'>, accountId: string): Promise<void> {
  await manager.query('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
}

interface Chosen {
  where: string;
  values: unknown[];
}

/** The owner's condition is never left out: an unknown one has no rows. */
function owned(accountId: string, { where, values }: Chosen): Chosen {
  return { where: `${where} AND account_id = $${values.length + 1}`, values: [...values, accountId] };
}
