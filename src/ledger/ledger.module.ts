import { Global, Injectable, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ConsoleSessions } from '../accounts/console-sessions';
import { AccountTokens } from '../accounts/credentials';
import { LoginAddresses } from '../accounts/password-login';
import { Configuration } from '../config/configuration';
import { AccountDatabases } from '../database/account-databases';
import { inBatches, type StoredRow, withBigints } from '../database/bounded-statements';
import { DatabaseUrl } from '../database/connection-pool';
import { ProcessRegister } from '../database/process-register';
import { EventSubscriptions } from '../events/event-subscriptions';
import { type NewEvent, Outbox } from '../events/outbox';
import { Clock, HOUR_MS, hourOf, presentMs } from '../runtime/clock';
import { part, timed } from '../work/timers';
import { Idempotency } from './idempotency';
import {
  type Balance,
  type CreditOrder,
  Ledger,
  type ReserveOrder,
  type ReserveVerdict,
  type Settlement,
  type SettleOrder,
} from './ledger';
import { LedgerFigures, LedgerMetrics, OperatorLoss } from './ledger.metrics';
import { LeaseLedger } from './lease-ledger';
import { NANO_PER_USD, nanoToUsd } from './money';
import { Balances, ReconciliationRepository } from './reconciliation';
import { AdminCredits, Transactions } from './transactions';
import { UsageDays, UsageLog, UsagePartitions } from './usage-log';
import { UsageOverTime } from './usage-series';
import { CallList } from './call-list';
import { RevenueReport } from './revenue';

const SPIKE_TYPE = 'usage.spike';
const HOURS_BEFORE = 168;
/** An hour is looked at from two minutes after its beginning until two after its end, so with its last charges. */
const BEHIND_MS = 2 * 60_000;
const USUAL_FACTOR_MAX = 3;
const USUAL_SPEND_MAX_NANO_USD = NANO_PER_USD;
const SPIKE_BATCHES = { sizeMax: 500, batchesMax: 2_000 };

interface Spike {
  accountId: string;
  spentNanoUsd: bigint;
  beforeNanoUsd: bigint;
}

@Injectable()
export class SpendSpikes {
  constructor(
    private readonly databases: AccountDatabases,
    private readonly subscriptions: EventSubscriptions,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Announces accounts that spent more in this hour (UTC) than 1 USD and than three times the mean of the 168
   * hours before; once for each account and hour, across replicas.
   */
  async publish(now: Date, signal?: AbortSignal): Promise<number> {
    const hour = hourOf(new Date(now.getTime() - BEHIND_MS));
    let [published, after]: [number, string | null] = [0, null];
    await inBatches({ ...SPIKE_BATCHES, signal }, async (sizeMax) => {
      const accountIds = await this.subscriptions.subscribers(SPIKE_TYPE, after, sizeMax);
      after = accountIds.at(-1) ?? null;
      const accounts = accountIds.map((accountId) => ({ accountId }));
      for (const [database, together] of this.databases.split(accounts)) {
        for (const spike of await spikesOf(database, together, hour)) {
          published += Number(await this.outbox.write(database, usageSpike(spike, hour, now)));
        }
      }
      return accountIds.length;
    });
    return published;
  }
}

async function spikesOf(
  database: DataSource,
  accounts: readonly { accountId: string }[],
  hour: Date,
): Promise<Spike[]> {
  const rows: StoredRow<Spike>[] = await database.query(SPIKES, [
    accounts.map(({ accountId }) => accountId),
    hour,
    new Date(hour.getTime() - HOURS_BEFORE * HOUR_MS),
    USUAL_SPEND_MAX_NANO_USD.toString(),
  ]);
  return rows.map((row) => withBigints(row, 'spentNanoUsd', 'beforeNanoUsd'));
}

// An hour's charges are summed up a second after they were made (usage_roll_up).
const SPIKES = `
  SELECT account_id AS "accountId", spent AS "spentNanoUsd", before AS "beforeNanoUsd"
  FROM unnest($1::uuid[]) AS asked (account_id)
  CROSS JOIN LATERAL (
    SELECT -amount_nano AS spent FROM ledger_hours AS h
    WHERE h.account_id = asked.account_id AND hour = $2 AND type = 'charge' AND -amount_nano > $4
  ) AS present
  CROSS JOIN LATERAL (
    SELECT coalesce(-sum(amount_nano), 0)::bigint AS before FROM ledger_hours AS h
    WHERE h.account_id = asked.account_id AND hour >= $3 AND hour < $2 AND type = 'charge'
  ) AS week
  WHERE spent::numeric * ${HOURS_BEFORE} > ${USUAL_FACTOR_MAX} * before::numeric
  ORDER BY account_id`;

/** The mark outlasts the hour, because another replica's clock may be behind. */
function usageSpike({ accountId, spentNanoUsd, beforeNanoUsd }: Spike, hour: Date, now: Date): NewEvent {
  const mean = nanoToUsd(beforeNanoUsd / BigInt(HOURS_BEFORE));
  const factor = Number(spentNanoUsd * BigInt(HOURS_BEFORE)) / Number(beforeNanoUsd);
  return {
    accountId,
    type: SPIKE_TYPE,
    data: {
      user_id: accountId,
      hour_starts_at: hour.toISOString(),
      spent: nanoToUsd(spentNanoUsd),
      hourly_mean: mean,
      factor: beforeNanoUsd === 0n ? null : Number(factor.toFixed(2)),
    },
    operation: null,
    occurredAt: now,
    once: { mark: `${SPIKE_TYPE}:${hour.toISOString()}`, heldUntil: new Date(hour.getTime() + 2 * HOUR_MS) },
  };
}

const SERVICES = [
  CallList,
  RevenueReport,
  AdminCredits,
  Balances,
  Idempotency,
  LedgerFigures,
  LedgerMetrics,
  OperatorLoss,
  ReconciliationRepository,
  SpendSpikes,
  Transactions,
  UsageDays,
  UsageLog,
  UsageOverTime,
  UsagePartitions,
];

@Global()
@Module({
  providers: [
    ...SERVICES,
    {
      provide: Ledger,
      inject: [AccountDatabases, DatabaseUrl, LedgerMetrics, ProcessRegister],
      useFactory: ledgerOf,
    },
  ],
  exports: [...SERVICES, Ledger],
})
export class LedgerModule {}

export function ledgerOf(
  databases: AccountDatabases,
  url: DatabaseUrl,
  metrics: LedgerMetrics,
  register: ProcessRegister,
): LeaseLedger | DividedLedger {
  const ledgers = databases.all.map((database, number) => {
    const address = databases.addressOf(number, url.session);
    // A distributed schema has its own table of processes.
    const all = databases.places ? database : databases.everyone;
    return new LeaseLedger(database, address, metrics, register, all);
  });
  const [only] = ledgers;
  return ledgers.length === 1 && only ? only : new DividedLedger(databases, ledgers);
}

export class DividedLedger extends Ledger implements OnApplicationShutdown {
  private readonly ledgers: ReadonlyMap<DataSource, LeaseLedger>;

  constructor(
    private readonly databases: AccountDatabases,
    ledgers: readonly LeaseLedger[],
  ) {
    super();
    this.ledgers = new Map(ledgers.map((ledger) => [ledger.database, ledger]));
  }

  override reserve(order: ReserveOrder): ReserveVerdict | Promise<ReserveVerdict> {
    return this.of(order.accountId).reserve(order);
  }

  override settle(order: SettleOrder): Promise<Settlement> {
    return this.of(order.accountId).settle(order);
  }

  override credit(order: CreditOrder): Promise<string | null> {
    return this.of(order.accountId).credit(order);
  }

  override creditWithin(manager: Pick<EntityManager, 'query'>, order: CreditOrder): Promise<string | null> {
    return this.of(order.accountId).creditWithin(manager, order);
  }

  override sweep(now: Date): Promise<number> {
    return this.databases.sumInEach((database) => this.in(database).sweep(now));
  }

  override endSilent(accountId: string): Promise<void> {
    return this.of(accountId).endSilent(accountId);
  }

  override async show(accountId: string | null): Promise<void> {
    const shown = accountId === null ? [...this.ledgers.values()] : [this.of(accountId)];
    await Promise.all(shown.map((ledger) => ledger.show(accountId)));
  }

  override balance(accountId: string): Promise<Balance> {
    return this.of(accountId).balance(accountId);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.ledgers.values()].map((ledger) => ledger.onApplicationShutdown()));
  }

  of(accountId: string): LeaseLedger {
    return this.in(this.databases.of(accountId));
  }

  private in(database: DataSource): LeaseLedger {
    const ledger = this.ledgers.get(database);
    if (!ledger) {
      throw new Error('a schema of accounts has no ledger');
    }
    return ledger;
  }
}

/** Ends dead processes' calls and deletes expired rows. A call that two replicas sweep at once ends once. */
@Injectable()
export class Sweeper {
  private readonly logger = new Logger('Sweeper');

  constructor(
    private readonly ledger: Ledger,
    private readonly idempotency: Idempotency,
    private readonly tokens: AccountTokens,
    private readonly sessions: ConsoleSessions,
    private readonly loginAddresses: LoginAddresses,
    private readonly clock: Clock,
    private readonly metrics: LedgerMetrics,
  ) {}

  /** Returns how many calls it ended. When one part fails, the others are still done. */
  async sweep(): Promise<number> {
    const now = this.clock.now();
    const swept = (await part(this.logger, 'the sweep of calls', () => this.sweepCalls(now))) ?? 0;
    await part(this.logger, 'the sweep of idempotency claims', () => this.idempotency.sweep(now));
    await part(this.logger, 'the sweep of ended tokens', () => this.tokens.sweep(now));
    await part(this.logger, 'the sweep of sessions', () => this.sessions.sweep(now));
    await part(this.logger, 'the sweep of addresses of logins', () => this.loginAddresses.sweep());
    if (swept > 0) {
      this.logger.warn({ message: 'reservations of dead calls were released', count: swept });
    }
    return swept;
  }

  private async sweepCalls(now: Date): Promise<number> {
    const startedAtMs = performance.now();
    const swept = await this.ledger.sweep(now);
    this.metrics.sweepSeconds.observe((performance.now() - startedAtMs) / 1000);
    this.metrics.sweptCalls.add(swept);
    return swept;
  }
}

/** Time for millions of entries: nobody waits for it, and it locks nothing. */
const CHECKED_WITHIN_MS = 5 * 60_000;

@Injectable()
export class BalanceCheck {
  private readonly logger = new Logger('BalanceCheck');

  constructor(
    private readonly reconciliation: ReconciliationRepository,
    private readonly figures: LedgerFigures,
  ) {}

  async check(): Promise<void> {
    const reconciliation = await this.reconciliation.reconcileNewCharges(CHECKED_WITHIN_MS);
    this.figures.checked(reconciliation);
    if (reconciliation.mismatches.length > 0) {
      const accounts = reconciliation.mismatches.map(({ accountId }) => accountId);
      this.logger.error({ message: 'balances are not the sums of their entries', accounts });
    }
  }
}

/** Keeps partitions and daily sums. Two replicas may run it at once; the next run mends a missed one. */
@Injectable()
export class UsageUpkeep {
  private readonly logger = new Logger('UsageUpkeep');

  constructor(
    private readonly partitions: UsagePartitions,
    private readonly days: UsageDays,
    private readonly configuration: Configuration,
    private readonly clock: Clock,
  ) {}

  async run(signal?: AbortSignal): Promise<void> {
    await part(this.logger, 'the sums of calls', () => this.days.rollUp(signal));
    await part(this.logger, 'the upkeep of partitions', () => this.keepPartitions());
    await part(this.logger, 'the upkeep of hours of usage', () => this.keepHours());
    await part(this.logger, 'the upkeep of hours of the ledger', () => this.days.foldLedgerHours(signal));
    await part(this.logger, 'the upkeep of days of usage', () =>
      this.days.addFinishedHours(this.clock.now(), signal),
    );
  }

  private async keepPartitions(): Promise<void> {
    // A call's partition follows from its id, and ids are not made by the injected clock.
    const now = new Date(presentMs());
    const { added, dropped } = await this.partitions.keep(now, this.configuration.usageRetentionMonths);
    if (added.length + dropped.length > 0) {
      this.logger.log({ message: 'partitions of the usage log were changed', added, dropped });
    }
  }

  private async keepHours(): Promise<void> {
    const { usageHoursRetentionDays } = this.configuration;
    const changed = await this.partitions.keepHours(new Date(presentMs()), usageHoursRetentionDays);
    if (changed.length > 0) {
      this.logger.log({ message: 'partitions of hours of usage were made or dropped', changed });
    }
  }
}

const ROLLED_UP_EVERY_MS = 1_000;

export const LEDGER_TIMERS = [
  timed({ name: 'Sweeper', everyMs: 10_000, of: Sweeper, work: (sweeper) => sweeper.sweep() }),
  timed({
    name: 'BalanceCheck',
    everyMs: HOUR_MS,
    first: 'with the background work',
    of: BalanceCheck,
    work: (balances) => balances.check(),
  }),
  timed({
    name: 'UsageUpkeep',
    everyMs: HOUR_MS,
    first: 'at the start',
    of: UsageUpkeep,
    work: (upkeep, { signal }) => upkeep.run(signal),
  }),
  timed({
    name: 'UsageRollUp',
    everyMs: ROLLED_UP_EVERY_MS,
    of: UsageDays,
    work: (days, { signal }) => days.rollUpAtIntervals(signal),
  }),
  // A job of its own, because no charge should pay for reading a week.
  timed({
    name: 'UsageSpikes',
    everyMs: 60_000,
    of: SpendSpikes,
    work: (spikes, { now, signal }) => spikes.publish(now, signal),
  }),
];
