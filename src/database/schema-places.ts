import { Logger } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions';
import { hasCitus } from './account-schemas';
import { DeadlineClient, ReconnectingPool, withOwnConnection } from './connection-pool';
import { sqlStateOf } from './driver-errors';
import { VALID_FOR_MS } from './process-statements';
import { SCHEMA_MOVED, guardOf, shardPath, prepareShardSchema, shardSchema } from './shard-schema';
import { SessionConnection, type SessionListener } from './session-connection';

/** `stay` changes whenever a schema comes to a server. */
interface SchemaPlace {
  number: number;
  /** The server's own, with the role and database of the coordinator's address. */
  url: string;
  stay: string;
}

const PLACES = `
  SELECT substr(nspname, 5)::integer AS number, nodename AS host, nodeport AS port, placementid::text AS stay
  FROM pg_dist_shard JOIN pg_class AS c ON c.oid = logicalrelid JOIN pg_namespace AS n ON n.oid = relnamespace
  JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)
  WHERE relname = 'balances' AND nspname ~ '^acc_[0-9]+$' AND noderole = 'primary' ORDER BY 1`;

interface PlaceRow {
  number: number;
  host: string;
  port: number;
  stay: string;
}

export class PartlyDistributed extends Error {
  constructor(placed: number, schemas: number) {
    super(
      `Citus has distributed ${placed} of the ${schemas} schemas of accounts. Stop all processes, and start one with ` +
        'ROLE=migrate and DISTRIBUTE_SCHEMAS=true: it distributes the others and ends.',
    );
  }
}

export class SchemaPlaces {
  all: readonly SchemaPlace[];
  private reading: Promise<void> | null = null;
  private readonly pools = new Map<string, ReconnectingPool>();
  private readonly prepared = new Map<string, Promise<unknown>>();

  private constructor(
    private readonly main: DataSource,
    rows: readonly PlaceRow[],
  ) {
    this.all = rows.map((row) => this.placeOf(row));
    const destroy = main.destroy.bind(main);
    main.destroy = async () => {
      await this.close();
      await destroy();
    };
  }

  /** @returns null where all schemas are on one server @throws PartlyDistributed */
  static async read(main: DataSource, schemas: number): Promise<SchemaPlaces | null> {
    const rows: PlaceRow[] = (await hasCitus(main)) ? await main.query(PLACES) : [];
    if (rows.length > 0 && rows.length < schemas) {
      throw new PartlyDistributed(rows.length, schemas);
    }
    return rows.length === 0 ? null : new SchemaPlaces(main, rows);
  }

  /** After a server reported a schema elsewhere, or is down: its schemas may have moved. */
  async refresh(): Promise<void> {
    this.reading ??= this.main
      .query<PlaceRow[]>(PLACES)
      .then((rows) => {
        this.all = rows.map((row) => this.placeOf(row));
      })
      .finally(() => (this.reading = null));
    await this.reading;
  }

  async ready(number: number): Promise<string> {
    await this.refresh();
    await this.prepare(number);
    return this.of(number).url;
  }

  /** Statements find the schema's tables. @throws DatabaseUnreachable */
  async connect(number: number): Promise<PoolClient> {
    try {
      await this.prepare(number);
    } catch (error) {
      await this.refresh();
      throw error;
    }
    const client = await this.poolOf(this.of(number)).connectOn(shardPath(number));
    (client as unknown as GuardedClient).elsewhere = async () => {
      await this.refresh();
      return this.connect(number);
    };
    return client;
  }

  private async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.end()));
    this.pools.clear();
  }

  private of(number: number): SchemaPlace {
    const place = this.all.find((candidate) => candidate.number === number);
    if (!place) {
      throw new Error(`Citus has no schema ${number} of accounts`);
    }
    return place;
  }

  private placeOf({ number, host, port, stay }: PlaceRow): SchemaPlace {
    const url = new URL((this.main.options as PostgresDataSourceOptions).url ?? '');
    url.hostname = host;
    url.port = String(port);
    return { number, url: url.href, stay };
  }

  private poolOf({ url }: SchemaPlace): ReconnectingPool {
    const known = this.pools.get(url);
    if (known) {
      return known;
    }
    const main = this.main.options as PostgresDataSourceOptions;
    const own = { connectionString: url, max: main.poolSize, Client: GuardedClient };
    const pool = new ReconnectingPool({ ...(main.extra as object), ...own });
    pool.on('error', () => undefined);
    this.pools.set(url, pool);
    return pool;
  }

  prepare(number: number): Promise<unknown> {
    const { stay, url } = this.of(number);
    const known = this.prepared.get(stay);
    if (known) {
      return known;
    }
    const preparing = withOwnConnection(url, PREPARED_WITHIN_MS, (client) =>
      client.query(prepareShardSchema(number)),
    );
    this.prepared.set(stay, preparing);
    preparing.catch(() => this.prepared.delete(stay));
    return preparing;
  }
}

/** Long, because unsummed calls may need new numbers on a new server. */
const PREPARED_WITHIN_MS = 60_000;

/** Keeps the schema in place for each transaction. Fails, without effect, where it was moved before. */
class GuardedClient extends DeadlineClient {
  elsewhere: (() => Promise<PoolClient>) | null = null;
  private transaction: 'none' | 'begun' | 'guarded' = 'none';

  override query(...parameters: never[]): never {
    const guard = guardOf(this.path);
    const [first] = parameters as unknown[];
    const text = typeof first === 'string' ? first : ((first as { text?: string } | null)?.text ?? '');
    if (guard === null || typeof parameters.at(-1) === 'function' || /^(?:SET|RESET|SHOW)\b/.test(text)) {
      return super.query(...parameters);
    }
    if (/^(?:START TRANSACTION|BEGIN)\b/.test(text)) {
      this.transaction = 'begun';
    } else if (/^(?:COMMIT|ROLLBACK(?! TO))\b/.test(text)) {
      this.transaction = 'none';
    } else if (this.transaction !== 'guarded') {
      return this.guarded(guard, parameters) as never;
    }
    return super.query(...parameters);
  }

  private async guarded(guard: string, parameters: never[]): Promise<unknown> {
    const isAlone = this.transaction === 'none';
    try {
      await this.send(isAlone ? `BEGIN; ${guard}` : guard);
    } catch (error) {
      await (isAlone && this.send('ROLLBACK').catch(() => undefined));
      const { elsewhere } = this;
      if (sqlStateOf(error) !== SCHEMA_MOVED || !elsewhere) {
        throw error;
      }
      const client = await elsewhere();
      try {
        if (isAlone) {
          return await once(client, parameters);
        }
        throw error;
      } finally {
        client.release();
      }
    }
    if (isAlone) {
      return this.alone(parameters);
    }
    this.transaction = 'guarded';
    return super.query(...parameters);
  }

  private async alone(parameters: never[]): Promise<unknown> {
    try {
      const result = await (super.query(...parameters) as unknown as Promise<unknown>);
      await this.send('COMMIT');
      return result;
    } catch (error) {
      await this.send('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  private send(text: string): Promise<unknown> {
    return super.query(...([text] as unknown as never[]));
  }
}

/** Nothing was done where the schema was, so it is retried once where it is now. */
async function once(client: PoolClient, parameters: never[]): Promise<unknown> {
  const { elsewhere } = client as unknown as GuardedClient;
  (client as unknown as GuardedClient).elsewhere = null;
  try {
    return await Promise.resolve<unknown>(client.query(...(parameters as [never])));
  } finally {
    (client as unknown as GuardedClient).elsewhere = elsewhere;
  }
}

/** For the coordinator's rows of dead processes. Those of each schema that hold nothing are left to the sweep. */
const FORGOTTEN_EVERY_MS = 60_000;
const FORGET = "DELETE FROM processes WHERE heartbeat_at <= clock_timestamp() - interval '600 seconds'";

/** Far below the time after which a silent process may be forgotten: its row must not be made again. */
const WRITTEN_WITHIN_MS = 20_000;

/**
 * Rows of this process in the distributed schemas, so that flushes lock nothing on other servers. Each
 * server's connection also listens, as notifications stay on a server. Rights do not depend on it, but on the
 * coordinator's rows (ProcessRegister).
 */
export class SchemaPresence {
  private readonly logger = new Logger('ProcessRegister');
  private readonly sessions = new Map<string, SessionConnection>();
  /** The process id in each schema: a row once made is only renewed. */
  private readonly writtenAs = new Map<number, string>();
  /** Since when a row may exist whose making was not confirmed. */
  private readonly tried = new Map<number, { processId: string; firstTriedAtMs: number; times: number }>();
  private beating: Promise<void> = Promise.resolve();
  private isBeating = false;
  private forgottenAtMs = -Infinity;

  constructor(
    private readonly places: SchemaPlaces,
    private readonly main: DataSource,
    private readonly channels: ReadonlyMap<string, unknown>,
    /** Also learns that others have ended this process in a schema. */
    private readonly listener: SessionListener & { ended(processId: string): void },
  ) {}

  /** Renews the rows in all schemas whose servers answer. Never throws; the next heartbeat retries. */
  beat(processId: string): Promise<void> {
    const isKnown = this.places.all.every(({ number }) => this.writtenAs.get(number) === processId);
    if (!this.isBeating || !isKnown) {
      this.isBeating = true;
      this.beating = this.beating.then(() => this.beatAll(processId)).finally(() => (this.isBeating = false));
    }
    return this.beating;
  }

  async leave(processId: string): Promise<void> {
    await this.beating;
    await this.onEach(async (session, number) => {
      await session.query(`SELECT ${shardSchema(number)}.leave($1)`, [processId]);
    });
    await Promise.all([...this.sessions.values()].map((session) => session.close()));
    this.sessions.clear();
  }

  private async beatAll(processId: string): Promise<void> {
    await this.onEach(async (session, number) => {
      const isNew = this.writtenAs.get(number) !== processId;
      const earlier = this.tried.get(number);
      const isAgain = earlier?.processId === processId;
      const firstTriedAtMs = isAgain ? earlier.firstTriedAtMs : Date.now();
      if (isNew && Date.now() - firstTriedAtMs > WRITTEN_WITHIN_MS) {
        return this.listener.ended(processId);
      }
      this.tried.set(number, { processId, firstTriedAtMs, times: isAgain ? earlier.times + 1 : 1 });
      const [row] = await session.query<{ is_alive: boolean }>(
        `SELECT ${shardSchema(number)}.beat($1, $2) AS is_alive`,
        [processId, isNew],
      );
      this.writtenAs.set(number, processId);
      if (row && !row.is_alive) {
        this.listener.ended(processId);
      }
    });
    if (performance.now() - this.forgottenAtMs > FORGOTTEN_EVERY_MS) {
      this.forgottenAtMs = performance.now();
      await this.main.query(FORGET).catch(() => undefined);
    }
  }

  private async onEach(work: (session: SessionConnection, number: number) => Promise<void>): Promise<void> {
    const servers = new Map<string, number[]>();
    for (const { number, url } of this.places.all) {
      servers.set(url, [...(servers.get(url) ?? []), number]);
    }
    await Promise.all(
      [...servers].map(async ([url, numbers]) => {
        const session = this.sessionOf(url);
        for (const number of numbers) {
          await this.inOne(session, number, () => work(session, number));
        }
      }),
    );
  }

  private async inOne(session: SessionConnection, number: number, work: () => Promise<void>): Promise<void> {
    let fault: Error | undefined;
    try {
      await this.places.prepare(number);
      // A refusal breaks no connection, on which notifications arrive.
      await session.within(VALID_FOR_MS, () =>
        work().catch((error: Error) => {
          fault = error;
          if (sqlStateOf(error) === undefined) {
            throw error;
          }
          // No row was made, unless by an earlier try.
          if (this.tried.get(number)?.times === 1) {
            this.tried.delete(number);
          }
        }),
      );
    } catch (error) {
      fault = error as Error;
    }
    if (fault !== undefined) {
      this.logger.debug({ message: 'a heartbeat in a schema failed', schema: number, error: fault.message });
    }
    if (fault !== undefined && (sqlStateOf(fault) === SCHEMA_MOVED || sqlStateOf(fault) === undefined)) {
      await this.places.refresh().catch(() => undefined);
    }
  }

  private sessionOf(url: string): SessionConnection {
    const session = this.sessions.get(url) ?? new SessionConnection(url, this.channels, this.listener);
    this.sessions.set(url, session);
    return session;
  }
}
