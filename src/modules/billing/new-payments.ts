import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PaymentMethod } from '../../../generated/types';
import { RETRIED_FOR_MS } from '../../accounts/account-rows';
import { Configuration } from '../../config/configuration';
import { AccountDatabases } from '../../database/account-databases';
import { ALL_ACCOUNTS_SCHEMA } from '../../database/account-schemas';
import { Conflict, IdempotencyKeyUsed, ServiceUnavailable, Unprocessable } from '../../errors/api-errors';
import { formatUsd, nanoToUsd } from '../../ledger/money';
import { Clock, DAY_MS } from '../../runtime/clock';
import { newId } from '../../runtime/ids';
import {
  ConfirmationRules,
  expectedBase,
  MAXIMUM_NANO_USD,
  MINIMUM_NANO_USD,
  OPEN_PAYMENTS_MAX,
  UNPAID_A_DAY_MAX,
  watchedAfter,
} from './payment-policy';
import type { Payment } from './payment';
import {
  ChainUnavailable,
  CURRENCIES,
  type Currency,
  NoPlaceLeft,
  type PaymentChain,
  type PaymentPlace,
  WrongNetwork,
} from './payment-chain';
import { PaymentChains } from './payment-chains';
import { PaymentEvents } from './payment-record';
import {
  PAYMENT_COLUMNS,
  paymentsOf,
  type PaymentRow,
  priceSourcesJson,
  storedPayment,
} from './payments.repository';
import { PriceSources, PriceUnavailable, type Quote } from './price-sources';

const USED_PLACES_MAX = 1_000;

const COIN_NAMES = { BTC: 'Bitcoin', ETH: 'Ether', SOL: 'Solana' };

interface PaymentOrder {
  accountId: string;
  currency: Currency;
  amountNanoUsd: bigint;
  requestId: string;
  idempotencyId: string | null;
  operation: string;
}

@Injectable()
export class NewPayments {
  constructor(
    private readonly databases: AccountDatabases,
    private readonly chains: PaymentChains,
    private readonly quotes: PriceSources,
    private readonly rules: ConfirmationRules,
    private readonly events: PaymentEvents,
    private readonly clock: Clock,
    private readonly configuration: Configuration,
  ) {}

  /** A retry with the same Idempotency-Key gets the first try's payment, even when that died before answering. */
  async create(order: PaymentOrder): Promise<Payment> {
    const { currency, amountNanoUsd } = order;
    const chain = this.chains.get(currency);
    if (chain === null) {
      throw new Unprocessable(
        `This service takes no ${currency}; GET /api/payments/payments/methods says what it takes.`,
      );
    }
    const minimum = MINIMUM_NANO_USD[currency];
    if (amountNanoUsd < minimum || amountNanoUsd > MAXIMUM_NANO_USD) {
      throw new Unprocessable(
        `amount_usd must be between ${formatUsd(minimum)} and ${formatUsd(MAXIMUM_NANO_USD)} USD with ${currency}.`,
      );
    }
    return orUnavailable(currency, async () => {
      const [network, quote] = await Promise.all([chain.network(), this.quotes.quote(chain)]);
      const database = this.databases.of(order.accountId);
      return database.transaction((manager) => this.insert(manager, order, { chain, network, quote }));
    });
  }

  async methods(): Promise<PaymentMethod[]> {
    return Promise.all(CURRENCIES.map((currency) => this.method(currency)));
  }

  private async method(currency: Currency): Promise<PaymentMethod> {
    const chain = this.chains.get(currency);
    const method = {
      currency,
      name: COIN_NAMES[currency],
      network: null,
      is_sandbox: chain?.isSandbox ?? false,
      minimum_usd: nanoToUsd(MINIMUM_NANO_USD[currency]),
      maximum_usd: nanoToUsd(MAXIMUM_NANO_USD),
      confirmations: this.rules.tiers(currency),
      expiry_minutes: this.configuration.paymentExpiryMinutes,
      rate: null,
      available: false,
    };
    if (chain === null) {
      return { ...method, unavailable_reason: `This service takes no ${currency}.` };
    }
    const [network, quote] = await Promise.allSettled([chain.network(), this.quotes.quote(chain)]);
    const [fault = null] = [faultOf(network), faultOf(quote)].filter((each) => each !== null);
    return {
      ...method,
      network: network.status === 'fulfilled' ? network.value : null,
      rate: quote.status === 'fulfilled' ? nanoToUsd(quote.value.rateNanoUsd) : null,
      available: fault === null,
      unavailable_reason: fault === null ? null : sentence(fault),
    };
  }

  /** The index row is locked last and until the commit, so that a failed creation gives its index back. */
  private async insert(
    manager: EntityManager,
    order: PaymentOrder,
    { chain, network, quote }: { chain: PaymentChain; network: string; quote: Quote },
  ): Promise<Payment> {
    const { accountId, currency, amountNanoUsd, idempotencyId } = order;
    await manager.query(LOCK_COUNT, [accountId]);
    const now = this.clock.now();
    const earlier = idempotencyId === null ? null : await this.earlier(manager, order, now);
    if (earlier !== null) {
      return earlier;
    }
    const counted = [accountId, now, new Date(now.getTime() - DAY_MS)];
    const [open]: { count: string; unpaid: string }[] = await manager.query(COUNT_OPEN, counted);
    if (Number(open?.count) >= OPEN_PAYMENTS_MAX) {
      throw new Conflict(
        `An account has at most ${OPEN_PAYMENTS_MAX} open payments; pay one or let it expire first.`,
      );
    }
    if (Number(open?.unpaid) >= UNPAID_A_DAY_MAX) {
      throw new Conflict(`At most ${UNPAID_A_DAY_MAX} payments a day may end without a credit.`);
    }
    const expiresAt = new Date(now.getTime() + this.configuration.paymentExpiryMinutes * 60_000);
    const { index, place } = await this.nextPlace(manager, chain, network);
    const required = this.rules.requiredFor(currency, amountNanoUsd).confirmations;
    const id = newId();
    await manager.query(INSERT, [
      id,
      accountId,
      currency,
      network,
      chain.isSandbox,
      amountNanoUsd.toString(),
      expectedBase(amountNanoUsd, quote.rateNanoUsd, currency).toString(),
      quote.rateNanoUsd.toString(),
      priceSourcesJson(quote.sources),
      chain.placesId,
      index,
      place.address,
      place.reference,
      order.requestId,
      idempotencyId,
      now,
      expiresAt,
      required,
      watchedAfter(expiresAt),
    ]);
    const payment = await storedPayment(manager, id);
    if (payment === null) {
      throw new Error(`payment ${id} was not stored`);
    }
    await this.events.created(manager, payment, order.operation);
    return payment;
  }

  private async earlier(manager: EntityManager, order: PaymentOrder, now: Date): Promise<Payment | null> {
    const since = new Date(now.getTime() - RETRIED_FOR_MS);
    const rows: PaymentRow[] = await manager.query(EARLIER, [order.accountId, order.idempotencyId, since]);
    const [payment] = await paymentsOf(manager, rows);
    if (payment === undefined) {
      return null;
    }
    if (payment.amountNanoUsd !== order.amountNanoUsd || payment.currency !== order.currency) {
      throw new IdempotencyKeyUsed();
    }
    return payment;
  }

  private async nextPlace(
    manager: EntityManager,
    chain: PaymentChain,
    network: string,
  ): Promise<{ index: number; place: PaymentPlace }> {
    const isDivided = this.databases.all.length > 1;
    if (isDivided) {
      await manager.query(LOCK_PLACES, [chain.currency]);
    }
    const used = usedAmong(isDivided ? `${ALL_ACCOUNTS_SCHEMA}.payments` : 'payments');
    const all = this.databases.places ? this.databases.everyone : manager;
    for (let tries = 0; tries < USED_PLACES_MAX; tries += 1) {
      const [row]: { index: number }[] = await manager.query(NEXT_INDEX, [chain.placesId]);
      const index = Number(row?.index);
      const place = chain.placeOf(index);
      const users: unknown[] =
        place.reference === null ? await all.query(used, [chain.currency, network, place.address]) : [];
      if (users.length === 0) {
        return { index, place };
      }
    }
    throw new NoPlaceLeft();
  }
}

const LOCK_COUNT = `SELECT pg_advisory_xact_lock(hashtextextended('payment_count:' || $1, 0))`;

// An open payment whose watch has ended belongs to a removed network or key, and never ends.
const COUNT_OPEN = `
  SELECT count(*) FILTER (WHERE status IN ('created', 'confirming')) AS count,
    count(*) FILTER (WHERE status IN ('expired', 'failed') AND credits = 0 AND created_at > $3) AS unpaid
  FROM payments
  WHERE account_id = $1 AND (created_at > $3 OR status IN ('created', 'confirming') AND watch_until > $2)`;

const EARLIER = `
  SELECT ${PAYMENT_COLUMNS} FROM payments AS p
  WHERE p.account_id = $1 AND p.idempotency_id = $2 AND p.created_at > $3 ORDER BY p.created_at DESC LIMIT 1`;

const NEXT_INDEX = `
  INSERT INTO payment_places AS p (places_id, next_index) VALUES ($1, 1)
  ON CONFLICT (places_id) DO UPDATE SET next_index = p.next_index + 1
  RETURNING next_index - 1 AS index`;

// The unique index works within one schema, and two keys may yield the same addresses. A row is locked, because
// advisory locks hold on one server only.
const LOCK_PLACES = `
  INSERT INTO payment_places (places_id, next_index) VALUES ('all of ' || $1, 0)
  ON CONFLICT (places_id) DO UPDATE SET next_index = 0`;

const usedAmong = (payments: string) =>
  `SELECT 1 FROM ${payments} WHERE currency = $1 AND network = $2 AND address = $3 AND reference IS NULL`;

const INSERT = `
  INSERT INTO payments (id, account_id, currency, network, is_sandbox, amount_nano, expected_base, rate_nano,
    price_sources, places_id, derivation_index, address, reference, request_id, idempotency_id, created_at, expires_at,
    status, credits, credited_nano, credited_base, received_base, confirmations, required_confirmations, is_underpaid,
    is_overpaid, is_late, was_confirming, watch_until, is_active, looked_at, version, review_needed)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
    'created', 0, 0, 0, 0, 0, $18, false, false, false, false, $19, true, $16, 1, false)`;

const RETRY_AFTER_SECONDS = 15;

function unavailableReason(error: unknown): string | null {
  if (error instanceof PriceUnavailable) {
    return 'no price can be had.';
  }
  if (error instanceof ChainUnavailable || error instanceof WrongNetwork) {
    return 'the chain can not be asked.';
  }
  return error instanceof NoPlaceLeft ? 'there is no address left.' : null;
}

export async function orUnavailable<Result>(
  currency: Currency,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const reason = unavailableReason(error);
    if (reason === null) {
      throw error;
    }
    const message = `${currency} payments can't be taken right now: ${reason}`;
    throw new ServiceUnavailable(message, RETRY_AFTER_SECONDS, error);
  }
}

function faultOf(asked: PromiseSettledResult<unknown>): string | null {
  if (asked.status === 'fulfilled') {
    return null;
  }
  const fault = unavailableReason(asked.reason);
  if (fault === null) {
    throw asked.reason;
  }
  return fault;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
