import type { OnApplicationShutdown } from '@nestjs/common';
import { Redis, type RedisOptions } from 'ioredis';

const BOOT_WAIT_MS_MAX = 1000;
const CONNECT_TIMEOUT_MS = 2000;
const RECONNECT_MS_MIN = 50;
const RECONNECT_MS_MAX = 2000;
const CLOSE_MS_MAX = 100;

export interface RedisAddress {
  readonly url: string;
  /** What the names of all keys begin with, so that several services can share a Redis. */
  readonly keyPrefix: string;
  readonly timeoutMs: number;
}

/** No connection, no answer in time, or a refusal. Nobody knows whether Redis has run the command. */
export class RedisUnavailable extends Error {}

/** While it is not connected, commands are refused at once: callers go on without Redis. */
export class RedisConnection implements OnApplicationShutdown {
  private readonly client: Redis;
  private readonly firstOutcome: Promise<void>;
  private greeting: NodeJS.Timeout | undefined;
  isUsable = false;
  /** How often it has reconnected since a command last succeeded, counted up to 10. */
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

  /** Waits for the first attempt for a second at most, and never throws: the service starts even while Redis is down. */
  static async open(address: RedisAddress): Promise<RedisConnection> {
    const connection = new RedisConnection(address);
    await timed(connection.firstOutcome, BOOT_WAIT_MS_MAX).catch(() => undefined);
    return connection;
  }

  /** ioredis would go on in database 0, among keys and jobs of others. @returns false also for a Redis that is away */
  static async lacksDatabase(url: string): Promise<boolean> {
    const connection = await RedisConnection.open({ url, keyPrefix: '', timeoutMs: BOOT_WAIT_MS_MAX });
    connection.onApplicationShutdown();
    return connection.fault.includes('DB index is out of range');
  }

  /** Names a script of Lua for `run`. Its text is sent once over each connection, and where Redis does not know it any more. */
  define(name: string, lua: string): void {
    this.client.defineCommand(name, { lua });
  }

  /** @throws RedisUnavailable after `timeoutMs`, without a connection, or when Redis or the script refuses */
  async run(name: string, keys: string[], values: string[], timeoutMs: number): Promise<unknown> {
    const scripts = this.client as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
    return this.bounded(timeoutMs, async () => scripts[name]?.(keys.length, ...keys, ...values));
  }

  /** @throws RedisUnavailable */
  async remove(key: string): Promise<void> {
    await this.bounded(this.address.timeoutMs, () => this.client.del(key));
  }

  /** On a channel whose name gets the prefix of keys. @throws RedisUnavailable */
  async publish(channel: string, text: string): Promise<void> {
    await this.bounded(this.address.timeoutMs, () =>
      this.client.publish(this.address.keyPrefix + channel, text),
    );
  }

  /** Closes the connection. Nest calls this when all calls have been answered, so no command has to be waited for. */
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
      // The Redis that was the primary is a replica now. A new connection leads to the new primary.
      reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    };
  }

  /** Grows until a command succeeds, not a connection: a slow Redis would be burdened with new connections all the time. */
  private reconnectAfterMs(): number {
    const afterMs = Math.min(RECONNECT_MS_MIN * 2 ** this.attempts, RECONNECT_MS_MAX);
    this.attempts = Math.min(this.attempts + 1, 10);
    return afterMs;
  }

  /** The operating system accepts connections even for a Redis that hangs, and ioredis would wait for it for ever. */
  private expectGreeting(): void {
    const giveUp = () => this.drop(new Error('it takes connections but does not answer'));
    clearTimeout(this.greeting);
    this.greeting = setTimeout(giveUp, CONNECT_TIMEOUT_MS);
  }

  /** Tests a new connection before callers use it, so that no call has to wait for a Redis that answers too slowly. */
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

  /** Replaces a connection that does not answer: later commands on it would wait behind the one that hangs. */
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
    // setImmediate lets Node read the sockets once more: when this process has paused, the answer may be there
    // already.
    timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

const RESUBSCRIBE_MS_MAX = 1000;
const PATIENCE = { askedEveryMs: 5_000, answerWithinMs: 5_000 };

/** Silence does not tell of a lost connection: Redis is asked every five seconds, and has five seconds to answer. */
export class RedisSubscription {
  /** Whether what is published now arrives. */
  isListening = false;
  private readonly client: Redis;
  /** Runs out when it is time to ask, or when there is no answer. */
  private timer: NodeJS.Timeout | undefined;

  /** `channel` has no prefix yet. `lost` tells that texts may have been missed: at each lost and each new connection. */
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
