import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Client } from 'pg';
import { newId } from '../runtime/ids';
import { ANSWER_WITHIN_MS, cut, DatabaseUrl, KEEP_ALIVE_AFTER_MS, within } from './connection-pool';

const HEARTBEAT_EVERY_MS = 10_000;
/** Whoever was not heard of for so long, by the database's clock, counts as gone: four heartbeats. */
export const SILENT_FOR_SECONDS = 40;
const AGAIN_AFTER_MS = 1_000;

/**
 * The row of this process among those of all (table `processes`). All times in it are the database's, so that the clocks
 * of machines need not agree. A process that was only paused, or cut off, is heard of again with its next heartbeat.
 *
 * Heartbeats have a connection of their own: a process must not look dead because many wait for those of the pool.
 */
@Injectable()
export class ProcessRegister implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Another one for each start. */
  readonly id = newId();
  private readonly logger = new Logger(ProcessRegister.name);
  private client: Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private beating: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(private readonly url: DatabaseUrl) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.beat();
  }

  /** Says that the process is gone. A failure does no harm: it is then not heard of any more. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    if (this.timer) {
      clearTimeout(this.timer);
    }
    await this.beating;
    const { client } = this;
    if (client) {
      await this.tried(LEAVE);
      await within(ANSWER_WITHIN_MS, client, client.end()).catch(() => cut(client));
    }
  }

  private beat(): Promise<void> {
    this.beating = this.tried(HEARTBEAT).then((isHeard) => {
      if (!this.isStopped) {
        const afterMs = isHeard ? HEARTBEAT_EVERY_MS : AGAIN_AFTER_MS;
        this.timer = setTimeout(() => void this.beat(), afterMs).unref();
      }
    });
    return this.beating;
  }

  /** Whether the statement was run. Never throws: it is tried again, and others judge by what they have not heard. */
  private async tried(statement: string): Promise<boolean> {
    try {
      this.client ??= await this.connected();
      await within(ANSWER_WITHIN_MS, this.client, this.client.query(statement, [this.id]));
      return true;
    } catch (error) {
      this.logger.debug({ message: 'a heartbeat of this process failed', error: String(error) });
      if (this.client) {
        cut(this.client);
        this.client = null;
      }
      return false;
    }
  }

  private async connected(): Promise<Client> {
    const client = new Client({
      connectionString: this.url.value,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      application_name: 'heartbeat',
    });
    // Without listeners a broken connection would end the process. The next heartbeat makes a new one.
    client.on('error', () => this.forget(client));
    client.on('end', () => this.forget(client));
    await client.connect();
    return client;
  }

  private forget(client: Client): void {
    if (this.client === client) {
      this.client = null;
    }
  }
}

const HEARTBEAT = `
  INSERT INTO processes (id, heartbeat_at) VALUES ($1, clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET heartbeat_at = excluded.heartbeat_at`;

const LEAVE = `
  UPDATE processes SET heartbeat_at = clock_timestamp() - interval '${SILENT_FOR_SECONDS} seconds' WHERE id = $1`;
