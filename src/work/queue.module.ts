import { EventEmitter } from 'node:events';
import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import {
  assertSchemaCompatibility,
  type BackendFactory,
  type ConnectionOptions,
  createIORedisClient,
  createRedisBackend,
  type IQueueBackend,
  type IRedisClient,
  LATEST_SCHEMA_VERSION,
  type PgPool,
  type PgPoolClient,
  type PgQueryResult,
  PostgresConnection,
  PostgresQueueBackend,
  RedisConnection,
  runMigrations,
  SchemaMigrationRequiredError,
  setDefaultBackendFactory,
} from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import type { Client, ClientBase, PoolClient } from 'pg';
import type { Configuration } from '../config/configuration';
import {
  ANSWER_WITHIN_MS,
  type DatabaseUrl,
  DeadlineClient,
  KEEP_ALIVE,
  ReconnectingPool,
  STATEMENT_MS_MAX,
} from '../database/connection-pool';
import { isDatabaseAway, mayConnectLater } from '../database/driver-errors';
import { PrimaryClient } from '../database/primary-client';
import { ProcessRegister } from '../database/process-register';
import { endedWithin, resultWithin } from '../runtime/clock';
import { QueueProcessors } from './queue-worker';
import { QueueFaults, QueueMetrics } from './queue.metrics';

/** BullMQ's tables and functions have a schema of their own in the service's database. */
const QUEUE_SCHEMA = 'bullmq';

/** Replicas wait for each other by BullMQ's advisory lock. @throws SchemaVersionMismatchError of a later major version */
export async function migrateQueue(databaseUrl: string): Promise<void> {
  const client = new PrimaryClient({
    connectionString: databaseUrl,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    application_name: 'queue',
  });
  await client.connect();
  try {
    if ((await versionOf(client)) < LATEST_SCHEMA_VERSION) {
      await runMigrations(client, QUEUE_SCHEMA);
    }
  } finally {
    await client.end();
  }
}

async function versionOf(client: Client): Promise<number> {
  try {
    return await assertSchemaCompatibility(client, QUEUE_SCHEMA);
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) {
      return 0;
    }
    throw error;
  }
}

/** ioredis leaves the timer of `socketTimeout` running when the connection closes, and it would cut the next one. */
const redisClient: NonNullable<typeof RedisConnection.clientFactory> = (options): IRedisClient => {
  const { url = '', ...others } = options as RedisOptions & { url?: string };
  const client = new Redis(url, others);
  client.on('close', () => {
    const timed = client as unknown as { socketTimeoutTimer?: NodeJS.Timeout };
    clearTimeout(timed.socketTimeoutTimer);
    timed.socketTimeoutTimer = undefined;
  });
  return createIORedisClient(client);
};

/** Decides where all queues are: in Redis where there is one, else in the service's own Postgres. */
@Module({})
export class QueueModule {
  static with(configuration: Configuration, databaseUrl: DatabaseUrl): DynamicModule {
    setDefaultBackendFactory(queueBackend);
    RedisConnection.clientFactory = redisClient;
    const { redisUrl, redisKeyPrefix } = configuration;
    const connection = redisUrl === null ? new QueueConnections(databaseUrl) : { url: redisUrl };
    return {
      module: QueueModule,
      global: true,
      imports: [
        DiscoveryModule,
        // Without any queue it brings what finds the processors.
        BullModule.registerQueue(),
        BullModule.forRoot({
          connection: connection,
          prefix: `${redisKeyPrefix}queue`,
          // Nothing reads the length of BullMQ's own log of events, which each start would write.
          skipMetasUpdate: true,
          // What was done, and what failed for good, is told by the tables of whoever added the job. A job that stayed
          // would keep another of the same id from being added.
          defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
          extraOptions: { manualRegistration: true },
        }),
      ],
      providers: [
        QueueMetrics,
        QueueProcessors,
        {
          provide: QueueConnections,
          inject: [ProcessRegister],
          useFactory: (register: ProcessRegister) => {
            if (connection instanceof QueueConnections && configuration.role !== 'api') {
              connection.hearOn(register);
            }
            return connection;
          },
        },
      ],
      exports: [QueueProcessors],
    };
  }
}

/** Nobody knows whether a job was added; again, under the same id, does no harm. By the code BullMQ tries again. */
class QueueUnavailable extends Error {
  readonly code = 'ECONNREFUSED';

  constructor(cause: unknown) {
    super(`the queue cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = new.target.name;
  }
}

/** All queues and workers of a process together have so many connections. */
const QUEUE_POOL_SIZE_MAX = 4;
/** All workers ask at once whether there are jobs, every two minutes. That takes one connection some milliseconds. */
const QUEUE_GROWS_AFTER_MS = 50;
/** Their questions would keep open for ever what a busy time has opened. */
const QUEUE_CONNECTED_SECONDS_MAX = 60;

/** What PostgresConnection of BullMQ takes for a pool. */
type Pool = PgPool & { options: { keepAlive: true } };

const JOBS_CHANNEL = 'bullmq_jobs';

/** What BullMQ takes for a connection that listens: the session of the process does, for all workers. */
class JobNews extends EventEmitter implements PgPoolClient {
  constructor(readonly release: () => void) {
    super();
  }

  /** Whatever it says to begin with, LISTEN, is said already. */
  query<Row>(): Promise<PgQueryResult<Row>> {
    return Promise.resolve({ rows: [] });
  }
}

/** BullMQ would give each queue and worker a pool of ten and one to listen. Statements have the service's deadlines. */
export class QueueConnections implements Pool, OnApplicationShutdown {
  readonly options = { keepAlive: true } as const;
  private readonly faults = new QueueFaults('postgres');
  private readonly pool: ReconnectingPool;
  private readonly listening = new Set<JobNews>();
  readonly queues = new Set<string>();
  private ended: Promise<void> | null = null;

  constructor(private readonly databaseUrl: DatabaseUrl) {
    const { value, isPooled } = databaseUrl;
    this.pool = new ReconnectingPool({
      connectionString: value,
      application_name: 'queue',
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      ...KEEP_ALIVE,
      max: QUEUE_POOL_SIZE_MAX,
      growsAfterMs: QUEUE_GROWS_AFTER_MS,
      maxLifetimeSeconds: QUEUE_CONNECTED_SECONDS_MAX,
      Client: DeadlineClient,
      // A pooler takes settings of a transaction alone.
      ...(isPooled ? {} : { statement_timeout: STATEMENT_MS_MAX, onConnect: settle }),
    });
    this.pool.on('error', this.faults.report);
  }

  /** Workers hear of new jobs on the session of the process. Where it may have missed some, they all look. */
  hearOn(register: ProcessRegister): void {
    const notify = (payload: string) =>
      this.listening.forEach((news) => news.emit('notification', { channel: JOBS_CHANNEL, payload }));
    register.listen(JOBS_CHANNEL, notify, () => this.queues.forEach(notify));
  }

  /** @throws QueueUnavailable when the database is away, after five seconds or a little more */
  async query<Row>(text: string, values?: readonly unknown[]): Promise<PgQueryResult<Row>> {
    const client = await this.pool.connect().catch((error: unknown) => {
      throw new QueueUnavailable(error);
    });
    try {
      const result = await this.ask(client, text, values as unknown[]);
      client.release();
      return result as PgQueryResult<Row>;
    } catch (error) {
      const isAway = isDatabaseAway(error) || mayConnectLater(error);
      client.release(isAway || this.databaseUrl.isPooled);
      throw isAway ? new QueueUnavailable(error) : error;
    }
  }

  connect(): Promise<PgPoolClient> {
    const news: JobNews = new JobNews(() => this.listening.delete(news));
    this.listening.add(news);
    return Promise.resolve(news);
  }

  async end(): Promise<void> {
    await (this.ended ??= this.pool.end());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.end();
  }

  /** What befalls idle connections is logged here, and the others learn it from their statements. */
  on(): this {
    return this;
  }

  removeAllListeners(): this {
    return this;
  }

  private async ask(client: PoolClient, text: string, values: unknown[]): Promise<PgQueryResult<unknown>> {
    if (!this.databaseUrl.isPooled) {
      return client.query(text, values);
    }
    await client.query(`BEGIN; ${SETTINGS.join('; ')}`);
    const result = await client.query(text, values);
    await client.query('COMMIT');
    return result;
  }
}

/** Commits don't wait for the disk: what a crash loses is added again from tables, and what is done twice is harmless. */
const SETTINGS = [`SET LOCAL search_path = ${QUEUE_SCHEMA}`, 'SET LOCAL synchronous_commit = off'];

/** For as long as the connection lasts. The pool waits for the promise, though its types do not say so. */
function settle(client: ClientBase): void {
  return client.query(SETTINGS.join('; ').replaceAll('LOCAL ', '')) as unknown as void;
}

/** How long whoever adds a job waits for the queue. On Postgres it tells by itself after little more than that. */
const ANSWERED_WITHIN_MS = 5_500;
const CLOSED_WITHIN_MS = 1_000;
/** A queue waits for its connection as long as it takes; nobody waits for that. */
const UNBOUNDED = new Set<PropertyKey>(['waitUntilReady']);

/** BullMQ's own promises may never settle: on Redis before its first connection, on Postgres while it closes. */
function answeringInTime<Backend extends IQueueBackend>(backend: Backend): Backend {
  return new Proxy(backend, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function' || name === 'constructor') {
        return member;
      }
      return (...parameters: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(member, target, parameters);
        if (name === 'forQueue') {
          return answeringInTime(answer as Backend);
        }
        return isPromise(answer) && !UNBOUNDED.has(name) ? inTime(name, answer) : answer;
      };
    },
  });
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as Promise<unknown> | null)?.then === 'function';
}

/** @throws QueueUnavailable when the answer is late; closing just ends then */
function inTime(name: PropertyKey, answer: Promise<unknown>): Promise<unknown> {
  return name === 'close' || name === 'disconnect'
    ? endedWithin(CLOSED_WITHIN_MS, answer)
    : resultWithin(ANSWERED_WITHIN_MS, answer, () => {
        throw new QueueUnavailable(new Error('it gave no answer in time'));
      });
}

/** A worker waits no longer for the time of a job before it looks for itself. */
const LISTENED_SECONDS_MAX = 5;
/** Redis says at least every ten seconds that there is no job. A connection that is silent for longer is renewed. */
const WORKER_SILENT_MS_MAX = 15_000;
const PRODUCER_SILENT_MS_MAX = 5_000;

/** Decided by the form of the connection, so that in tests services on both backends can live in one process. */
export const queueBackend: BackendFactory<IQueueBackend, ConnectionOptions | QueueConnections> = (
  name,
  options,
  { blocking = false, withBlockingConnection = false } = {},
) => {
  const { connection } = options;
  const isProducer = !blocking && !withBlockingConnection;
  if (connection instanceof QueueConnections && !isProducer) {
    connection.queues.add(name);
  }
  const made =
    connection instanceof QueueConnections
      ? new OwnPostgresBackend(new OwnPostgresConnection(connection), name, options as never)
      : createRedisBackend(
          name,
          { ...options, connection: { ...connection, ...redisOptions(isProducer) } },
          { blocking, withBlockingConnection },
        );
  return isProducer ? answeringInTime(made) : made;
};

/** Both try again for ever, as BullMQ asks. Without a connection a producer's command is refused; a worker's waits. */
function redisOptions(isProducer: boolean) {
  return {
    maxRetriesPerRequest: null,
    enableOfflineQueue: !isProducer,
    socketTimeout: isProducer ? PRODUCER_SILENT_MS_MAX : WORKER_SILENT_MS_MAX,
    retryStrategy: (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 10), 1_000),
  };
}

class OwnPostgresConnection extends PostgresConnection {
  /** The start has seen to the schema. BullMQ would take a failed check, as of a database just away, for final. */
  override async waitUntilReady(): Promise<void> {}
}

class OwnPostgresBackend extends PostgresQueueBackend {
  /** BullMQ trusts a connection on which it listens for an hour. One that leads nowhere would hold up jobs for as long. */
  override get maximumBlockTimeout(): number {
    return LISTENED_SECONDS_MAX;
  }
}
