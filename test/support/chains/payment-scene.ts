import type { Payment } from '../../../generated/types';
import { type Currency } from '../../../src/modules/billing/payment-chain';
import { COIN_DECIMALS } from '../../../src/modules/billing/payment-policy';
import { PaymentWatch } from '../../../src/modules/billing/payment-watch';
import { DeliveryDispatcher } from '../../../src/modules/webhooks/delivery-dispatcher';
import { QueueProcessors } from '../../../src/work/queue-worker';
import { Timers } from '../../../src/work/timers';
import { callAs } from '../api/call-as';
import { TestService } from '../api/service';
import { World } from '../api/world';
import { ledgerFaults } from '../ledger/ledger-faults';
import { HttpsReceiver } from '../receiver/https-receiver';
import { until } from '../until';
import { PriceServer } from './price-server';

interface ToldEvent {
  event_type: string;
  data: Record<string, unknown>;
}

/** A service that takes payments on one real chain, with price sources and a receiver of webhooks. */
export class PaymentScene {
  private constructor(
    readonly currency: Currency,
    readonly service: TestService,
    private readonly prices: PriceServer,
    private readonly receiver: HttpsReceiver,
  ) {}

  /** @param environment the settings of the chain */
  static async start(
    currency: Currency,
    price: string,
    environment: Record<string, string>,
  ): Promise<PaymentScene> {
    const [prices, receiver] = await Promise.all([PriceServer.start(price), HttpsReceiver.start()]);
    const service = await TestService.start({
      ...receiver.environment,
      ...environment,
      PRICE_SOURCES: prices.sources,
      // A look that is a few seconds after the payment's time must be late in these tests.
      PAYMENT_POLL_SECONDS: '1',
    });
    // It begins after a minute, which a busy machine takes: a look of its own may be older than what a test has just done.
    await service.app.get(Timers).job(`PaymentWatch ${currency}`).end();
    service.clock.set(new Date().toISOString());
    void service.app.get(DeliveryDispatcher).start();
    service.app.get(QueueProcessors).start();
    return new PaymentScene(currency, service, prices, receiver);
  }

  async stop(): Promise<void> {
    expect(await ledgerFaults(this.service.database)).toEqual([]);
    await this.service.stop();
    await Promise.all([this.prices.stop(), this.receiver.close()]);
  }

  /** A payment of an account of its own that subscribes to everything. */
  async pay(amountUsd: number): Promise<PaidPayment> {
    const world = await World.create(this.service);
    const created = await callAs('createWebhook', world, {
      body: { url: this.receiver.url(), events: ['*'] },
    });
    expect(created.status).toBe(201);
    const { status, body } = await callAs('createPayment', world, {
      body: { amount_usd: amountUsd, currency: this.currency },
    });
    expect([status, body]).toEqual([201, expect.objectContaining({ status: 'created' })]);
    return new PaidPayment(this, world, body);
  }

  /** From now on a coin costs this much in USD: what was asked before is too old to count. */
  setPrice(usd: string): void {
    this.prices.price = usd;
    this.service.clock.advance(61_000);
  }

  /** What a worker does every few seconds. */
  async look(): Promise<void> {
    expect(await this.service.app.get(PaymentWatch).pass(this.currency)).not.toBeNull();
  }

  /** What a worker does while the node can't be asked. */
  async lookInVain(): Promise<void> {
    expect(await this.service.app.get(PaymentWatch).pass(this.currency)).toBeNull();
  }

  /** The time of the service, in Unix seconds. */
  get nowSeconds(): number {
    return Math.floor(this.service.clock.now().getTime() / 1000);
  }

  /** All events of an account that the receiver has, once none is on its way any more. */
  async eventsOf(accountId: string): Promise<ToldEvent[]> {
    await until('all events are delivered', async () => {
      const [row]: { waiting: string }[] = await this.service.database.query(
        `SELECT (SELECT count(*) FROM events WHERE relayed_at IS NULL) +
           (SELECT count(*) FROM deliveries WHERE status = 'pending') AS waiting`,
      );
      return Number(row?.waiting) === 0;
    });
    return this.receiver.requests
      .map(({ body }) => JSON.parse(body.toString()) as ToldEvent)
      .filter(({ data }) => data.user_id === accountId);
  }
}

/** A payment, and what its account holder sees. */
export class PaidPayment {
  constructor(
    private readonly scene: PaymentScene,
    readonly world: World,
    readonly created: Payment,
  ) {}

  get address(): string {
    return this.created.address;
  }

  /** So many per mille of what is to be paid, in the coin's smallest unit. */
  base(perMille = 1000): bigint {
    const decimals = COIN_DECIMALS[this.created.currency];
    const [whole = '', fraction = ''] = this.created.amount_crypto_text.split('.');
    return (BigInt(whole + fraction.padEnd(decimals, '0')) * BigInt(perMille)) / 1000n;
  }

  /** The same as a decimal number of coins. */
  coins(perMille = 1000): string {
    const decimals = COIN_DECIMALS[this.created.currency];
    const digits = this.base(perMille)
      .toString()
      .padStart(decimals + 1, '0');
    return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  }

  async now(): Promise<Payment> {
    const { body } = await callAs('getPayment', this.world, { params: { payment_id: this.created.id } });
    return body;
  }

  /** What was added to the account's balance since it was made. */
  async creditedUsd(): Promise<number> {
    const { body } = await callAs('getBalance', this.world, {});
    return Math.round((body.balance - 10) * 1e9) / 1e9;
  }

  /** The types of the events that the account's webhook got. */
  async told(): Promise<string[]> {
    const events = await this.scene.eventsOf(this.world.owner.id);
    return events.map(({ event_type }) => event_type).sort();
  }

  /** Puts the service's clock after the payment's time. */
  passExpiry(): void {
    const clock = this.scene.service.clock;
    const missingMs = new Date(this.created.expires_at).getTime() - clock.now().getTime();
    clock.advance(Math.max(0, missingMs) + 60_000);
  }
}
