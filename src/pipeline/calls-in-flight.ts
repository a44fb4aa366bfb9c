import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import type { CallState, EndObserver } from '../contract/call-state';
import { ServiceUnavailable } from '../core/errors/service-errors';

const DRAIN_MS_MAX = 25_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * The calls whose work has begun and not ended. A shutdown waits for them, also for those whose client has gone away:
 * the server forgets a call with its connection, but its settlement still needs the database.
 */
@Injectable()
export class CallsInFlight implements EndObserver, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger('Shutdown');
  private calls = 0;
  private draining = false;
  private drained: () => void = () => undefined;

  /** @throws ServiceUnavailable once the shutdown has begun */
  begin(call: CallState): void {
    if (this.draining) {
      throw new ServiceUnavailable('The service is shutting down; call again.', RETRY_AFTER_SECONDS);
    }
    this.calls += 1;
    call.onEnd(this);
  }

  ended(): void {
    this.calls -= 1;
    if (this.calls === 0) {
      this.drained();
    }
  }

  onModuleDestroy(): void {
    this.draining = true;
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.calls === 0) {
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.drained = resolve;
      timer = setTimeout(resolve, DRAIN_MS_MAX);
    });
    clearTimeout(timer);
    if (this.calls > 0) {
      this.logger.warn({
        message: 'calls were cut off; their reservations will be swept',
        count: this.calls,
      });
    }
  }
}
