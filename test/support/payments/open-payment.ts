import type { Currency } from '../../../src/modules/billing/payment-chain';
import { newId } from '../../../src/runtime/ids';
import { NewPayments } from '../../../src/modules/billing/new-payments';
import type { Payment } from '../../../src/modules/billing/payment';
import { parseUsd } from '../../../src/ledger/money';
import type { TestAccount, World } from '../api/world';

/** A payment on the sandbox past the pipeline, so that it counts against no rate; of 50 USD in BTC unless said otherwise. */
export async function openPayment(
  { service, owner }: World,
  { currency = 'BTC', usd = '50', account = owner }: OpenedPayment = {},
): Promise<Payment> {
  return service.app.get(NewPayments).create({
    accountId: account.id,
    currency,
    amountNanoUsd: parseUsd(usd),
    requestId: newId(),
    idempotencyId: null,
    operation: 'createPayment',
  });
}

interface OpenedPayment {
  currency?: Currency;
  usd?: string;
  account?: TestAccount;
}

const first = new WeakMap<World, Promise<Payment>>();

/** The same payment for every request of one world, since an account has only five open ones. */
export async function onePayment(world: World): Promise<Payment> {
  const payment = first.get(world) ?? openPayment(world);
  first.set(world, payment);
  return payment;
}
