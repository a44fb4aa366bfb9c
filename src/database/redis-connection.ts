import type { OnApplicationShutdown } from '@nestjs/common';
import { Redis, type RedisOptions } from 'ioredis';

const BOOT_WAIT_MS_MAX = 1000;
const CONNECT_TIMEOUT_MS = 2000;
const RECONNECT_MS_MIN = 50;
const RECONNECT_MS_MAX = 2000;
const CLOSE_MS_MAX = 100;

export interface RedisAddress {
  readonly url: string;
  /** Begins all keys' names, so that services can share a Redis. */
  readonly keyPrefix: string;
  readonly timeoutMs: number;
}

/** No connection, no timely answer, or a refusal. Redis may have run the command. */
export class RedisUnavailable extends Error {}

/** Without a connection commands are refused at once: callers go on without Redis. */
export class RedisConnection implements OnApplicationShutdown {
  private readonly client: Redis;
  private readonly firstOutcome: Promise<void>;
  private greeting: NodeJS.Timeout | undefined;
  isUsable = false;
  /** Reconnections since a command last succeeded, at most 10. */
  private attempts = 0;
  fault = 'it has not been reached yet';

  private constructor(readonly address: RedisAddress) {
    this.client = new Redis(address.url, this.options());
    this.client.on('error', (error: Error) => (this.fault = error.message));
    this.client.on('close', () => {
      clearTimeout(this.greeting);
      this.isUsable = false;
    });
    this.client.on('connect', () => this.expectGreeting());
    this.firstOutcome = new Promise((resolve) => {
      this.client.once('close', resolve);
      this.client.on('ready', () => void this.check().then(resolve));
    });
  }

  /** Waits at most a second and never throws: the service starts even while Redis is down. */
  static async open(address: RedisAddress): Promise<RedisConnection> {
    const connection = new RedisConnection(address);
    await timed(connection.firstOutcome, BOOT_WAIT_MS_MAX).catch(() => undefined);
    return connection;
  }

  /** ioredis would go on in database 0, among others' keys. @returns false also for a Redis that is down */
  static async lacksDatabase(url: string): Promise<boolean> {
    const connection = await RedisConnection.open({ url, keyPrefix: '', timeoutMs: BOOT_WAIT_MS_MAX });
    connection.onApplicationShutdown();
    return connection.fault.includes('DB index is out of range');
  }

  /** Its text is sent once for each connection, and when Redis has forgotten it. */
  define(name: string, lua: string): void {
    this.client.defineCommand(name, { lua });
  }

  /** @throws RedisUnavailable after `timeoutMs`, without a connection, or when refused */
  async run(name: string, keys: string[], values: string[], timeoutMs: number): Promise<unknown> {
    const scripts = this.client as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
    return this.bounded(timeoutMs, async () => scripts[name]?.(keys.length, ...keys, ...values));
  }

  /** @throws RedisUnavailable */
  async remove(key: string): Promise<void> {
    await this.bounded(this.address.timeoutMs, () => this.client.del(key));
  }

  /** The channel gets the key prefix. @throws RedisUnavailable */
  async publish(channel: string, text: string): Promise<void> {
    await this.bounded(this.address.timeoutMs, () =>
      this.client.publish(this.address.keyPrefix + channel, text),
    );
  }

  onApplicationShutdown(): void {
    this.isUsable = false;
    this.client.disconnect();
  }

  private options(): RedisOptions {
    return {
      connectTimeout: CONNECT_TIMEOUT_MS,
      disconnectTimeout: CLOSE_MS_MAX,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: () => this.reconnectAfterMs(),
      // A former primary is a replica now; a new connection leads to the new primary.
      reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    };
  }

  /** Grows until a command succeeds: new connections would burden a slow Redis. */
  private reconnectAfterMs(): number {
    const afterMs = Math.min(RECONNECT_MS_MIN * 2 ** this.attempts, RECONNECT_MS_MAX);
    this.attempts = Math.min(this.attempts + 1, 10);
    return afterMs;
  }

  /** The system accepts connections for a hung Redis, and ioredis would wait for ever. */
  private expectGreeting(): void {
    const giveUp = () => this.drop(new Error('it takes connections but does not answer'));
    clearTimeout(this.greeting);
    this.greeting = setTimeout(giveUp, CONNECT_TIMEOUT_MS);
  }

  /** Before callers use a connection, so that no call waits for a Redis that is too slow. */
  private async check(): Promise<void> {
    clearTimeout(this.greeting);
    try {
      const { db } = this.client.options;
      await timed(db ? this.client.select(db) : this.client.ping(), this.address.timeoutMs);
      this.isUsable = true;
    } catch (error) {
      this.drop(error as Error);
    }
  }

  private async bounded<Answer>(timeoutMs: number, command: () => Promise<Answer>): Promise<Answer> {
    if (!this.isUsable) {
      throw new RedisUnavailable(this.fault);
    }
    try {
      const answer = await timed(command(), timeoutMs);
      this.attempts = 0;
      return answer;
    } catch (error) {
      if (error instanceof TooLate) {
        this.drop(error);
      }
      throw new RedisUnavailable((error as Error).message, { cause: error });
    }
  }

  /** Reconnects, because later commands would wait behind one that hangs. */
  private drop(error: Error): void {
    this.isUsable = false;
    this.fault = error.message;
    this.client.disconnect(true);
  }
}

class TooLate extends Error {}

async function timed<Answer>(answer: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new TooLate(`no answer within ${Math.round(timeoutMs)} ms`));
    // Lets Node read sockets once more: after a pause of this process the answer may be there.
    timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

const RESUBSCRIBE_MS_MAX = 1000;
const PATIENCE = { askedEveryMs: 5_000, answerWithinMs: 5_000 };

/** Silence does not show a lost connection: pings every five seconds, with five to answer. */
export class RedisSubscription {
  isListening = false;
  private readonly client: Redis;
  private timer: NodeJS.Timeout | undefined;

  /** @param channel without prefix @param lost texts may have been missed, at each lost and new connection */
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
      retryStrategy: (attempts) => Math.min(50 * 2 ** attempts, RESUBSCRIBE_MS_MAX),
    });
    this.client.on('error', () => undefined);
    this.client.on('message', (_: string, text: string) => heard(text));
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

  private expectAnswer(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.client.disconnect(true), this.patience.answerWithinMs).unref();
  }
}
