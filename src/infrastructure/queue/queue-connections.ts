import type { PgPool, PgPoolClient, PgQueryResult } from 'bullmq';
import type { Client, ClientBase } from 'pg';
import { DeadlineClient } from '../database/deadline-client';
import { ANSWER_WITHIN_MS, KEEP_ALIVE_AFTER_MS, STATEMENT_MS_MAX } from '../database/deadlines';
import { isDatabaseAway, mayConnectLater } from '../database/driver-errors';
import { PatientPool } from '../database/patient-pool';
import { QueueFaults } from './queue-faults';
import { QUEUE_SCHEMA } from './queue-schema';
import { QueueUnavailable } from './queue-unavailable';

/** All queues and workers of a process together have so many connections, and each worker one more, to listen. */
export const QUEUE_POOL_SIZE_MAX = 4;

/** What PostgresConnection of BullMQ takes for a pool. */
type Pool = PgPool & { options: { keepAlive: true } };

/**
 * The connections to Postgres that the queues and workers of a process share. BullMQ would give each of them a pool of
 * its own, ten connections each. Statements have the deadlines of the service's other statements, and wait for a
 * database that is just away as those do. What it asks by connect() is a connection to listen on for as long as
 * the worker lives, so that one is not of the pool.
 */
export class QueueConnections implements Pool {
  readonly options = { keepAlive: true } as const;
  private readonly faults = new QueueFaults('postgres');
  private readonly pool: PatientPool;
  private ended: Promise<void> | null = null;

  constructor(private readonly databaseUrl: string) {
    this.pool = new PatientPool({
      ...this.clientOptions(),
      max: QUEUE_POOL_SIZE_MAX,
      Client: DeadlineClient,
      onConnect: prepare,
    });
    this.pool.on('error', this.faults.report);
  }

  /** @throws QueueUnavailable when the database is away, after five seconds or a little more */
  async query<Row>(text: string, values?: readonly unknown[]): Promise<PgQueryResult<Row>> {
    const client = await this.pool.connect().catch(refuse);
    try {
      const result = await client.query(text, values as unknown[]);
      client.release();
      return result as PgQueryResult<Row>;
    } catch (error) {
      const isAway = isDatabaseAway(error) || mayConnectLater(error);
      client.release(isAway);
      throw isAway ? new QueueUnavailable(error) : error;
    }
  }

  /** A connection that is no part of the pool; releasing it closes it. */
  async connect(): Promise<PgPoolClient> {
    const client = new DeadlineClient(this.clientOptions());
    await client.connect().catch(refuse);
    const release = (): void => {
      // BullMQ has taken all listeners off, and an error that nobody listens for would end the process.
      client.on('error', () => undefined);
      (client as Client).end().catch(() => undefined);
    };
    return Object.assign(client, { release }) as unknown as PgPoolClient;
  }

  /** Closes the pool, once all queues and workers are closed. */
  async end(): Promise<void> {
    await (this.ended ??= this.pool.end());
  }

  /** What befalls idle connections is logged here, and the others learn it from their statements. */
  on(): this {
    return this;
  }

  removeAllListeners(): this {
    return this;
  }

  private clientOptions() {
    return {
      connectionString: this.databaseUrl,
      application_name: 'queue',
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      statement_timeout: STATEMENT_MS_MAX,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    };
  }
}

/**
 * A commit of the queue does not wait for the disk, which makes it several times as fast. A crash of Postgres may lose
 * the last fraction of a second of the queue's state, and that does no harm: what is to be done stands in tables of the
 * service, from which jobs are added again, and what was done twice was meant to be harmless.
 */
async function prepare(client: ClientBase): Promise<void> {
  await client.query(`SET search_path = ${QUEUE_SCHEMA}; SET synchronous_commit = off`);
}

function refuse(error: unknown): never {
  throw new QueueUnavailable(error);
}
