import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AccountTokens } from '../core/access/accounts/account-tokens';
import { LoginAddresses } from '../core/access/accounts/login-addresses';
import { Idempotency } from '../core/money/idempotency/idempotency';
import { Ledger } from '../core/money/ledger/ledger';
import { LedgerMetrics } from '../core/money/ledger/ledger-metrics';
import { Clock } from '../infrastructure/clock/clock';
import { TimedJob } from './timed-job';

const SWEPT_EVERY_MS = 10_000;

/**
 * Gives back the credit that calls had reserved when their process died before it could settle them. It also deletes
 * idempotency claims, ended tokens and addresses of logins that have expired. Every replica sweeps, so that the work gets done whichever of
 * them survives; a call that two replicas sweep at once is ended only once.
 */
@Injectable()
export class Sweeper implements OnModuleDestroy {
  readonly job = new TimedJob('Sweeper', () => this.sweep());
  private readonly logger = new Logger('Sweeper');

  constructor(
    private readonly ledger: Ledger,
    private readonly idempotency: Idempotency,
    private readonly tokens: AccountTokens,
    private readonly loginAddresses: LoginAddresses,
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

  /** Sweeps once and returns how many calls it ended. When one part fails, the others are still done. */
  async sweep(): Promise<number> {
    const now = this.clock.now();
    const swept = (await this.job.part('the sweep of calls', () => this.sweepCalls(now))) ?? 0;
    await this.job.part('the sweep of idempotency claims', () => this.idempotency.sweep(now));
    await this.job.part('the sweep of ended tokens', () => this.tokens.sweep(now));
    await this.job.part('the sweep of addresses of logins', () => this.loginAddresses.sweep());
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
