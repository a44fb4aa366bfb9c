import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Conflict } from '../../errors/api-errors';
import { type Counter, Metrics } from '../../observability/metrics';
import { Clock, untilAborted } from '../../runtime/clock';
import type { Look, Payment } from './payment';
import {
  type ChainTip,
  ChainUnavailable,
  type Currency,
  type Observation,
  type PaymentChain,
  type TransferSighting,
  WrongNetwork,
} from './payment-chain';
import { PaymentChains, SandboxChain } from './payment-chains';
import { orUnavailable } from './new-payments';
import { PaymentSettlement } from './payment-settlement';
import { Payments } from './payments.repository';
import { PriceSources, PriceUnavailable, sandboxQuote } from './price-sources';

const OPERATION = 'confirmPayment';
const PASS_MS_MAX = 20_000;
/** The operation that waits for it has ten seconds. */
const CHECK_MS_MAX = 8_000;
const LOOKED_AT_ONCE_MAX = { active: 4_000, resting: 1_000 };
const RESTING_EVERY_MS = 10 * 60 * 1000;

export interface WatchRound {
  looked: number;
  changed: number;
  requests: number;
}

interface ChainWatch {
  currency: Currency;
  succeededAt: Date | null;
  failedAt: Date | null;
  tipHeight: number | null;
  tipTime: Date | null;
  fault: string | null;
}

@Injectable()
export class ChainWatches {
  constructor(private readonly database: DataSource) {}

  async succeeded(currency: Currency, tip: ChainTip, now: Date): Promise<void> {
    await this.database.query(
      `INSERT INTO chain_watches (currency, succeeded_at, tip_height, tip_time) VALUES ($1, $2, $3, $4)
       ON CONFLICT (currency) DO UPDATE SET succeeded_at = excluded.succeeded_at, tip_height = excluded.tip_height,
         tip_time = excluded.tip_time`,
      [currency, now, tip.height, tip.time],
    );
  }

  async failed(currency: Currency, fault: string, now: Date): Promise<void> {
    await this.database.query(
      `INSERT INTO chain_watches (currency, failed_at, fault) VALUES ($1, $2, $3)
       ON CONFLICT (currency) DO UPDATE SET failed_at = excluded.failed_at, fault = excluded.fault`,
      [currency, now, fault],
    );
  }

  async all(): Promise<ChainWatch[]> {
    return this.database.query<ChainWatch[]>(
      `SELECT currency, succeeded_at AS "succeededAt", failed_at AS "failedAt", tip_height::float8 AS "tipHeight",
         tip_time AS "tipTime", fault FROM chain_watches`,
    );
  }
}

interface PaymentFigures {
  open: ReadonlyMap<Currency, number>;
  reviews: number;
  watches: readonly ChainWatch[];
}

/** Any replica may do a look, so each reads their results from the database at a scrape. */
@Injectable()
export class PaymentMetrics {
  private readonly figures: { readonly latest: PaymentFigures };
  private readonly startedAt: Date;
  private readonly failedLooks: ReadonlyMap<Currency, Counter>;

  constructor(
    metrics: Metrics,
    private readonly chains: PaymentChains,
    payments: Payments,
    chainWatches: ChainWatches,
    private readonly clock: Clock,
  ) {
    this.startedAt = clock.now();
    const none: PaymentFigures = { open: new Map(), reviews: 0, watches: [] };
    this.figures = metrics.poll(none, async () => ({
      open: await payments.openCounts(),
      reviews: await payments.reviewCount(),
      watches: await chainWatches.all(),
    }));
    metrics.gauges('payments_open', 'Payments that wait for their chain.', () =>
      this.perChain((currency) => this.figures.latest.open.get(currency) ?? 0),
    );
    metrics.gauges('payment_watch_lag_seconds', 'Seconds since a chain was looked at with success.', () =>
      this.perChain((currency) => this.ageSeconds(this.watchOf(currency)?.succeededAt ?? this.startedAt)),
    );
    metrics.gauges('payment_node_up', 'Whether the last look at a chain succeeded: 1 or 0.', () =>
      this.perChain((currency) => (this.isUp(currency) ? 1 : 0)),
    );
    metrics.gauges(
      'payment_chain_height',
      'The newest block that was seen of a chain; 0 before the first.',
      () => this.perChain((currency) => this.watchOf(currency)?.tipHeight ?? 0),
    );
    metrics.gauges('payment_chain_tip_seconds', "Age of that block by the chain's own time; 0 before.", () =>
      this.perChain((currency) => this.ageSeconds(this.watchOf(currency)?.tipTime ?? null)),
    );
    const failures = metrics.counter(
      'payment_looks_failed_total',
      'Looks at a chain by this process that failed.',
    );
    this.failedLooks = new Map(
      chains.all().map(({ currency }) => [currency, failures.labelled({ currency })]),
    );
    metrics.gauge(
      'payments_in_review',
      'Payments that a person has to look at.',
      () => this.figures.latest.reviews,
    );
  }

  lookFailed(currency: Currency): void {
    this.failedLooks.get(currency)?.add();
  }

  private perChain(value: (currency: Currency) => number) {
    return this.chains.all().map(({ currency }) => ({ labels: { currency }, value: value(currency) }));
  }

  private watchOf(currency: Currency): ChainWatch | undefined {
    return this.figures.latest.watches.find((watch) => watch.currency === currency);
  }

  private ageSeconds(time: Date | null): number {
    return time === null ? 0 : Math.max(0, (this.clock.now().getTime() - time.getTime()) / 1000);
  }

  private isUp(currency: Currency): boolean {
    const { succeededAt, failedAt } = this.watchOf(currency) ?? { succeededAt: null, failedAt: null };
    return succeededAt !== null && (failedAt === null || failedAt < succeededAt);
  }
}

/** Replicas may look at once: what is applied to a payment was seen after its last change. */
@Injectable()
export class PaymentWatch {
  private readonly logger = new Logger('PaymentWatch');

  constructor(
    private readonly chains: PaymentChains,
    private readonly payments: Payments,
    private readonly settlement: PaymentSettlement,
    private readonly quotes: PriceSources,
    private readonly watches: ChainWatches,
    private readonly metrics: PaymentMetrics,
    private readonly clock: Clock,
  ) {}

  async pass(currency: Currency, ending: AbortSignal | null = null): Promise<WatchRound | null> {
    const chain = this.chains.get(currency);
    if (chain === null) {
      return null;
    }
    try {
      return await this.look(chain, ending);
    } catch (error) {
      if (ending?.aborted) {
        return null;
      }
      const fault = error instanceof Error ? error.message : String(error);
      this.metrics.lookFailed(currency);
      this.logger.warn({ message: 'a chain could not be looked at', currency, fault });
      await this.watches.failed(currency, fault, this.clock.now()).catch(() => undefined);
      return null;
    }
  }

  async confirm(accountId: string, id: string): Promise<Payment> {
    const payment = await this.payments.get(accountId, id);
    if (payment.status !== 'created' && payment.status !== 'confirming') {
      throw new Conflict(`The payment is ${payment.status} already.`);
    }
    const chain = this.chains.get(payment.currency);
    if (payment.isSandbox && chain instanceof SandboxChain) {
      await this.play(chain, payment);
    } else {
      await orUnavailable(payment.currency, () => this.check(payment));
    }
    return this.payments.get(accountId, id);
  }

  private async play(chain: SandboxChain, { accountId, id, expectedBase }: Payment): Promise<void> {
    const { rateNanoUsd: presentRateNanoUsd } = sandboxQuote(chain.currency, this.clock.now());
    for (const sightings of chain.looks(id, expectedBase)) {
      const payment = await this.payments.get(accountId, id);
      const at = this.clock.now();
      const look = { at, tipTime: at, sightings, review: null, presentRateNanoUsd };
      // Applying an earlier state would look like a reorganisation.
      if (sightings.some((sighting) => showsChange(payment, sighting))) {
        await this.settlement.apply(payment, look, OPERATION);
      }
    }
  }

  private async check(payment: Payment): Promise<void> {
    const chain = this.chains.get(payment.currency);
    if (chain === null || (await chain.network()) !== payment.network) {
      throw new WrongNetwork(`payments on ${payment.network} are not taken any more`);
    }
    const at = this.clock.now();
    const observation = await bounded(CHECK_MS_MAX, null, (signal) => chain.observe([payment], signal));
    await this.applyAll(chain, [payment], observation, { at, operation: OPERATION });
  }

  private async look(chain: PaymentChain, ending: AbortSignal | null): Promise<WatchRound> {
    const { currency } = chain;
    const network = await bounded(PASS_MS_MAX, ending, () => chain.network());
    const now = this.clock.now();
    const due = await this.payments.due({
      currency,
      network,
      now,
      restingLookedBefore: new Date(now.getTime() - RESTING_EVERY_MS),
      countMax: LOOKED_AT_ONCE_MAX,
    });
    const observation = await bounded(PASS_MS_MAX, ending, (signal) => chain.observe(due, signal));
    const changed = await this.applyAll(chain, due, observation, { at: now, operation: null });
    // Those that the look had no time for stay first in line.
    const { transfers, reviews } = observation;
    await this.payments.looked(
      due.filter(({ id }) => transfers.has(id) || reviews.has(id)),
      now,
    );
    await this.watches.succeeded(currency, observation.tip, this.clock.now());
    return { looked: due.length, changed, requests: observation.requests };
  }

  private async applyAll(
    chain: PaymentChain,
    payments: readonly Payment[],
    observation: Observation,
    // When the look began: what it saw may have been there since then.
    { at, operation }: { at: Date; operation: string | null },
  ): Promise<number> {
    const { transfers, reviews } = observation;
    const seen = payments.filter(({ id }) => transfers.has(id) || reviews.has(id));
    const presentRateNanoUsd = seen.some((payment) => mayBeCredited(payment, observation))
      ? await this.presentRate(chain)
      : null;
    let changed = 0;
    for (const payment of seen) {
      const look: Look = {
        at,
        // A payment whose place could not be looked at must not expire before its watch is over, nor with coins on the way.
        tipTime:
          transfers.has(payment.id) || (at > payment.watchUntil && payment.transfers.length === 0)
            ? observation.tip.time
            : payment.createdAt,
        sightings: transfers.get(payment.id) ?? [],
        review: reviews.get(payment.id) ?? null,
        presentRateNanoUsd,
      };
      // One payment that cannot be stored must not keep the others from their credit.
      const applied = await this.settlement.apply(payment, look, operation).catch((error: unknown) => {
        this.logger.error({
          message: 'a payment could not be settled',
          payment: payment.id,
          error: String(error),
        });
        return 'failed' as const;
      });
      changed += applied === 'changed' ? 1 : 0;
    }
    return changed;
  }

  private async presentRate(chain: PaymentChain): Promise<bigint | null> {
    try {
      return (await this.quotes.quote(chain)).rateNanoUsd;
    } catch (error) {
      if (!(error instanceof PriceUnavailable)) {
        // Most payments need no present price, and must not wait for one.
        this.logger.error({ message: 'a price could not be had', error: String(error) });
      }
      return null;
    }
  }
}

/** Ends in time even where the chain ignores its signal. */
async function bounded<Result>(
  msMax: number,
  ending: AbortSignal | null,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  ending?.throwIfAborted();
  // Not AbortSignal.any: in Node 20 the long-lived process signal would keep every derived one.
  const stop = new AbortController();
  const end = () => stop.abort(ending?.reason);
  ending?.addEventListener('abort', end);
  const deadline = AbortSignal.timeout(msMax);
  const signal = AbortSignal.any([stop.signal, deadline]);
  try {
    return await untilAborted(work(signal), signal);
  } catch (error) {
    throw error === deadline.reason ? new ChainUnavailable('the look took too long', error) : error;
  } finally {
    ending?.removeEventListener('abort', end);
  }
}

function mayBeCredited({ id, transfers }: Payment, observation: Observation): boolean {
  const settled = new Set(
    transfers.filter((transfer) => transfer.creditedNanoUsd !== null).map((transfer) => transfer.id),
  );
  return (observation.transfers.get(id) ?? []).some((sighting) => !settled.has(sighting.id));
}

function showsChange({ transfers }: Payment, { id, confirmations }: TransferSighting): boolean {
  const known = transfers.find((transfer) => transfer.id === id);
  return known === undefined || known.confirmations < confirmations;
}
