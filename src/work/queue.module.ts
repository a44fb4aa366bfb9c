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
import { OlderSchema } from '../database/migrate';
import { PrimaryClient } from '../database/primary-client';
import { ProcessRegister } from '../database/process-register';
import { endedWithin, resultWithin } from '../runtime/clock';
import { QueueProcessors } from './queue-worker';
import { QueueFaults, QueueMetrics } from './queue.metrics';

const QUEUE_SCHEMA = 'bullmq';

/** Replicas wait for BullMQ's advisory lock. @throws SchemaVersionMismatchError of a later major version */
export async function migrateQueue(databaseUrl: string): Promise<void> {
  await onOlderQueue(databaseUrl, (client) => runMigrations(client, QUEUE_SCHEMA));
}

/** Changes nothing. @throws OlderSchema, also where migrations had a Redis; SchemaVersionMismatchError as above */
export async function requireQueue(databaseUrl: string): Promise<void> {
  await onOlderQueue(databaseUrl, () => {
    throw new OlderSchema('the tables of the queue, which is there without a REDIS_URL');
  });
}

async function onOlderQueue(databaseUrl: string, act: (client: Client) => unknown): Promise<void> {
  const client = new PrimaryClient({
    connectionString: databaseUrl,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    application_name: 'queue',
  });
  await client.connect();
  try {
    if ((await versionOf(client)) < LATEST_SCHEMA_VERSION) {
      await act(client);
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

/** ioredis leaves its `socketTimeout` timer running after a close, and it would cut the next connection. */
const redisClient: NonNullable<typeof RedisConnection.clientFactory> = (options): IRedisClient => {
  const { url = '', ...others } = options as RedisOptions & { url?: string };
  const client = new Redis(url, others);
  client.on('close', () => {
    const timed = client as unknown as { socketTimeoutTimer?: NodeJS.Timeout };
    clearTimeout(timed.socketTimeoutTimer);
    timed.socketTimeoutTimer = undefined;
    // BullMQ has closed it without an answer of Redis, and ioredis would look for that Redis for ever.
    if (client.listenerCount('error') === 0) {
      client.disconnect();
    }
  });
  return createIORedisClient(client);
};

/** Queues are in Redis if there is one, else in the service's Postgres. */
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
        // Without a queue, it only brings what finds the processors.
        BullModule.registerQueue(),
        BullModule.forRoot({
          connection: connection,
          prefix: `${redisKeyPrefix}queue`,
          // Nothing reads BullMQ's event log, whose length each start would write.
          skipMetasUpdate: true,
          // The adder's tables record outcomes, and a kept job would block another of the same id.
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

/** Unknown whether the job was added; adding it again is harmless. BullMQ retries by the code. */
class QueueUnavailable extends Error {
  readonly code = 'ECONNREFUSED';

  constructor(cause: unknown) {
    super(`the queue cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = new.target.name;
  }
}

const QUEUE_POOL_SIZE_MAX = 4;
/** All workers poll together every two minutes, for some milliseconds on one connection. */
const QUEUE_GROWS_AFTER_MS = 50;
/** Polling would keep a busy time's connections open for ever. */
const QUEUE_CONNECTED_SECONDS_MAX = 60;

/** BullMQ's PostgresConnection recognises a pool by these. */
type Pool = PgPool & { options: { keepAlive: true } };

const JOBS_CHANNEL = 'bullmq_jobs';

/** A listening connection in BullMQ's eyes: the process's session listens for all workers. */
class JobNotifications extends EventEmitter implements PgPoolClient {
  constructor(readonly release: () => void) {
    super();
  }

  /** Only for LISTEN, which the session has done already. */
  query<Row>(): Promise<PgQueryResult<Row>> {
    return Promise.resolve({ rows: [] });
  }
}

/** BullMQ would open eleven connections for each queue and worker. */
export class QueueConnections implements Pool, OnApplicationShutdown {
  readonly options = { keepAlive: true } as const;
  private readonly faults = new QueueFaults('postgres');
  private readonly pool: ReconnectingPool;
  private readonly listening = new Set<JobNotifications>();
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
      // Poolers allow settings within a transaction alone.
      ...(isPooled ? {} : { statement_timeout: STATEMENT_MS_MAX, onConnect: settle }),
    });
    this.pool.on('error', this.faults.report);
  }

  /** New jobs are announced on the process's session; after a gap all workers look. */
  hearOn(register: ProcessRegister): void {
    const notify = (payload: string) =>
      this.listening.forEach((client) => client.emit('notification', { channel: JOBS_CHANNEL, payload }));
    register.listen(JOBS_CHANNEL, notify, () => this.queues.forEach(notify));
  }

  /** @throws QueueUnavailable when the database is down, after some five seconds */
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
    const client: JobNotifications = new JobNotifications(() => this.listening.delete(client));
    this.listening.add(client);
    return Promise.resolve(client);
  }

  async end(): Promise<void> {
    await (this.ended ??= this.pool.end());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.end();
  }

  /** Faults of idle connections are logged; statements report the rest. */
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

/** Commits skip the disk: lost jobs are added again from tables, and repeated ones are harmless. */
const SETTINGS = [`SET LOCAL search_path = ${QUEUE_SCHEMA}`, 'SET LOCAL synchronous_commit = off'];

/** For the connection's life. The pool awaits the promise, though its types deny it. */
function settle(client: ClientBase): void {
  return client.query(SETTINGS.join('; ').replaceAll('LOCAL ', '')) as unknown as void;
}

/** How long adding a job waits. On Postgres the answer comes soon after. */
const ANSWERED_WITHIN_MS = 5_500;
const CLOSED_WITHIN_MS = 1_000;
const UNBOUNDED = new Set<PropertyKey>(['waitUntilReady']);

/** BullMQ's promises may never settle: on Redis before the first connection, on Postgres while closing. */
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

/** The longest a worker waits before it looks for itself. */
const LISTENED_SECONDS_MAX = 5;
/** Redis answers every ten seconds at least. A connection silent for longer is renewed. */
const WORKER_SILENT_MS_MAX = 15_000;
const PRODUCER_SILENT_MS_MAX = 5_000;

/** By the connection's type, so that services on both backends can share a test process. */
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

/** Retries for ever, as BullMQ asks. Without a connection a producer's command fails; a worker's waits. */
function redisOptions(isProducer: boolean) {
  return {
    maxRetriesPerRequest: null,
    enableOfflineQueue: !isProducer,
    socketTimeout: isProducer ? PRODUCER_SILENT_MS_MAX : WORKER_SILENT_MS_MAX,
    retryStrategy: (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 10), 1_000),
  };
}

class OwnPostgresConnection extends PostgresConnection {
  /** Checked at start. BullMQ would take a failed check, as of a database just down, for final. */
  override async waitUntilReady(): Promise<void> {}
}

class OwnPostgresBackend extends PostgresQueueBackend {
  /** BullMQ trusts a listening connection for an hour; a dead one would hold up jobs for as long. */
  override get maximumBlockTimeout(): number {
    return LISTENED_SECONDS_MAX;
  }
}
