import { randomInt } from 'node:crypto';
import { EventEmitter } from 'node:events';
import pg, { type PoolClient } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions';
import { presentMs } from '../runtime/clock';
import { newId } from '../runtime/ids';
import { addTo } from '../runtime/collections';
import { callBack, type ConnectCallback, type ReconnectingPool, withLongStatements } from './connection-pool';
import { accountSchema, ALL_ACCOUNTS_SCHEMA } from './account-schemas';
import { type BatchBounds, deleteInBatches } from './bounded-statements';
import { brokenUniqueness, DatabaseUnreachable } from './driver-errors';
import { shardPath } from './shard-schema';
import { SchemaPlaces } from './schema-places';

/** UUID version 8, free for any use (RFC 9562, section 5.8), has the schema's number in its next 12 bits. */
const WITH_SCHEMA = '8';
const VERSION_AT = 14;
const NUMBER_AT = [15, 18] as const;

interface Route {
  schema: number;
  isMoving: boolean;
  version: number;
}

/** Payload: account id, id of a process with no call of it in flight, route version. */
export const ACCOUNT_DRAINED = 'account_drained';

const COLUMNS = `
  account_id AS "accountId", schema, coalesce(moving_until > clock_timestamp(), false) AS "isMoving", version::float8 AS version`;

const ALL_ROUTES = `SELECT ${COLUMNS} FROM account_routes`;

/** Waits for a move that is being written. */
const ROUTE = `${ALL_ROUTES} WHERE account_id = $1 FOR SHARE`;

/** An account's tables are in one of ACCOUNT_SCHEMAS schemas, reached only by that schema's data source. */
export class AccountDatabases {
  private readonly routes = new Map<string, Route>();

  /** @param all by schema number @param everyone all accounts' rows, which can be neither changed nor locked */
  constructor(
    readonly all: readonly [DataSource, ...DataSource[]],
    readonly everyone: DataSource,
    readonly places: SchemaPlaces | null = null,
    private readonly coordinated: readonly DataSource[] = all,
  ) {}

  static only(database: DataSource): AccountDatabases {
    return new AccountDatabases([database], database);
  }

  /** An unknown id gives a data source in which it is not found. */
  of(accountId: string): DataSource {
    const [first] = this.all;
    return this.all.length === 1 ? first : (this.all[this.numberOf(accountId)] ?? first);
  }

  /** A moved account's id does not say its schema. */
  numberOf(accountId: string): number {
    return this.routeOf(accountId)?.schema ?? schemaOf(accountId);
  }

  isMoving(accountId: string): boolean {
    return this.routeOf(accountId)?.isMoving ?? false;
  }

  versionOf(accountId: string): number {
    return this.routeOf(accountId)?.version ?? 0;
  }

  /** Callers may write an id in capitals. */
  private routeOf(accountId: string): Route | undefined {
    return this.routes.size === 0 ? undefined : this.routes.get(accountId.toLowerCase());
  }

  async readRoutes(accountId: string | null): Promise<void> {
    if (this.all.length === 1) {
      return;
    }
    const rows: (Route & { accountId: string })[] = await (accountId === null
      ? this.everyone.query(ALL_ROUTES)
      : this.everyone.query(ROUTE, [accountId]));
    for (const { accountId: id, ...route } of rows) {
      if (route.version >= this.versionOf(id)) {
        this.routes.set(id, route);
      }
    }
  }

  async notifyDrained(accountId: string, processId: string): Promise<void> {
    const payload = `${accountId} ${processId} ${this.versionOf(accountId)}`;
    await this.everyone.query('SELECT pg_notify($1, $2)', [ACCOUNT_DRAINED, payload]);
  }

  /** For a row whose account is unknown; any data source where no such row is. @param table never from a caller */
  async with(table: string, id: string): Promise<DataSource> {
    if (this.all.length === 1) {
      return this.all[0];
    }
    const statement = `SELECT account_id FROM ${table} WHERE id = $1`;
    const [row] = await this.find<{ account_id: string }>(statement, [id]);
    return this.of(row?.account_id ?? '');
  }

  /** Rows not found are left out if there are several schemas. @param table never from a caller */
  async withEach<Item>(
    table: string,
    items: readonly Item[],
    idOf: (item: Item) => string,
  ): Promise<Map<DataSource, Item[]>> {
    if (this.all.length === 1) {
      return new Map([[this.all[0], [...items]]]);
    }
    const rows: { id: string; account_id: string }[] = await this.everyone.query(
      `SELECT id, account_id FROM ${table} WHERE id = ANY ($1)`,
      [items.map(idOf)],
    );
    const accounts = new Map(rows.map((row) => [row.id, row.account_id]));
    const known = items.flatMap((item) => {
      const accountId = accounts.get(idOf(item));
      return accountId === undefined ? [] : { accountId, item };
    });
    const split = [...this.split(known)];
    return new Map(split.map(([database, together]) => [database, together.map(({ item }) => item)]));
  }

  /**
   * Rows of an account whose schema is unknown. With Citus a server that is down hides only its own rows.
   * @throws its error if no other server has such rows
   */
  async find<Row>(statement: string, values: unknown[]): Promise<Row[]> {
    if (!this.places) {
      return this.everyone.query<Row[]>(statement, values);
    }
    const found = this.all.map(async (database) => {
      const rows = await database.query<Row[]>(statement, values);
      return rows.length > 0 ? rows : Promise.reject(new NoRows());
    });
    return Promise.any(found).catch(({ errors }: AggregateError) => {
      const failure = errors.find((error) => !(error instanceof NoRows)) as Error | undefined;
      if (failure) {
        throw failure;
      }
      return [];
    });
  }

  /** In turn, despite failures, unless the one server is down. @throws the first error */
  async inEach<Result>(work: (database: DataSource) => Promise<Result>): Promise<Result[]> {
    const results: Result[] = [];
    const failures: unknown[] = [];
    for (const database of this.all) {
      await work(database).then(
        (result) => results.push(result),
        (error: unknown) => failures.push(error),
      );
      if (failures.at(-1) instanceof DatabaseUnreachable && !this.places) {
        break;
      }
    }
    if (failures.length > 0) {
      throw failures[0];
    }
    return results;
  }

  /** For changes of tables: only Citus' coordinator may, with lock waits of at most a second on workers. */
  changeTables<Result>(
    database: DataSource,
    statementMsMax: number,
    work: (runner: QueryRunner) => Promise<Result>,
  ): Promise<Result> {
    const coordinated = this.coordinated[this.all.indexOf(database)] ?? database;
    return withLongStatements(coordinated, statementMsMax, async (runner) => {
      if (this.places) {
        await runner.query("SET LOCAL citus.propagate_set_commands = 'local'");
        await runner.query("SET LOCAL lock_timeout = '1s'");
      }
      return work(runner);
    });
  }

  async sumInEach(count: (database: DataSource) => Promise<number>): Promise<number> {
    return (await this.inEach(count)).reduce((sum, one) => sum + one, 0);
  }

  deleteInEach(statement: string, before: Date, bounds: BatchBounds): Promise<number> {
    return this.sumInEach((database) => deleteInBatches(database, statement, before, bounds));
  }

  split<Item extends { accountId: string }>(items: Iterable<Item>): Map<DataSource, Item[]> {
    const split = new Map<DataSource, Item[]>();
    for (const item of items) {
      addTo(split, this.of(item.accountId), item);
    }
    return split;
  }

  /** A function where the schema may be on another server at each connection. */
  addressOf(number: number, url: string): string | (() => Promise<string>) {
    const { places } = this;
    return places ? async () => this.urlOf(number, await places.ready(number)) : this.urlOf(number, url);
  }

  urlOf(number: number, url: string): string {
    if (this.all.length === 1) {
      return url;
    }
    const path = (this.all[number]?.options as { searchPath?: string }).searchPath ?? '';
    const options = encodeURIComponent(`-c search_path=${path.replaceAll(' ', '')}`);
    return /[?&]options=/.test(url)
      ? url.replace(/(?<=[?&])options=/, `options=${options}%20`)
      : `${url}${url.includes('?') ? '&' : '?'}options=${options}`;
  }

  /**
   * Reserves names over all schemas. On several servers this comes before the account: names without one are
   * free after a minute.
   * @throws QueryFailedError with the constraint of a taken one
   */
  async keepNames({ id, email, username }: { id: string; email: string; username: string }): Promise<void> {
    if (!this.places) {
      return;
    }
    const values = [id, email, username];
    try {
      await this.everyone.query(KEEP_NAMES, values);
    } catch (error) {
      if (brokenUniqueness(error) === null || !(await this.freeNames(email, username))) {
        throw error;
      }
      await this.everyone.query(KEEP_NAMES, values);
    }
  }

  private async freeNames(email: string, username: string): Promise<boolean> {
    const holders: { id: string }[] = await this.everyone.query(NAME_HOLDERS, [email, username]);
    let freed = 0;
    for (const { id } of holders) {
      const isOld = presentMs() - bornAtMs(id) > UNFINISHED_AFTER_MS;
      const [account]: unknown[] = isOld
        ? await this.of(id).query('SELECT FROM accounts WHERE id = $1', [id])
        : [id];
      if (!account) {
        await this.everyone.query('DELETE FROM account_names WHERE account_id = $1', [id]);
        freed += 1;
      }
    }
    return freed > 0;
  }

  newAccountId(): string {
    const id = newId();
    return this.all.length === 1 ? id : inSchema(id, randomInt(this.all.length));
  }
}

class NoRows extends Error {}

const KEEP_NAMES = 'INSERT INTO account_names (account_id, email, username) VALUES ($1, $2, $3)';

const NAME_HOLDERS = `
  SELECT account_id AS id FROM account_names WHERE email = $1 OR lower(username) = lower($2)`;

/** Longer than the transaction that makes an account may take. */
const UNFINISHED_AFTER_MS = 60_000;

function bornAtMs(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}

function schemaOf(accountId: string): number {
  return accountId[VERSION_AT] === WITH_SCHEMA ? Number.parseInt(accountId.slice(...NUMBER_AT), 16) : 0;
}

function inSchema(id: string, number: number): string {
  const digits = number.toString(16).padStart(NUMBER_AT[1] - NUMBER_AT[0], '0');
  return `${id.slice(0, VERSION_AT)}${WITH_SCHEMA}${digits}${id.slice(NUMBER_AT[1])}`;
}

/** @param schemas present in the database (`migrate`) */
export async function openAccountDatabases(main: DataSource, schemas: number): Promise<AccountDatabases> {
  if (schemas === 1) {
    return AccountDatabases.only(main);
  }
  const [own]: { search_path: string }[] = await main.query('SHOW search_path');
  const places = await SchemaPlaces.read(main, schemas);
  const { master } = main.driver as unknown as { master: ReconnectingPool };
  const open = (path: string) => {
    const whole = `${path}, ${own?.search_path}`;
    return openOn(main, whole, () => master.connectOn(whole));
  };
  const [first, ...others] = await Promise.all(
    Array.from({ length: schemas }, (_, number) =>
      places ? openOn(main, shardPath(number), () => places.connect(number)) : open(accountSchema(number)),
    ),
  );
  if (!first) {
    throw new Error('there is no schema for accounts');
  }
  const everyone = await open(`${ALL_ACCOUNTS_SCHEMA}, ${accountSchema(0)}`);
  const coordinated = places
    ? await Promise.all([first, ...others].map((_, number) => open(accountSchema(number))))
    : undefined;
  const databases = new AccountDatabases([first, ...others], everyone, places, coordinated);
  await databases.readRoutes(null);
  return databases;
}

/** @param borrow lends connections that their owner closes */
function openOn(main: DataSource, path: string, borrow: () => Promise<PoolClient>): Promise<DataSource> {
  class Pool extends EventEmitter {
    connect(callback: ConnectCallback): void {
      callBack(callback, borrow());
    }

    end(callback: (error?: Error) => void): void {
      callback();
    }
  }
  const options = { ...(main.options as PostgresDataSourceOptions), searchPath: path };
  return new DataSource({ ...options, driver: { ...pg, Pool } }).initialize();
}
