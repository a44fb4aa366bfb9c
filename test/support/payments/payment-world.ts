import type { TransferSighting } from '../../../src/modules/billing/payment-chain';
import { newId } from '../../../src/runtime/ids';
import type { Look, Payment } from '../../../src/modules/billing/payment';
import { NewPayments } from '../../../src/modules/billing/new-payments';
import { Payments } from '../../../src/modules/billing/payments.repository';
import { NANO_PER_USD } from '../../../src/ledger/money';
import { TestService } from '../api/service';
import { createAccount, type TestAccount } from '../api/world';
import { FakeChain } from '../chains/fake-chain';
import { storedEvents } from '../events/stored-events';
import { subscribe } from '../events/subscribe';

/** A service with a chain of which the test says what it shows. */
export class PaymentWorld {
  private constructor(
    readonly service: TestService,
    readonly chain: FakeChain,
  ) {}

  static async start(environment: Record<string, string> = {}): Promise<PaymentWorld> {
    // Where the clock of a test service starts.
    const chain = new FakeChain('BTC', new Date('2026-01-15T12:00:00.000Z'));
    return new PaymentWorld(await TestService.start(environment, undefined, [], [chain]), chain);
  }

  /** An account that hears of its payments. */
  async buyer(creditUsd = '0'): Promise<TestAccount> {
    const account = await createAccount(this.service, { creditUsd });
    await subscribe(this.service.database, account.id, { events: ['*'] });
    return account;
  }

  /** A new payment of 50 USD, unless it is of another amount. */
  buy({ id }: TestAccount, amountUsd = 50n, service = this.service): Promise<Payment> {
    return service.app.get(NewPayments).create({
      accountId: id,
      currency: 'BTC',
      amountNanoUsd: amountUsd * NANO_PER_USD,
      requestId: newId(),
      idempotencyId: null,
      operation: 'createPayment',
    });
  }

  async read({ id }: Payment): Promise<Payment> {
    const payment = await this.service.app.get(Payments).find(id);
    if (payment === null) {
      throw new Error(`there is no payment ${id}`);
    }
    return payment;
  }

  /** How often each event of payments was written for an account. */
  async told(account: TestAccount): Promise<Record<string, number>> {
    const types = (await storedEvents(this.service, account.id)).map(({ type }) => type);
    const ofPayments = types.filter((type) => type.startsWith('payment.'));
    return Object.fromEntries(
      [...new Set(ofPayments)].map((type) => [type, ofPayments.filter((other) => other === type).length]),
    );
  }

  /** A look, now, that shows a transfer in a block that nothing can drop. */
  lookAt(transferIds: string[], amountBase: bigint): Look {
    const now = this.service.clock.now();
    const sightings = transferIds.map((id) => ({ ...finalTransfer(id, amountBase), blockTime: now }));
    return { at: now, tipTime: now, sightings, review: null, presentRateNanoUsd: 100_000n * NANO_PER_USD };
  }

  advance(minutes: number): void {
    this.service.clock.advance(minutes * 60_000);
  }
}

function finalTransfer(id: string, amountBase: bigint): TransferSighting {
  return {
    id,
    txHash: `hash of ${id}`,
    amountBase,
    state: 'included',
    confirmations: 100,
    isFinal: true,
    blockTime: null,
  };
}
