import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AccountTokens } from '../../access/accounts/account-tokens';
import { Idempotency } from '../idempotency/idempotency';
import { Ledger } from './ledger';
import { LedgerMetrics } from './ledger-metrics';
import { Clock } from '../../../infrastructure/clock/clock';
import { Metrics } from '../../../infrastructure/metrics/metrics';

const SWEPT_EVERY_MS = 10_000;

/**
 * Gives back what calls had reserved whose process died before it could settle them. Every replica sweeps: a call is
 * ended by whoever comes first, so that no replica has to be the one that survives.
 */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Sweeper');
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly ledger: Ledger,
    private readonly idempotency: Idempotency,
    private readonly tokens: AccountTokens,
    private readonly clock: Clock,
    private readonly metrics: LedgerMetrics = new LedgerMetrics(new Metrics()),
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.running.then(async () => {
        await this.sweep();
      });
    }, SWEPT_EVERY_MS);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) {
      clearInterval(this.timer);
    }
    await this.running;
  }

  /** Ends what has run out by now and returns how many calls that were. One failing part leaves the others. */
  async sweep(): Promise<number> {
    const now = this.clock.now();
    const swept = await this.part('calls', () => this.sweepCalls(now));
    await this.part('idempotency claims', () => this.idempotency.sweep(now));
    await this.part('ended tokens', () => this.tokens.sweep(now));
    if (swept) {
      this.logger.warn({ message: 'reservations of dead calls were released', count: swept });
    }
    return swept ?? 0;
  }

  private async sweepCalls(now: Date): Promise<number> {
    const startedAtMs = performance.now();
    const swept = await this.ledger.sweep(now);
    this.metrics.sweep(performance.now() - startedAtMs);
    this.metrics.swept(swept);
    return swept;
  }

  private async part<Result>(name: string, sweep: () => Promise<Result>): Promise<Result | null> {
    try {
      return await sweep();
    } catch (error) {
      this.logger.error({ message: `the sweep of ${name} failed and is tried again`, error: String(error) });
      return null;
    }
  }
}
