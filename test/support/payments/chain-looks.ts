import type { TransferSighting } from '../../../src/modules/billing/payment-chain';
import { newId } from '../../../src/runtime/ids';
import type { Look, Payment } from '../../../src/modules/billing/payment';
import { PaymentSettlement, type Applied } from '../../../src/modules/billing/payment-settlement';
import { Payments } from '../../../src/modules/billing/payments.repository';
import type { World } from '../api/world';
import { openPayment } from './open-payment';

/** A transfer that is final, unless the fields say otherwise. */
export function transferOf(amountBase: bigint, fields: Partial<TransferSighting> = {}): TransferSighting {
  return {
    id: `test:${newId()}`,
    txHash: '4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c',
    amountBase,
    state: 'included',
    confirmations: 100,
    isFinal: true,
    blockTime: null,
    ...fields,
  };
}

/** Of a transfer that another one has taken the place of. */
export const REPLACED = { state: 'replaced', confirmations: 0, isFinal: false, blockTime: null } as const;

/** Applies what a look at a chain shows now to a payment as it now is. */
export async function look(
  { service }: World,
  { accountId, id }: Payment,
  sightings: TransferSighting[],
  fields: Partial<Look> = {},
): Promise<Applied> {
  const at = service.clock.now();
  const payment = await service.app.get(Payments).get(accountId, id);
  const { rateNanoUsd: presentRateNanoUsd } = payment;
  const seen = { at, tipTime: at, sightings, review: null, presentRateNanoUsd, ...fields };
  return service.app.get(PaymentSettlement).apply(payment, seen, null);
}

/** A payment of 50 USD that was credited, and whose transfer is then gone from the chain: a person has to look at it. */
export async function paymentInReview(world: World): Promise<Payment> {
  const payment = await openPayment(world);
  const transfer = transferOf(payment.expectedBase);
  await look(world, payment, [transfer]);
  await look(world, payment, [{ ...transfer, ...REPLACED }]);
  return payment;
}
