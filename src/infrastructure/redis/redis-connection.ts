import type { OnApplicationShutdown } from '@nestjs/common';
import { Redis, type RedisOptions } from 'ioredis';
import type { RedisScript } from './redis-script';

const BOOT_WAIT_MS_MAX = 1000;
const CONNECT_TIMEOUT_MS = 2000;
const RECONNECT_MS_MIN = 50;
const RECONNECT_MS_MAX = 2000;
const CLOSE_MS_MAX = 100;

export interface RedisAddress {
  /** redis:// or rediss:// */
  readonly url: string;
  /** What the names of all keys begin with, so that several services can share a Redis. */
  readonly keyPrefix: string;
  /** Longer than this no answer is worth waiting for. */
  readonly timeoutMs: number;
}

/** Redis could not be asked, did not answer in time, or refused. Whether it has done what was asked is unknown. */
export class RedisUnavailable extends Error {}

/**
 * One connection to Redis for a whole process. It comes back by itself, and while it is away commands are refused at
 * once: nothing is kept for later, for whoever asks has an answer of his own by then.
 */
export class RedisConnection implements OnApplicationShutdown {
  private readonly client: Redis;
  private readonly firstOutcome: Promise<void>;
  private greeting: NodeJS.Timeout | undefined;
  private usable = false;
  private attempts = 0;
  private lastFault = 'it has not been reached yet';

  private constructor(readonly address: RedisAddress) {
    this.client = new Redis(address.url, this.options());
    this.client.on('error', (error: Error) => (this.lastFault = error.message));
    this.client.on('close', () => {
      clearTimeout(this.greeting);
      this.usable = false;
    });
    this.client.on('connect', () => this.expectGreeting());
    this.firstOutcome = new Promise((resolve) => {
      this.client.once('close', resolve);
      this.client.on('ready', () => void this.check().then(resolve));
    });
  }

  /** Connects and waits for the first outcome, a second at most: the service also starts while Redis is down. */
  static async open(address: RedisAddress): Promise<RedisConnection> {
    const connection = new RedisConnection(address);
    await timed(connection.firstOutcome, BOOT_WAIT_MS_MAX).catch(() => undefined);
    return connection;
  }

  /** Whether commands are taken right now. */
  get isUsable(): boolean {
    return this.usable;
  }

  /** Why the connection failed last. */
  get fault(): string {
    return this.lastFault;
  }

  /**
   * Runs a script, which Redis does as one step that nothing else comes between.
   * @returns what the script returns
   * @throws RedisUnavailable after `timeoutMs`, without a connection, or when Redis or the script refuses
   */
  async run(
    script: RedisScript,
    keys: string[],
    values: string[],
    timeoutMs = this.address.timeoutMs,
  ): Promise<unknown> {
    const rest = [keys.length, ...keys, ...values] as const;
    return this.bounded(timeoutMs, async () => {
      try {
        return await this.client.evalsha(script.sha1, ...rest);
      } catch (error) {
        if (!(error as Error).message.startsWith('NOSCRIPT')) {
          throw error;
        }
        return this.client.eval(script.source, ...rest);
      }
    });
  }

  /** Removes one key. @throws RedisUnavailable as {@link run} does */
  async remove(key: string): Promise<void> {
    await this.bounded(this.address.timeoutMs, () => this.client.del(key));
  }

  /** The calls in flight are answered by now, so that nothing is waited for. */
  onApplicationShutdown(): void {
    this.usable = false;
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
      // A primary that was demoted: connecting anew finds its successor.
      reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    };
  }

  /** Grows until a command succeeds, not just a connection, so that a Redis that is too slow is left in peace. */
  private reconnectAfterMs(): number {
    const afterMs = Math.min(RECONNECT_MS_MIN * 2 ** this.attempts, RECONNECT_MS_MAX);
    this.attempts = Math.min(this.attempts + 1, 10);
    return afterMs;
  }

  /** A machine can take a connection for a Redis that hangs. Without a bound that would be waited for forever. */
  private expectGreeting(): void {
    const giveUp = () => this.drop(new Error('it takes connections but does not answer'));
    clearTimeout(this.greeting);
    this.greeting = setTimeout(giveUp, CONNECT_TIMEOUT_MS);
  }

  /** A connection that answers too slowly would cost callers their time; it is found out at nobody's expense. */
  private async check(): Promise<void> {
    clearTimeout(this.greeting);
    try {
      await timed(this.client.ping(), this.address.timeoutMs);
      this.usable = true;
    } catch (error) {
      this.drop(error as Error);
    }
  }

  private async bounded<Answer>(timeoutMs: number, command: () => Promise<Answer>): Promise<Answer> {
    if (!this.usable) {
      throw new RedisUnavailable(this.lastFault);
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

  /** Gives a connection up that does not answer: whatever was sent on it later would wait behind what hangs. */
  private drop(error: Error): void {
    this.usable = false;
    this.lastFault = error.message;
    this.client.disconnect(true);
  }
}

class TooLate extends Error {}

async function timed<Answer>(answer: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new TooLate(`no answer within ${Math.round(timeoutMs)} ms`));
    // One look at the sockets first: if this process itself has paused, the answer may have long been there.
    timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
