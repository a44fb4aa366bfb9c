import { NewPayments } from '../../../src/modules/billing/new-payments';
import { OPEN_PAYMENTS_MAX } from '../../../src/modules/billing/payment-policy';
import { PaymentWatch, type WatchRound } from '../../../src/modules/billing/payment-watch';
import type { Payment } from '../../../src/modules/billing/payment';
import { parseUsd } from '../../../src/ledger/money';
import { newId } from '../../../src/runtime/ids';
import { depth } from '../jest/depth';
import type { PaymentScene } from './payment-scene';

const COUNT = 1_000;
const AMOUNT_NANO_USD = parseUsd('100');
/** Only on a machine that does nothing else does the clock say anything. */
const PASS_MS_MAX = depth('PAYMENT_PASS_MS_MAX', { short: Infinity, deep: 5_000 });

/** Opens a thousand payments, of as many accounts as it takes. */
export async function openThousandPayments(scene: PaymentScene): Promise<Payment[]> {
  const newPayments = scene.service.app.get(NewPayments);
  const accounts = await Promise.all(
    Array.from({ length: COUNT / OPEN_PAYMENTS_MAX }, () => newAccount(scene)),
  );
  const payments: Payment[] = [];
  for (const accountId of accounts) {
    for (let place = 0; place < OPEN_PAYMENTS_MAX; place += 1) {
      const order = { accountId, currency: scene.currency, amountNanoUsd: AMOUNT_NANO_USD };
      const call = { requestId: newId(), idempotencyId: null, operation: 'createPayment' };
      payments.push(await newPayments.create({ ...order, ...call }));
    }
  }
  return payments;
}

/** Looks once at a thousand payments, and prints what it took. */
export async function timedPass(scene: PaymentScene, what: string): Promise<WatchRound> {
  const startedAtMs = performance.now();
  const pass = await scene.service.app.get(PaymentWatch).pass(scene.currency);
  const passMs = Math.round(performance.now() - startedAtMs);
  if (pass === null) {
    throw new Error('the chain could not be looked at');
  }
  process.stdout.write(
    `${scene.currency}, ${what}: ${pass.looked} payments, ${pass.changed} changed, ${pass.requests} requests, ${passMs} ms\n`,
  );
  expect(pass.looked).toBe(COUNT);
  expect(passMs).toBeLessThan(PASS_MS_MAX);
  return pass;
}

async function newAccount({ service }: PaymentScene): Promise<string> {
  const id = newId();
  await service.database.query(
    `INSERT INTO accounts (id, email, username, password_hash, created_at) VALUES ($1, $2, $2, '', now())`,
    [id, `${id}@example.com`],
  );
  await service.database.query('INSERT INTO balances (account_id) VALUES ($1)', [id]);
  return id;
}
