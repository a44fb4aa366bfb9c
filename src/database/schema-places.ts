import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions';
import { ANSWER_WITHIN_MS, cut, DeadlineClient, PatientPool, within } from './connection-pool';
import { sqlStateOf } from './driver-errors';
import { PrimaryClient } from './primary-client';
import { ELSEWHERE, guardOf, pathHere, prepareHere } from './schema-here';

/** Where Citus keeps a schema of accounts. `stay` is another one whenever it comes to a server. */
interface SchemaPlace {
  number: number;
  /** Of the server itself, with the role and the database of the coordinator's address. */
  url: string;
  stay: string;
}

const HAS_CITUS = "SELECT to_regclass('pg_catalog.pg_dist_schema') IS NOT NULL AS has_citus";

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

/** Only some of the schemas are distributed. The message tells the operator what to do. */
export class HalfDistributed extends Error {
  constructor(placed: number, schemas: number) {
    super(
      `Citus has distributed ${placed} of the ${schemas} schemas of accounts. Stop all processes, and start one with ` +
        'ROLE=migrate and DISTRIBUTE_SCHEMAS=true: it distributes the others and ends.',
    );
    this.name = new.target.name;
  }
}

/** On which server each schema of accounts is, where Citus has distributed them. */
export class SchemaPlaces {
  private places: readonly SchemaPlace[];
  private reading: Promise<void> | null = null;
  private readonly pools = new Map<string, PatientPool>();
  /** The stays for which this process has made what leads to the tables. */
  private readonly prepared = new Map<string, Promise<void>>();

  private constructor(
    private readonly main: DataSource,
    rows: readonly PlaceRow[],
  ) {
    this.places = rows.map((row) => this.placeOf(row));
    // With the last of what stands on it.
    const destroy = main.destroy.bind(main);
    main.destroy = async () => {
      await this.close();
      await destroy();
    };
  }

  /** @returns null where the schemas are all on the one server. @throws HalfDistributed */
  static async read(main: DataSource, schemas: number): Promise<SchemaPlaces | null> {
    const [{ has_citus: hasCitus } = { has_citus: false }] =
      await main.query<{ has_citus: boolean }[]>(HAS_CITUS);
    const rows = hasCitus ? await main.query<PlaceRow[]>(PLACES) : [];
    if (rows.length > 0 && rows.length < schemas) {
      throw new HalfDistributed(rows.length, schemas);
    }
    return rows.length === 0 ? null : new SchemaPlaces(main, rows);
  }

  get all(): readonly SchemaPlace[] {
    return this.places;
  }

  /** After a server has said that a schema is elsewhere, and where a server is away: then its schemas may be on another one. */
  async refresh(): Promise<void> {
    this.reading ??= this.main
      .query<PlaceRow[]>(PLACES)
      .then((rows) => {
        this.places = rows.map((row) => this.placeOf(row));
      })
      .finally(() => (this.reading = null));
    await this.reading;
  }

  /** Its address, once there is what leads to its tables. @throws Error where the server is away */
  async ready(number: number): Promise<string> {
    await this.refresh();
    await this.prepare(number);
    return this.of(number).url;
  }

  /** A connection whose statements find the tables of the schema. @throws DatabaseUnreachable */
  async connect(number: number): Promise<PoolClient> {
    try {
      await this.prepare(number);
    } catch (error) {
      await this.refresh();
      throw error;
    }
    const client = await this.poolOf(this.of(number)).connectOn(pathHere(number));
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
    const place = this.places.find((candidate) => candidate.number === number);
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

  private poolOf({ url }: SchemaPlace): PatientPool {
    const known = this.pools.get(url);
    if (known) {
      return known;
    }
    const main = this.main.options as PostgresDataSourceOptions;
    const own = { connectionString: url, max: main.poolSize, Client: GuardedClient };
    const options = { ...(main.extra as object), ...own };
    const pool = new PatientPool(options);
    pool.on('error', () => undefined);
    this.pools.set(url, pool);
    return pool;
  }

  /** Makes what leads to the tables of the schema, once for each of its stays. @throws Error where the server is away */
  prepare(number: number): Promise<void> {
    const { stay, url } = this.of(number);
    const known = this.prepared.get(stay);
    if (known) {
      return known;
    }
    const preparing = prepareAt(url, number);
    this.prepared.set(stay, preparing);
    preparing.catch(() => this.prepared.delete(stay));
    return preparing;
  }
}

async function prepareAt(url: string, number: number): Promise<void> {
  const client = new PrimaryClient({ connectionString: url, connectionTimeoutMillis: ANSWER_WITHIN_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await within(PREPARED_WITHIN_MS, client, client.query(prepareHere(number)));
    await client.end();
  } catch (error) {
    cut(client);
    throw error;
  }
}

/** A new place of calls that are not in the sums yet may have to number them anew. */
const PREPARED_WITHIN_MS = 60_000;

/**
 * Begins each transaction, and each statement outside of one, which becomes one, with what keeps the schema where it is.
 * A statement whose schema was moved away before has done nothing.
 */
class GuardedClient extends DeadlineClient {
  /** A connection to where the schema is by now. */
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
      if (sqlStateOf(error) !== ELSEWHERE || !elsewhere) {
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
    return isAlone ? this.alone(parameters) : this.within(parameters);
  }

  private within(parameters: never[]): Promise<unknown> {
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

/** Nothing was done where the schema was, so it may be done where it is; a schema that is moved again at once is not run after. */
async function once(client: PoolClient, parameters: never[]): Promise<unknown> {
  const { elsewhere } = client as unknown as GuardedClient;
  (client as unknown as GuardedClient).elsewhere = null;
  try {
    return await Promise.resolve<unknown>(client.query(...(parameters as [never])));
  } finally {
    (client as unknown as GuardedClient).elsewhere = elsewhere;
  }
}
