import { PriceSources, PriceUnavailable } from '../../../src/modules/billing/price-sources';
import { PaymentWatch } from '../../../src/modules/billing/payment-watch';
import { ChainUnavailable, type Currency, WrongNetwork } from '../../../src/modules/billing/payment-chain';
import { PaymentChains } from '../../../src/modules/billing/payment-chains';
import { newId } from '../../../src/runtime/ids';
import { callAs } from '../../support/api/call-as';
import { describeOperation, type DescribeStatus } from '../../support/api/describe-operation';
import { expectFreeRefusals } from '../../support/api/free-refusals';
import type { World } from '../../support/api/world';
import { subscribe } from '../../support/events/subscribe';
import { ledgerFaults } from '../../support/ledger/ledger-faults';
import { ledgerEntries } from '../../support/ledger/ledger-entries';
import { openPayment } from '../../support/payments/open-payment';
import { paymentEvents } from '../../support/payments/payment-events';

/** Twice the time that the operation may take: so long a dead process keeps its claim. */
const LEASE_MS = 20_000;
const EXPIRY_MS = 15 * 60_000;
const DAY_MS = 24 * 3_600_000;

const order = (amount_usd: unknown = 50, currency: unknown = 'BTC') => ({ body: { amount_usd, currency } });

describeOperation(
  'createPayment',
  (_, variant) => order(50 + variant),
  (status) => {
    refusals(status);
    openPayments(status);
    deserted(status);
    unavailable(status);
    creations(status);
    retries(status);
  },
);

function refusals(status: DescribeStatus): void {
  status(400, 'refuses what is no order, and stores nothing', async (world) => {
    await expectFreeRefusals('createPayment', world, {
      nothing: {},
      'no amount': { currency: 'BTC' },
      'no currency': { amount_usd: 50 },
      'a currency that nobody knows': order(50, 'DOGE').body,
      'no list of currencies': order(50, ['BTC']).body,
      zero: order(0).body,
      'a negative amount': order(-50).body,
      'a text': order('50').body,
      'no number': order(null).body,
      'more than a million': order(1_000_000.01).body,
      'more than a double counts': order(1e21).body,
      'an address of the payer’s own': { ...order().body, address: 'bc1q' },
      'a list': [order().body],
    });
    expect(await payments(world)).toEqual([]);
  });
  status(422, 'refuses amounts just outside of a currency’s bounds, and says which', async (world) => {
    const cases: [number, Currency, number][] = [
      [9.999999999, 'BTC', 10],
      [9.999999999, 'ETH', 10],
      [1.999999999, 'SOL', 2],
      [0.000000001, 'BTC', 10],
      [10_000.000000001, 'BTC', 10],
      [10_000.000000001, 'ETH', 10],
      [10_000.000000001, 'SOL', 2],
      [1_000_000, 'SOL', 2],
    ];
    for (const [amount, currency, minimum] of cases) {
      const answer = await callAs('createPayment', world, order(amount, currency));
      const message = `amount_usd must be between ${minimum} and 10000 USD with ${currency}.`;
      expect([answer.status, answer.body.error, answer.body.message]).toEqual([
        422,
        'Unprocessable',
        message,
      ]);
    }
    expect(await payments(world)).toEqual([]);
  });
  status(422, 'refuses an amount that is finer than the ledger counts', async (world) => {
    for (const amount of [50.0000000001, 10.00000000049, 1e-10]) {
      const answer = await callAs('createPayment', world, order(amount));
      expect([answer.status, answer.body.message]).toEqual([
        422,
        'amount_usd is finer than 0.000000001 USD.',
      ]);
    }
    expect(await payments(world)).toEqual([]);
  });
}

function openPayments(status: DescribeStatus): void {
  status(409, 'refuses a sixth open payment of an account, in whatever currency', async (world) => {
    for (const currency of ['BTC', 'ETH', 'SOL', 'BTC', 'ETH']) {
      expect((await callAs('createPayment', world, order(50, currency))).status).toBe(201);
    }
    const answer = await callAs('createPayment', world, order(50, 'SOL'));
    const message = 'An account has at most 5 open payments; pay one or let it expire first.';
    expect([answer.status, answer.body.error, answer.body.message]).toEqual([409, 'Conflict', message]);
    expect((await callAs('createPayment', world, order(), world.stranger)).status).toBe(201);
    expect(await payments(world)).toHaveLength(5);
  });
  status(409, 'lets five of twenty creations that race through', async (world) => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => callAs('createPayment', world, order(50 + index))),
    );
    const count = (code: number) => answers.filter((answer) => answer.status === code).length;
    expect([count(201), count(409)]).toEqual([5, 15]);
    expect(await payments(world)).toHaveLength(5);
  });
  status(409, 'leaves no gap in the indices of addresses where it refuses', async (world) => {
    for (let index = 0; index < 5; index += 1) {
      await openPayment(world);
    }
    const { derivationIndex: last } = await openPayment(world, { account: world.stranger });
    expect((await callAs('createPayment', world, order())).status).toBe(409);
    const next = await openPayment(world, { account: world.stranger });
    expect(next.derivationIndex).toBe(Number(last) + 1);
  });
  status(201, 'takes another payment once one has expired or is paid', async (world) => {
    for (let index = 0; index < 5; index += 1) {
      await openPayment(world);
      world.service.clock.advance(60_000);
    }
    expect((await callAs('createPayment', world, order())).status).toBe(409);
    world.service.clock.advance(EXPIRY_MS - 4 * 60_000);
    await world.service.app.get(PaymentWatch).pass('BTC');
    const freed = await callAs('createPayment', world, order());
    expect(freed.status).toBe(201);
    expect((await callAs('createPayment', world, order())).status).toBe(409);
    await callAs('confirmPayment', world, { params: { payment_id: freed.body.id } });
    expect((await callAs('createPayment', world, order())).status).toBe(201);
  });
}

function deserted(status: DescribeStatus): void {
  status(
    201,
    'does not count open payments on a network that the service has left for ever',
    async (world) => {
      for (let index = 0; index < 5; index += 1) {
        await openPayment(world);
      }
      await world.service.database.query(`UPDATE payments SET network = 'regtest' WHERE account_id = $1`, [
        world.owner.id,
      ]);
      world.service.clock.advance(EXPIRY_MS + 7 * DAY_MS - 1);
      await expect(openPayment(world)).rejects.toThrow('at most 5 open payments');
      world.service.clock.advance(1);
      expect((await openPayment(world)).status).toBe('created');
    },
  );
}

function unavailable(status: DescribeStatus): void {
  status(503, 'says when to try again while no price can be had, and tells no more', async (world) => {
    const fault = new PriceUnavailable('BTC', 'only 1 of 3 sources told one within the last minute');
    jest.spyOn(world.service.app.get(PriceSources), 'quote').mockRejectedValueOnce(fault);
    const answer = await callAs('createPayment', world, order());
    const message = "BTC payments can't be taken right now: no price can be had.";
    expect([answer.status, answer.body.message, answer.headers['retry-after']]).toEqual([503, message, '15']);
    expect(await payments(world)).toEqual([]);
  });
  status(503, 'says when to try again while the node does not answer, or is the wrong one', async (world) => {
    const chain = world.service.app.get(PaymentChains).get('ETH');
    if (chain === null) {
      throw new Error('the sandbox plays every chain');
    }
    for (const fault of [new ChainUnavailable('10.0.0.7 is down'), new WrongNetwork('the node is on 1')]) {
      jest.spyOn(chain, 'network').mockRejectedValueOnce(fault);
      const answer = await callAs('createPayment', world, order(50, 'ETH'));
      const message = "ETH payments can't be taken right now: the chain can not be asked.";
      expect([answer.status, answer.body.message]).toEqual([503, message]);
    }
    expect(await payments(world)).toEqual([]);
    expect((await callAs('createPayment', world, order(50, 'ETH'))).status).toBe(201);
  });
}

function creations(status: DescribeStatus): void {
  status(201, 'answers with where to pay what until when, and credits nothing', async (world) => {
    const before = await ledgerEntries(world.service, world.owner);
    const answer = await callAs('createPayment', world, order(50, 'BTC'));
    const now = world.service.clock.now();
    const { id, address } = answer.body;
    expect(answer.body).toEqual({
      id,
      payment_id: id,
      user_id: world.owner.id,
      amount_usd: 50,
      currency: 'BTC',
      network: 'sandbox',
      amount_crypto: 0.0005,
      amount_crypto_text: '0.0005',
      address: expect.stringMatching(/^sandbox-btc-\d+$/),
      reference: null,
      payment_uri: `bitcoin:${address}?amount=0.0005`,
      qr_path: `/api/payments/payments/${id}/qr.svg`,
      rate: 100_000,
      price_sources: [{ name: 'sandbox', rate: 100_000, taken_at: now.toISOString() }],
      status: 'created',
      failure_reason: null,
      confirmations: 0,
      required_confirmations: 1,
      tx_hash: null,
      received_crypto: 0,
      received_crypto_text: '0',
      credited_usd: 0,
      underpaid: false,
      overpaid: false,
      late: false,
      transfers: [],
      detected_at: null,
      expires_at: new Date(now.getTime() + EXPIRY_MS).toISOString(),
      created_at: now.toISOString(),
      confirmed_at: null,
    });
    expect(await ledgerEntries(world.service, world.owner)).toEqual(before);
    expect(await ledgerFaults(world.service.database)).toEqual([]);
  });
  status(201, 'takes the bounds themselves and what is just inside, to the last digit', async (world) => {
    const cases: [number, Currency, string, number][] = [
      [10, 'BTC', '0.0001', 1],
      [10.000000001, 'BTC', '0.00010001', 1],
      [100, 'BTC', '0.001', 1],
      [100.000000001, 'BTC', '0.00100001', 2],
      [10_000, 'BTC', '0.1', 3],
      [10, 'ETH', '0.0025', 12],
      [10.000000001, 'ETH', '0.00250001', 12],
      [33.33, 'ETH', '0.0083325', 12],
      [1_000, 'ETH', '0.25', 12],
      [1_000.01, 'ETH', '0.2500025', 64],
      [10_000, 'ETH', '2.5', 64],
      [2, 'SOL', '0.01', 32],
      [2.000000001, 'SOL', '0.010000001', 32],
      [123.456789012, 'SOL', '0.617283946', 32],
      [9_999.999999999, 'SOL', '50', 32],
    ];
    for (const [index, [amount, currency, text, confirmations]] of cases.entries()) {
      const account = [world.owner, world.stranger, world.admin][index % 3];
      const { body } = await callAs('createPayment', world, order(amount, currency), account);
      expect([body.amount_usd, body.amount_crypto_text, body.amount_crypto]).toEqual([
        amount,
        text,
        Number(text),
      ]);
      expect(body.required_confirmations).toBe(confirmations);
    }
  });
  status(201, 'gives wallets the exact amount, for Ethereum in wei', async (world) => {
    const uri = async (currency: Currency) =>
      (await callAs('createPayment', world, order(33.33, currency))).body.payment_uri;
    expect(await uri('BTC')).toMatch(/^bitcoin:sandbox-btc-\d+\?amount=0.0003333$/);
    expect(await uri('ETH')).toMatch(/^ethereum:sandbox-eth-\d+\?value=8332500000000000$/);
    expect(await uri('SOL')).toMatch(/^solana:sandbox-sol-\d+\?amount=0.16665&label=Credits$/);
  });
  status(201, 'gives each of fifteen payments that are made at once an address of its own', async (world) => {
    const accounts = [world.owner, world.stranger, world.admin];
    const made = await Promise.all(
      Array.from({ length: 15 }, (_, index) => openPayment(world, { account: accounts[index % 3] })),
    );
    const indices = made.map(({ derivationIndex }) => Number(derivationIndex)).sort((a, b) => a - b);
    expect(indices).toEqual(Array.from({ length: 15 }, (_, index) => Number(indices[0]) + index));
    expect(new Set(made.map(({ address }) => address)).size).toBe(15);
  });
  status(201, 'tells subscribers of the account, and stores nothing where there are none', async (world) => {
    await callAs('createPayment', world, order());
    expect(await paymentEvents(world)).toEqual([]);
    await subscribe(world.service.database, world.owner.id, { events: ['payment.created'] });
    const { body } = await callAs('createPayment', world, order(33.33, 'ETH'));
    expect(await paymentEvents(world)).toEqual([
      {
        type: 'payment.created',
        operation: 'createPayment',
        occurredAt: world.service.clock.now(),
        data: {
          payment_id: body.id,
          user_id: world.owner.id,
          amount_usd: 33.33,
          currency: 'ETH',
          amount_crypto: 0.0083325,
          address: body.address,
          reference: null,
          expires_at: body.expires_at,
        },
      },
    ]);
  });
}

function retries(status: DescribeStatus): void {
  const keyed = (key: string, amount = 50, currency: Currency = 'BTC') => ({
    ...order(amount, currency),
    headers: { 'idempotency-key': key },
  });
  status(201, 'gives a retry the same payment when the first try died before its answer', async (world) => {
    const key = newId();
    const first = await callAs('createPayment', world, keyed(key));
    await loseAnswer(world);
    expect((await callAs('createPayment', world, keyed(key))).status).toBe(409);
    world.service.clock.advance(LEASE_MS);
    const races = Array.from({ length: 10 }, () => callAs('createPayment', world, keyed(key)));
    const tries = await Promise.all(races);
    expect(tries.filter((answer) => ![201, 409].includes(answer.status))).toEqual([]);
    const last = await callAs('createPayment', world, keyed(key));
    expect([last.status, last.body]).toEqual([201, first.body]);
    expect(await payments(world)).toEqual([first.body.id]);
  });
  status(201, 'gives a retry the same payment also where five are open', async (world) => {
    const key = newId();
    const first = await callAs('createPayment', world, keyed(key));
    await loseAnswer(world);
    for (let index = 0; index < 4; index += 1) {
      await openPayment(world);
    }
    world.service.clock.advance(LEASE_MS);
    const retry = await callAs('createPayment', world, keyed(key));
    expect([retry.status, retry.body.id]).toEqual([201, first.body.id]);
  });
  status(422, 'refuses another order under the key of a call that died', async (world) => {
    const key = newId();
    await callAs('createPayment', world, keyed(key));
    await loseAnswer(world);
    world.service.clock.advance(LEASE_MS);
    for (const other of [keyed(key, 51), keyed(key, 50, 'ETH')]) {
      const answer = await callAs('createPayment', world, other);
      expect([answer.status, answer.body.message]).toEqual([
        422,
        'This Idempotency-Key was used for another request.',
      ]);
    }
    expect(await payments(world)).toHaveLength(1);
  });
  status(201, 'makes another payment under a key that was forgotten after a day', async (world) => {
    const key = newId();
    const first = await callAs('createPayment', world, keyed(key));
    world.service.clock.advance(DAY_MS - 1);
    await renewToken(world);
    const replayed = await callAs('createPayment', world, keyed(key));
    expect([replayed.body.id, replayed.headers['idempotent-replayed']]).toEqual([first.body.id, 'true']);
    world.service.clock.advance(1);
    const second = await callAs('createPayment', world, keyed(key, 51));
    expect([second.status, second.body.amount_usd]).toEqual([201, 51]);
    expect(second.body.id).not.toBe(first.body.id);
    await loseAnswer(world);
    world.service.clock.advance(LEASE_MS);
    expect((await callAs('createPayment', world, keyed(key, 51))).body.id).toBe(second.body.id);
  });
  status(201, 'keeps the keys of different accounts apart', async (world) => {
    const key = newId();
    const one = await callAs('createPayment', world, keyed(key));
    const other = await callAs('createPayment', world, keyed(key), world.stranger);
    expect([other.status, other.body.user_id]).toEqual([201, world.stranger.id]);
    expect(other.body.id).not.toBe(one.body.id);
  });
}

/** What a process leaves that died after its commit: the claim, without an answer. */
async function loseAnswer({ service, owner }: World): Promise<void> {
  await service.database.query(
    'UPDATE idempotency_claims SET status = NULL, answer = NULL WHERE account_id = $1',
    [owner.id],
  );
}

/** A token lasts a day. */
async function renewToken(world: World): Promise<void> {
  const { email, password } = world.owner;
  const { body } = await world.service.call('login', { body: { email, password }, ip: world.ip });
  world.owner.token = body.token;
}

/** The ids of the owner's payments, the first first. */
async function payments({ service, owner }: World): Promise<string[]> {
  const rows: { id: string }[] = await service.database.query(
    'SELECT id FROM payments WHERE account_id = $1 ORDER BY created_at, id',
    [owner.id],
  );
  return rows.map(({ id }) => id);
}
