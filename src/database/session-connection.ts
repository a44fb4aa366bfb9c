import type { Client } from 'pg';
import { ANSWER_WITHIN_MS, cut, KEEP_ALIVE, within } from './connection-pool';
import { PrimaryClient } from './primary-client';

export interface SessionListener {
  heard(channel: string, payload: string): void;
  /** On a new or lost connection notifications may have been missed. */
  missed(): void;
}

/** Listens to channels. Its locks are free when the session ends, however it ends. */
export class SessionConnection {
  private client: Client | null = null;
  private latest: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly url: string,
    private readonly channels: ReadonlyMap<string, unknown>,
    private readonly listener: SessionListener,
  ) {}

  get isOpen(): boolean {
    return this.client !== null;
  }

  /** Connects if needed. @throws the work's error, or at the time-out; the connection is then cut */
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

  query<Row extends object>(statement: string, values: unknown[]): Promise<Row[]> {
    const { client } = this;
    const answer = this.latest
      .catch(() => undefined)
      .then(() =>
        client ? client.query<Row>(statement, values) : Promise.reject(new Error('not connected')),
      )
      .then(({ rows }) => rows);
    this.latest = answer;
    return answer;
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
    // Without listeners a broken connection would end the process.
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

  private forget(client: Client): void {
    if (this.client === client) {
      this.client = null;
      this.listener.missed();
    }
  }
}
