import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import type { EndObserver, MeteredCall } from './metered-call';
import { ServiceUnavailable, ShuttingDown } from '../core/errors/service-errors';

/** How long a shutdown waits for calls. */
export const DRAIN_MS_MAX = 25_000;
/**
 * When a shutdown breaks open streams off. What is left of DRAIN_MS_MAX is for settling them and telling why they end.
 */
const STREAMS_BROKEN_OFF_AFTER_MS = 20_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * The calls that have come in and not ended. A shutdown waits for them, also for those whose client has gone away:
 * the server forgets a call with its connection, but its settlement still needs the database.
 */
@Injectable()
export class CallsInFlight implements EndObserver, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger('Shutdown');
  private readonly streams = new Set<MeteredCall>();
  private calls = 0;
  private draining = false;
  private isBreakingOff = false;
  private lastEnded: () => void = () => undefined;
  private drained: Promise<void> = Promise.resolve();

  /** @throws ShuttingDown once the shutdown has begun */
  begin(call: MeteredCall): void {
    if (this.draining) {
      throw new ShuttingDown();
    }
    this.calls += 1;
    call.onEnd(this);
  }

  ended(): void {
    this.calls -= 1;
    if (this.calls === 0) {
      this.lastEnded();
    }
  }

  /** Lets a shutdown break the call's stream off, because a stream could go on for longer than the shutdown waits. */
  streamBegins(call: MeteredCall): void {
    this.streams.add(call);
    if (this.isBreakingOff) {
      breakOff(call);
    }
  }

  streamEnds(call: MeteredCall): void {
    this.streams.delete(call);
  }

  /** The times run from here on, because Nest asks one module after the other to wait, and what waits first may be a socket. */
  onModuleDestroy(): void {
    this.draining = true;
    this.drained = this.drain();
  }

  /** What calls need, the pool of the database above all, is closed only after this. */
  beforeApplicationShutdown(): Promise<void> {
    return this.drained;
  }

  private async drain(): Promise<void> {
    if (this.calls === 0) {
      return;
    }
    const timers: NodeJS.Timeout[] = [];
    await new Promise<void>((resolve) => {
      this.lastEnded = resolve;
      timers.push(setTimeout(resolve, DRAIN_MS_MAX));
      timers.push(setTimeout(() => this.breakStreamsOff(), STREAMS_BROKEN_OFF_AFTER_MS));
    });
    timers.forEach(clearTimeout);
    if (this.calls > 0) {
      this.logger.warn({
        message: 'calls were cut off; their reservations will be swept',
        count: this.calls,
      });
    }
  }

  private breakStreamsOff(): void {
    this.isBreakingOff = true;
    this.streams.forEach(breakOff);
  }
}

function breakOff(call: MeteredCall): void {
  call.abort(
    new ServiceUnavailable(
      'The service is shutting down. What was delivered is charged.',
      RETRY_AFTER_SECONDS,
    ),
  );
}
