import { Injectable, Logger } from '@nestjs/common';
import { ChainUnavailable, WrongNetwork } from '../../../infrastructure/chain/chain-errors';
import type {
  Currency,
  Observation,
  PaymentChain,
  WatchedPayment,
} from '../../../infrastructure/chain/payment-chain';
import { PaymentChains } from '../../../infrastructure/chain/payment-chains';
import { Clock } from '../../../infrastructure/clock/clock';
import { ChainWatches } from './chain-watches.repository';
import type { Payment } from './payment';
import { PaymentMetrics } from './payment-metrics';
import { PaymentQuotes } from './payment-quotes';
import { PaymentSettlement } from './payment-settlement';
import { Payments } from './payments.repository';
import { PriceUnavailable } from './prices/quote';
import type { Look } from './look';

/** How long one look at a chain may take. */
const PASS_MS_MAX = 20_000;
/** And one that a caller waits for, whose operation has ten seconds. */
const CHECK_MS_MAX = 8_000;
/** More payments than this are looked at in turn: those that wait for the chain, and the others. */
const LOOKED_AT_ONCE_MAX = { active: 4_000, resting: 1_000 };
/** How often payments are looked at that wait for nothing, for what may come late. */
const RESTING_EVERY_MS = 10 * 60 * 1000;

/** What a pass over the payments of a chain came to. */
export interface Pass {
  looked: number;
  changed: number;
  /** How many requests it has sent to the node. */
  requests: number;
}

/**
 * Looks at the chains and applies what they show. Any number of replicas may do it at once: what is applied to a payment was
 * seen after its last change.
 */
@Injectable()
export class PaymentWatch {
  private readonly logger = new Logger('PaymentWatch');
  private readonly running = new Map<Currency, Promise<Pass | null>>();

  constructor(
    private readonly chains: PaymentChains,
    private readonly payments: Payments,
    private readonly settlement: PaymentSettlement,
    private readonly quotes: PaymentQuotes,
    private readonly watches: ChainWatches,
    private readonly metrics: PaymentMetrics,
    private readonly clock: Clock,
  ) {}

  /**
   * Looks at all payments of a chain that are due. A pass that is asked for while one runs in this process is that one.
   * @returns null where the chain is not configured or could not be looked at, which is logged; never rejects for a fault of
   * the node
   */
  pass(currency: Currency): Promise<Pass | null> {
    const running = this.running.get(currency);
    if (running !== undefined) {
      return running;
    }
    const begun = this.passOnce(currency).finally(() => this.running.delete(currency));
    this.running.set(currency, begun);
    return begun;
  }

  /** Whether a pass over the payments of a chain runs in this process. */
  isUnderWay(currency: Currency): boolean {
    return this.running.has(currency);
  }

  /**
   * Looks at one payment now and applies what there is to see.
   * @param operation that asks for it, which the events name
   * @throws ChainUnavailable, WrongNetwork
   */
  async check(payment: Payment, operation: string): Promise<void> {
    const chain = this.chains.get(payment.currency);
    if (chain === null || (await chain.network()) !== payment.network) {
      throw new WrongNetwork(`payments on ${payment.network} are not taken any more`);
    }
    const at = this.clock.now();
    const observation = await observe(chain, [payment], CHECK_MS_MAX);
    await this.applyAll(chain, [payment], observation, { at, operation });
  }

  private async passOnce(currency: Currency): Promise<Pass | null> {
    const chain = this.chains.get(currency);
    if (chain === null) {
      return null;
    }
    try {
      return await this.look(chain);
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      this.metrics.lookFailed(currency);
      this.logger.warn({ message: 'a chain could not be looked at', currency, fault });
      await this.watches.failed(currency, fault, this.clock.now()).catch(() => undefined);
      return null;
    } finally {
      await this.metrics.refresh().catch(() => undefined);
    }
  }

  private async look(chain: PaymentChain): Promise<Pass> {
    const { currency } = chain;
    const network = await chain.network();
    const now = this.clock.now();
    const due = await this.payments.due({
      currency,
      network,
      now,
      restingLookedBefore: new Date(now.getTime() - RESTING_EVERY_MS),
      countMax: LOOKED_AT_ONCE_MAX,
    });
    const observation = await observe(chain, due);
    const changed = await this.applyAll(chain, due, observation, { at: now, operation: null });
    // Those that the look had no time for keep their place in front of all others.
    const { transfers, reviews } = observation;
    await this.payments.looked(
      due.map(({ id }) => id).filter((id) => transfers.has(id) || reviews.has(id)),
      now,
    );
    await this.watches.succeeded(currency, observation.tip, this.clock.now());
    return { looked: due.length, changed, requests: observation.requests };
  }

  private async applyAll(
    chain: PaymentChain,
    payments: readonly Payment[],
    observation: Observation,
    // When the look began: what it has seen may have been there by then.
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
        // A payment whose place could not be looked at must not expire for it.
        tipTime: transfers.has(payment.id) ? observation.tip.time : payment.createdAt,
        sightings: transfers.get(payment.id) ?? [],
        review: reviews.get(payment.id) ?? null,
        presentRateNanoUsd,
      };
      // One payment that can't be stored must not keep the others from their credit.
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
        // Most payments need no present price, and must not wait for whatever is wrong with it.
        this.logger.error({ message: 'a price could not be had', error: String(error) });
      }
      return null;
    }
  }
}

/** One look, which ends in time also where the chain does not heed its signal: no other begins in this process before. */
async function observe(
  chain: PaymentChain,
  payments: readonly Payment[],
  msMax = PASS_MS_MAX,
): Promise<Observation> {
  const signal = AbortSignal.timeout(msMax);
  const tooLong = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new ChainUnavailable('the look took too long')));
  });
  return Promise.race([chain.observe(payments.map(watched), signal), tooLong]);
}

export function watched(payment: Payment): WatchedPayment {
  const { id, address, reference, derivationIndex, createdAt, transfers } = payment;
  return { paymentId: id, address, reference, derivationIndex, createdAt, transfers };
}

/** Whether the look may lead to a credit: only then a price is asked for. */
function mayBeCredited({ id, transfers }: Payment, observation: Observation): boolean {
  const settled = new Set(
    transfers.filter((transfer) => transfer.creditedNanoUsd !== null).map((transfer) => transfer.id),
  );
  return (observation.transfers.get(id) ?? []).some((sighting) => !settled.has(sighting.id));
}
