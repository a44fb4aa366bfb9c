import { setTimeout as delay } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import { ANSWER_WITHIN_MS, DeadlineClient } from './connection';
import { DatabaseUnreachable, mayConnectLater } from './driver-errors';

const WAITING_MAX = 10_000;
const TRIED_EVERY_MS = 100;
/** What is left to a statement whose caller has waited for its connection for long. */
const STATEMENT_MS_MIN = 1_000;

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

/**
 * A pool of connections that waits for a database which is away: whoever needs a connection gets one as soon as the
 * database is back, or learns after five seconds that it is not. Nothing has been run by then, so waiting is safe, which
 * trying a statement again would not be. Meanwhile a single attempt at a time asks whether the database is back,
 * however many wait.
 */
export class PatientPool extends Pool {
  private isProbing = false;
  /** Why the latest attempt to connect failed. */
  private lastFault: unknown = null;
  /**
   * Wakes each caller that waits. A promise which they all wait for would keep every one of them in memory, also those
   * that have given up, until the database is back.
   */
  private readonly waiting = new Set<() => void>();

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    const connected = this.connectInTime();
    if (!callback) {
      return connected;
    }
    connected.then(
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  /** @throws DatabaseUnreachable when there is no connection within five seconds */
  private async connectInTime(): Promise<PoolClient> {
    const startedMs = performance.now();
    const deadlineMs = startedMs + ANSWER_WITHIN_MS;
    const client = await this.connectBefore(deadlineMs);
    if (client instanceof DeadlineClient) {
      client.hurry(Math.max(STATEMENT_MS_MIN, deadlineMs - performance.now()));
    }
    return client;
  }

  private async connectBefore(deadlineMs: number): Promise<PoolClient> {
    if (this.waiting.size + this.waitingCount >= WAITING_MAX) {
      throw new DatabaseUnreachable(new Error('too many wait for a connection'));
    }
    for (;;) {
      if (this.isProbing) {
        await this.wait(deadlineMs);
      }
      try {
        return await inTime(super.connect(), deadlineMs);
      } catch (cause) {
        if (performance.now() >= deadlineMs || !mayConnectLater(cause)) {
          throw cause instanceof DatabaseUnreachable ? cause : new DatabaseUnreachable(cause);
        }
        this.lastFault = cause;
        this.probe();
      }
    }
  }

  /** Resolves when the probe has ended. @throws DatabaseUnreachable at the deadline */
  private wait(deadlineMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const wake = () => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(wake);
        reject(new DatabaseUnreachable(this.lastFault));
      }, msUntil(deadlineMs));
      this.waiting.add(wake);
    });
  }

  private probe(): void {
    if (!this.isProbing) {
      this.isProbing = true;
      void this.untilReachable().finally(() => {
        this.isProbing = false;
        this.waiting.forEach((wake) => wake());
      });
    }
  }

  /** Tries to connect until it succeeds, until it fails for a reason that will not pass, or until nobody waits. */
  private async untilReachable(): Promise<void> {
    do {
      await delay(TRIED_EVERY_MS);
      try {
        (await super.connect()).release();
        return;
      } catch (error) {
        this.lastFault = error;
        if (!mayConnectLater(error)) {
          return;
        }
      }
    } while (this.waiting.size > 0 && !this.ending);
  }
}

/** Gives a connection that comes too late back to the pool. */
async function inTime(connecting: Promise<PoolClient>, deadlineMs: number): Promise<PoolClient> {
  let isLate = false;
  connecting.then(
    (client) => isLate && client.release(),
    () => undefined,
  );
  try {
    return await before(deadlineMs, connecting);
  } catch (error) {
    isLate = true;
    throw error;
  }
}

/** @throws DatabaseUnreachable at the deadline */
async function before<Result>(deadlineMs: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(noAnswer()), msUntil(deadlineMs));
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function msUntil(deadlineMs: number): number {
  return Math.max(0, deadlineMs - performance.now());
}

function noAnswer(): DatabaseUnreachable {
  return new DatabaseUnreachable(new Error('no answer in time'));
}
