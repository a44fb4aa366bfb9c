import { Redis } from 'ioredis';
import type { RedisAddress } from './redis-connection';

const RECONNECT_MS_MAX = 1000;
const PATIENCE = { askedEveryMs: 5_000, answerWithinMs: 5_000 };

/**
 * Receives what replicas publish on one channel of Redis, on a connection of its own, which reconnects by itself. A
 * connection over which nothing comes looks the same whether nobody publishes or nobody is there any more; so Redis is
 * asked every five seconds, and has five seconds to answer.
 */
export class RedisSubscription {
  /** Whether what is published now arrives. */
  isListening = false;
  private readonly client: Redis;
  /** Runs out when it is time to ask, or when there is no answer. */
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param channel without the prefix of the address
   * @param heard gets each text
   * @param lost is called whenever texts may have been missed: when the connection is lost, and when there is a new one
   */
  constructor(
    { url, keyPrefix }: RedisAddress,
    channel: string,
    heard: (text: string) => void,
    lost: () => void,
    private readonly patience = PATIENCE,
  ) {
    this.client = new Redis(url, {
      maxRetriesPerRequest: null,
      autoResubscribe: false,
      retryStrategy: (attempts) => Math.min(50 * 2 ** attempts, RECONNECT_MS_MAX),
    });
    this.client.on('error', () => undefined);
    this.client.on('message', (_: string, text: string) => heard(text));
    // The operating system accepts connections even for a Redis that hangs.
    this.client.on('connect', () => this.expectAnswer());
    this.client.on('close', () => {
      clearTimeout(this.timer);
      if (this.isListening) {
        this.isListening = false;
        lost();
      }
    });
    this.client.on('ready', () => {
      this.client.subscribe(keyPrefix + channel).then(
        () => {
          this.isListening = true;
          this.askLater();
          lost();
        },
        () => this.client.disconnect(true),
      );
    });
  }

  close(): void {
    this.isListening = false;
    clearTimeout(this.timer);
    this.client.disconnect();
  }

  private askLater(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.expectAnswer();
      this.client.ping().then(
        () => this.isListening && this.askLater(),
        () => undefined,
      );
    }, this.patience.askedEveryMs).unref();
  }

  /** Replaces the connection unless something is answered in time. */
  private expectAnswer(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.client.disconnect(true), this.patience.answerWithinMs).unref();
  }
}
