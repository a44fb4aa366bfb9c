import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AccountTokens } from '../core/access/accounts/account-tokens';
import { Idempotency } from '../core/money/idempotency/idempotency';
import { Ledger } from '../core/money/ledger/ledger';
import { LedgerMetrics } from '../core/money/ledger/ledger-metrics';
import { Clock } from '../infrastructure/clock/clock';
import { TimedJob } from './timed-job';

const SWEPT_EVERY_MS = 10_000;

/**
 * Gives back what calls had reserved whose process died before it could settle them. Every replica sweeps: a call is
 * ended by whoever comes first, so that no replica has to be the one that survives.
 */
@Injectable()
export class Sweeper implements OnModuleDestroy {
  readonly job = new TimedJob('Sweeper', () => this.sweep());
  private readonly logger = new Logger('Sweeper');

  constructor(
    private readonly ledger: Ledger,
    private readonly idempotency: Idempotency,
    private readonly tokens: AccountTokens,
    private readonly clock: Clock,
    private readonly metrics: LedgerMetrics,
  ) {}

  @Interval(SWEPT_EVERY_MS)
  tick(): Promise<void> {
    return this.job.tick();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.end();
  }

  /** Ends what has run out by now and returns how many calls that were. One failing part leaves the others. */
  async sweep(): Promise<number> {
    const now = this.clock.now();
    const swept = (await this.job.part('the sweep of calls', () => this.sweepCalls(now))) ?? 0;
    await this.job.part('the sweep of idempotency claims', () => this.idempotency.sweep(now));
    await this.job.part('the sweep of ended tokens', () => this.tokens.sweep(now));
    if (swept > 0) {
      this.logger.warn({ message: 'reservations of dead calls were released', count: swept });
    }
    return swept;
  }

  private async sweepCalls(now: Date): Promise<number> {
    const startedAtMs = performance.now();
    const swept = await this.ledger.sweep(now);
    this.metrics.sweep(performance.now() - startedAtMs);
    this.metrics.swept(swept);
    return swept;
  }
}
