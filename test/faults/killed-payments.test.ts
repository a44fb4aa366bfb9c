import { setTimeout as delay } from 'node:timers/promises';
import { NewPayments } from '../../src/modules/billing/new-payments';
import type { Payment } from '../../src/modules/billing/payment';
import { Payments } from '../../src/modules/billing/payments.repository';
import { lockedValue } from '../../src/modules/billing/payment-policy';
import { NANO_PER_USD } from '../../src/ledger/money';
import { newId } from '../../src/runtime/ids';
import { TestService } from '../support/api/service';
import { createAccount } from '../support/api/world';
import { freshEthereumAccount } from '../support/chains/ethereum-keys';
import { EthereumNode } from '../support/chains/ethereum-node';
import { PriceServer } from '../support/chains/price-server';
import { storedEvents } from '../support/events/stored-events';
import { subscribe } from '../support/events/subscribe';
import { depth } from '../support/jest/depth';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { CompiledService } from '../support/processes/compiled-service';
import { SeededRandom } from '../support/seeded-random';
import { until } from '../support/until';

const KILLS = depth('PAYMENT_KILLS', { short: 4, deep: 20 });
const PAYMENTS_BETWEEN_KILLS = 2;
/** Within this time after its start a worker is killed: it looks once a second. */
const KILLED_WITHIN_MS = 2_500;
const CONFIRMATIONS = 12;
const WEI_PER_ETH = 10n ** 18n;

interface PaidPayment {
  payment: Payment;
  accountId: string;
  wei: bigint;
}

describe('payments whose worker is killed at random', () => {
  const random = new SeededRandom();
  let node: EthereumNode;
  let prices: PriceServer;
  let service: TestService;
  let environment: Record<string, string>;
  let worker: CompiledService;

  beforeAll(async () => {
    [node, prices] = await Promise.all([EthereumNode.start(), PriceServer.start('4000')]);
    environment = {
      ETH_XPUB: freshEthereumAccount().xpub,
      ETH_RPC_URL: node.rpcUrl,
      PRICE_SOURCES: prices.sources,
      PAYMENT_POLL_SECONDS: '1',
    };
    service = await TestService.start(environment);
    service.clock.set(new Date().toISOString());
    worker = await startWorker();
  }, 120_000);
  afterAll(async () => {
    await worker.stop();
    await service.stop();
    await Promise.all([prices.stop(), node.stop()]);
  }, 120_000);

  function startWorker(): Promise<CompiledService> {
    return CompiledService.startWorker({
      ...environment,
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
      LOG_LEVEL: 'fatal',
    });
  }

  /** A payment of an account of its own, and the transfer that pays it or a little more. */
  async function pay(): Promise<PaidPayment> {
    const { id: accountId } = await createAccount(service, { creditUsd: '0' });
    await subscribe(service.database, accountId, { events: ['*'] });
    service.clock.set(new Date().toISOString());
    const payment = await service.app.get(NewPayments).create({
      accountId,
      currency: 'ETH',
      amountNanoUsd: BigInt(random.between(10, 900)) * NANO_PER_USD,
      requestId: newId(),
      idempotencyId: null,
      operation: 'createPayment',
    });
    const wei = (payment.expectedBase * BigInt(random.between(1_000, 1_100))) / 1_000n;
    await node.send(payment.address, wei);
    return { payment, accountId, wei };
  }

  async function isConfirmed({ payment }: PaidPayment): Promise<boolean> {
    return (await service.app.get(Payments).find(payment.id))?.status === 'confirmed';
  }

  it('are credited once, with the exact amount, and told once', async () => {
    const paid: PaidPayment[] = [];
    for (let kills = 0; kills < KILLS; kills += 1) {
      for (let more = 0; more < PAYMENTS_BETWEEN_KILLS; more += 1) {
        paid.push(await pay());
      }
      const ends = performance.now() + random.between(0, KILLED_WITHIN_MS);
      while (performance.now() < ends) {
        await node.mine(random.between(1, 6));
        await delay(random.between(20, 200));
      }
      await worker.kill();
      worker = await startWorker();
    }
    const before = await Promise.all(paid.map((each) => isConfirmed(each)));
    await node.mine(CONFIRMATIONS);
    await until('all are confirmed', async () =>
      (await Promise.all(paid.map((each) => isConfirmed(each)))).every((is) => is),
    );
    for (const { payment, accountId, wei } of paid) {
      const worth = lockedValue(payment, wei, WEI_PER_ETH);
      const entries: { amount: string; reference: string }[] = await service.database.query(
        'SELECT amount_nano AS amount, reference_id AS reference FROM ledger_entries WHERE account_id = $1',
        [accountId],
      );
      expect(entries).toEqual([{ amount: worth.toString(), reference: `payment:${payment.id}` }]);
      const told = (await storedEvents(service, accountId)).map(({ type }) => type);
      expect(told.toSorted()).toEqual([
        'balance.updated',
        'payment.confirmed',
        'payment.confirming',
        'payment.created',
      ]);
    }
    expect(await ledgerFaults(service.database)).toEqual([]);
    process.stdout.write(
      `\nseed ${random.seed}: ${KILLS} kills, ${paid.length} payments, ` +
        `${before.filter((is) => is).length} of them confirmed before the last worker began\n`,
    );
  }, 900_000);
});
