import { Client } from 'pg';
import { ANSWER_WITHIN_MS, cut, KEEP_ALIVE_AFTER_MS, within } from './connection-pool';
import { PrimaryClient } from './primary-client';

const RECONNECT_DELAY_MS = 1000;
const ASKED_EVERY_MS = 5_000;
/** Held by one connection of a channel until it ends, however it ends. */
const LEAD = 'SELECT pg_try_advisory_lock(hashtextextended($1, 7310004)) AS leads';

/**
 * Receives the notifications that replicas send on one channel of Postgres (LISTEN/NOTIFY). While the connection is
 * down, `isListening` is false; a cache that depends on the notifications must not be used then. A connection over
 * which nothing comes looks the same whether nobody sends or nobody is there any more; so the server is asked every
 * five seconds, and has five seconds to answer.
 */
export class Notifications {
  isListening = false;
  /** Whether this is the one listener of the channel, in all processes, that does what it takes only one to do. */
  isLeading = false;
  private client: Client | null = null;
  private reconnecting: NodeJS.Timeout | null = null;
  private asking: NodeJS.Timeout | null = null;
  private closed = false;

  /**
   * @param heard gets the text of each notification
   * @param lost is called whenever notifications may have been missed: when the connection is lost or cannot be made,
   *   when there is a new one, and when this listener becomes the leading one
   * @param mayLead whether it may become so; another takes over within five seconds when its connection ends
   */
  constructor(
    private readonly url: string,
    private readonly channel: string,
    private readonly heard: (payload: string) => void,
    private readonly lost: () => void,
    private readonly mayLead = false,
  ) {}

  /** Connects and listens. Never throws: a failed or lost connection is retried every second until {@link close}. */
  async open(): Promise<void> {
    const client = new PrimaryClient({
      connectionString: this.url,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
    });
    client.on('notification', (message) => this.heard(message.payload ?? ''));
    client.on('error', () => this.retry(client));
    client.on('end', () => this.retry(client));
    try {
      await client.connect();
      await within(ANSWER_WITHIN_MS, client, client.query(`LISTEN ${client.escapeIdentifier(this.channel)}`));
      const leads = this.mayLead && (await this.leads(client));
      if (this.closed) {
        await client.end();
        return;
      }
      this.client = client;
      this.isListening = true;
      this.isLeading = leads;
      this.askLater(client);
      this.lost();
    } catch {
      this.retry(client);
    }
  }

  /** Stops listening for good. */
  async close(): Promise<void> {
    this.closed = true;
    this.isListening = false;
    this.isLeading = false;
    if (this.reconnecting) {
      clearTimeout(this.reconnecting);
    }
    if (this.asking) {
      clearTimeout(this.asking);
    }
    const { client } = this;
    if (client) {
      await within(ANSWER_WITHIN_MS, client, client.end());
    }
  }

  private askLater(client: Client): void {
    this.asking = setTimeout(() => {
      this.ask(client).then(
        () => this.client === client && !this.closed && this.askLater(client),
        () => this.retry(client),
      );
    }, ASKED_EVERY_MS).unref();
  }

  private async ask(client: Client): Promise<void> {
    if (!this.mayLead || this.isLeading) {
      await within(ANSWER_WITHIN_MS, client, client.query('SELECT 1'));
    } else if ((await this.leads(client)) && this.client === client) {
      this.isLeading = true;
      this.lost();
    }
  }

  private async leads(client: Client): Promise<boolean> {
    const asked = client.query<{ leads: boolean }>(LEAD, [this.channel]);
    const { rows } = await within(ANSWER_WITHIN_MS, client, asked);
    return rows[0]?.leads === true;
  }

  private retry(client: Client): void {
    client.removeAllListeners();
    cut(client);
    // Of a connection that was replaced meanwhile, nothing more is to be done.
    if (this.reconnecting || (this.client !== null && this.client !== client)) {
      return;
    }
    if (this.asking) {
      clearTimeout(this.asking);
    }
    this.isListening = false;
    this.isLeading = false;
    this.client = null;
    this.lost();
    if (!this.closed) {
      this.reconnecting = setTimeout(() => {
        this.reconnecting = null;
        void this.open();
      }, RECONNECT_DELAY_MS);
    }
  }
}
