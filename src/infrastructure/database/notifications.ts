import { Client } from 'pg';

const RECONNECT_DELAY_MS = 1000;

/**
 * Receives the notifications that replicas send on one channel of Postgres (LISTEN/NOTIFY). While the connection is
 * down, `isListening` is false; a cache that depends on the notifications must not be used then.
 */
export class Notifications {
  isListening = false;
  private client: Client | null = null;
  private reconnecting: NodeJS.Timeout | null = null;
  private closed = false;

  /**
   * @param heard gets the text of each notification
   * @param lost is called whenever notifications may have been missed: when the connection is lost or cannot be made,
   *   and when there is a new one
   */
  constructor(
    private readonly url: string,
    private readonly channel: string,
    private readonly heard: (payload: string) => void,
    private readonly lost: () => void,
  ) {}

  /** Connects and listens. Never throws: a failed or lost connection is retried every second until {@link close}. */
  async open(): Promise<void> {
    const client = new Client({ connectionString: this.url, keepAlive: true, connectionTimeoutMillis: 5000 });
    client.on('notification', (message) => this.heard(message.payload ?? ''));
    client.on('error', () => this.retry(client));
    client.on('end', () => this.retry(client));
    try {
      await client.connect();
      await client.query(`LISTEN ${client.escapeIdentifier(this.channel)}`);
      if (this.closed) {
        await client.end();
        return;
      }
      this.client = client;
      this.isListening = true;
      this.lost();
    } catch {
      this.retry(client);
    }
  }

  /** Stops listening for good. */
  async close(): Promise<void> {
    this.closed = true;
    this.isListening = false;
    if (this.reconnecting) {
      clearTimeout(this.reconnecting);
    }
    await this.client?.end();
  }

  private retry(client: Client): void {
    client.removeAllListeners();
    client.on('error', () => undefined);
    client.end().catch(() => undefined);
    this.isListening = false;
    this.client = null;
    this.lost();
    if (!this.closed && !this.reconnecting) {
      this.reconnecting = setTimeout(() => {
        this.reconnecting = null;
        void this.open();
      }, RECONNECT_DELAY_MS);
    }
  }
}
