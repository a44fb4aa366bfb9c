import { Injectable } from '@nestjs/common';
import type { TransferSighting } from '../../../infrastructure/chain/payment-chain';
import { PaymentChains } from '../../../infrastructure/chain/payment-chains';
import { SandboxChain } from '../../../infrastructure/chain/sandbox/sandbox-chain';
import { Clock } from '../../../infrastructure/clock/clock';
import { Conflict } from '../../errors/request-errors';
import type { Payment } from './payment';
import { PaymentSettlement } from './payment-settlement';
import { orUnavailable } from './payment-unavailable';
import { PaymentWatch, watched } from './payment-watch';
import { Payments } from './payments.repository';
import { sandboxQuote } from './prices/sandbox-quote';

/** The operation by which an account holder asks for a look at the chain. */
const OPERATION = 'confirmPayment';

/** Looks at the chain for one payment, because its account holder does not want to wait for the next pass. */
@Injectable()
export class PaymentChecks {
  constructor(
    private readonly payments: Payments,
    private readonly chains: PaymentChains,
    private readonly watch: PaymentWatch,
    private readonly settlement: PaymentSettlement,
    private readonly clock: Clock,
  ) {}

  /**
   * Credits what has arrived for the payment and has its confirmations; on a sandbox lets it arrive first.
   * @returns the payment as it then is
   * @throws NotFound, Conflict for a payment that is over, PaymentUnavailable when the chain can't be asked
   */
  async confirm(accountId: string, id: string): Promise<Payment> {
    const payment = await this.payments.get(accountId, id);
    if (payment.status !== 'created' && payment.status !== 'confirming') {
      throw new Conflict(`The payment is ${payment.status} already.`);
    }
    const chain = this.chains.get(payment.currency);
    if (payment.isSandbox && chain instanceof SandboxChain) {
      await this.play(chain, payment);
    } else {
      await orUnavailable(payment.currency, () => this.watch.check(payment, OPERATION));
    }
    return this.payments.get(accountId, id);
  }

  /** What a chain would show one after the other. A call that plays the same payment at the same time changes nothing. */
  private async play(chain: SandboxChain, { accountId, id, expectedBase }: Payment): Promise<void> {
    const { rateNanoUsd: presentRateNanoUsd } = sandboxQuote(chain.currency, this.clock.now());
    const first = await this.payments.get(accountId, id);
    for (const sightings of chain.looks(watched(first), expectedBase)) {
      const payment = await this.payments.get(accountId, id);
      const at = this.clock.now();
      const look = { at, tipTime: at, sightings, review: null, presentRateNanoUsd };
      // A transfer that went back to an earlier look would be one that a reorganisation took away.
      if (sightings.some((sighting) => isNews(payment, sighting))) {
        await this.settlement.apply(payment, look, OPERATION);
      }
    }
  }
}

/** Whether another call has not played the transfer as far already. */
function isNews({ transfers }: Payment, { id, confirmations }: TransferSighting): boolean {
  const known = transfers.find((transfer) => transfer.id === id);
  return known === undefined || known.confirmations < confirmations;
}
