import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { LedgerFigures } from '../core/money/ledger/ledger-figures';
import { ReconciliationRepository } from '../core/money/ledger/reconciliation.repository';
import { TimedJob } from './timed-job';

const CHECKED_EVERY_MS = 60 * 60_000;
/** As many millions of entries as there may be: nobody waits for it, and it locks nothing. */
const CHECKED_WITHIN_MS = 5 * 60_000;

/** Compares every balance with the sum of its entries, so that the metrics can wake somebody if one is wrong. */
@Injectable()
export class Books implements OnModuleDestroy {
  readonly job = new TimedJob('Books', () => this.check());
  private readonly logger = new Logger('Books');

  constructor(
    private readonly reconciliation: ReconciliationRepository,
    private readonly figures: LedgerFigures,
  ) {}

  @Interval(CHECKED_EVERY_MS)
  tick(): Promise<void> {
    return this.job.tick();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.end();
  }

  /** Checks once. */
  async check(): Promise<void> {
    const reconciliation = await this.reconciliation.reconcile(CHECKED_WITHIN_MS);
    this.figures.checked(reconciliation);
    if (reconciliation.mismatches.length > 0) {
      const accounts = reconciliation.mismatches.map(({ accountId }) => accountId);
      this.logger.error({ message: 'balances are not the sums of their entries', accounts });
    }
  }
}
