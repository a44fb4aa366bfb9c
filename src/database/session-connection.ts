import type { Client } from 'pg';
import { ANSWER_WITHIN_MS, cut, KEEP_ALIVE, within } from './connection-pool';
import { PrimaryClient } from './primary-client';

export interface SessionListener {
  heard(channel: string, payload: string): void;
  /** Notifications may have been missed: the connection is new, or it is gone. */
  missed(): void;
}

/** A session of Postgres: it listens to channels, and what it has locked is free when it ends, however it ends. */
export class SessionConnection {
  private client: Client | null = null;
  private asked: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly url: string,
    private readonly channels: ReadonlyMap<string, unknown>,
    private readonly listener: SessionListener,
  ) {}

  get isOpen(): boolean {
    return this.client !== null;
  }

  /** Connects where it has to. @throws what the work throws, or when it takes longer; the connection is cut then */
  async within<Result>(timeoutMs: number, work: () => Promise<Result>): Promise<Result> {
    try {
      const client = (this.client ??= await this.connected());
      return await within(timeoutMs, client, work());
    } catch (error) {
      if (this.client) {
        cut(this.client);
        this.forget(this.client);
      }
      throw error;
    }
  }

  /** One statement after the other, as a connection carries them. @throws Error where there is none */
  query<Row extends object>(statement: string, values: unknown[]): Promise<Row[]> {
    const { client } = this;
    const asked = this.asked
      .catch(() => undefined)
      .then(() =>
        client ? client.query<Row>(statement, values) : Promise.reject(new Error('not connected')),
      )
      .then(({ rows }) => rows);
    this.asked = asked;
    return asked;
  }

  async close(): Promise<void> {
    const { client } = this;
    if (client) {
      await within(ANSWER_WITHIN_MS, client, client.end()).catch(() => cut(client));
    }
  }

  private async connected(): Promise<Client> {
    const client = new PrimaryClient({
      connectionString: this.url,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      ...KEEP_ALIVE,
      application_name: 'session',
    });
    client.on('notification', ({ channel, payload = '' }) => this.listener.heard(channel, payload));
    // Without listeners a broken connection would end the process. Whoever needs one next makes a new one.
    client.on('error', () => this.forget(client));
    client.on('end', () => this.forget(client));
    try {
      await client.connect();
      const listen = [...this.channels.keys()].map((channel) => `LISTEN ${channel}`).join('; ');
      await within(ANSWER_WITHIN_MS, client, client.query(listen));
      this.listener.missed();
      return client;
    } catch (error) {
      cut(client);
      throw error;
    }
  }

  /** What is notified from here on is not heard. */
  private forget(client: Client): void {
    if (this.client === client) {
      this.client = null;
      this.listener.missed();
    }
  }
}
