import { freshBitcoinAccount } from '../../support/chains/bitcoin-keys';
import { BitcoinNode } from '../../support/chains/bitcoin-node';
import { PaymentScene, type PaidPayment } from '../../support/chains/payment-scene';
import { callAs } from '../../support/api/call-as';

/** Of one USD 0.00002 BTC: no amount is rounded. */
const PRICE = '50000.00';
const CREATED = ['payment.created'];
const CONFIRMED = ['balance.updated', 'payment.confirmed', 'payment.confirming', 'payment.created'];

describe('BTC payments on a real node', () => {
  let node: BitcoinNode;
  let scene: PaymentScene;

  beforeAll(async () => {
    node = await BitcoinNode.start();
    scene = await PaymentScene.start('BTC', PRICE, {
      BTC_XPUB: freshBitcoinAccount().vpub,
      BTC_RPC_URL: node.rpcUrl,
    });
  });
  afterAll(async () => {
    await scene.stop();
    await node.stop();
  });
  beforeEach(() => {
    scene.setPrice(PRICE);
  });

  /** Brings service and chain behind the time of a payment. */
  async function expire(payment: PaidPayment): Promise<void> {
    payment.passExpiry();
    await node.setTime(scene.nowSeconds);
    await node.mine();
  }

  // The first of them: a node does not start again on a chain whose time the others have moved.
  it('does nothing while the node is down, and then what is due', async () => {
    const payment = await scene.pay(100);
    const unpaid = await scene.pay(100);
    await node.send(payment.address, payment.coins());
    await node.mine();
    await node.shutDown();
    unpaid.passExpiry();
    await scene.lookInVain();
    expect(await unpaid.now()).toMatchObject({ status: 'created' });
    scene.service.clock.advance(60_000);
    const methods = await callAs('listPaymentMethods', payment.world, {});
    expect(methods.body.methods[0]).toMatchObject({ currency: 'BTC', available: false });
    const refused = await callAs('createPayment', payment.world, {
      body: { amount_usd: 100, currency: 'BTC' },
    });
    expect(refused.status).toBe(503);
    await node.startAgain();
    await scene.look();
    expect(await unpaid.now()).toMatchObject({ status: 'created' });
    await node.setTime(scene.nowSeconds);
    await node.mine();
    await scene.look();
    expect(await unpaid.now()).toMatchObject({ status: 'expired' });
    expect(await payment.now()).toMatchObject({ status: 'confirmed', credited_usd: 100, late: false });
  });

  it('goes from nothing over a first confirmation to credit', async () => {
    const payment = await scene.pay(500);
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'created', received_crypto: 0, detected_at: null });
    const txid = await node.send(payment.address, payment.coins());
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'created', received_crypto: 0.01, tx_hash: txid });
    expect(await payment.told()).toEqual(CREATED);
    await node.mine();
    await scene.look();
    expect(await payment.now()).toMatchObject({
      status: 'confirming',
      confirmations: 1,
      required_confirmations: 2,
    });
    expect(await payment.creditedUsd()).toBe(0);
    await node.mine();
    await scene.look();
    await scene.look();
    expect(await payment.now()).toMatchObject({
      status: 'confirmed',
      credited_usd: 500,
      underpaid: false,
      late: false,
    });
    expect(await payment.creditedUsd()).toBe(500);
    expect(await payment.told()).toEqual(CONFIRMED);
  });

  it('adds several parts up, and credits nothing before they are all there', async () => {
    const payment = await scene.pay(100);
    await node.send(payment.address, payment.coins(300));
    await node.send(payment.address, payment.coins(300));
    await node.mine();
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'confirming', received_crypto: 0.0012 });
    expect(await payment.creditedUsd()).toBe(0);
    await node.send(payment.address, payment.coins(400));
    await node.mine();
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'confirmed', credited_usd: 100, underpaid: false });
    expect(await payment.told()).toEqual(CONFIRMED);
  });

  it('credits a part at the locked price when the time is over, and not before', async () => {
    const payment = await scene.pay(100);
    await node.send(payment.address, payment.coins(400));
    await node.mine();
    await scene.look();
    scene.setPrice('60000');
    expect(await payment.now()).toMatchObject({ status: 'confirming', credited_usd: 0 });
    await expire(payment);
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'confirmed', credited_usd: 40, underpaid: true });
    expect(await payment.creditedUsd()).toBe(40);
  });

  it('credits what goes beyond at the lower price', async () => {
    const payment = await scene.pay(50);
    await node.send(payment.address, payment.coins(3000));
    await node.mine(2);
    scene.setPrice('25000');
    await scene.look();
    // 110 % at 50,000 USD, and 190 % at 25,000 USD.
    expect(await payment.now()).toMatchObject({ status: 'confirmed', credited_usd: 102.5, overpaid: true });
    expect(await payment.creditedUsd()).toBe(102.5);
  });

  it('credits what comes after the time at the lower price, and later coins once more', async () => {
    const payment = await scene.pay(100);
    await expire(payment);
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'expired' });
    expect(await payment.told()).toEqual([...CREATED, 'payment.expired']);
    scene.service.clock.advance(11 * 60_000);
    scene.setPrice('40000');
    await node.send(payment.address, payment.coins());
    await node.mine();
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'confirmed', credited_usd: 80, late: true });
    scene.service.clock.advance(11 * 60_000);
    await node.send(payment.address, payment.coins(500));
    await node.mine(2);
    await scene.look();
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'confirmed', credited_usd: 120 });
    expect(await payment.creditedUsd()).toBe(120);
    expect(await payment.told()).toEqual([
      'balance.updated',
      'balance.updated',
      'payment.confirmed',
      'payment.confirming',
      ...CREATED,
      'payment.expired',
    ]);
  });

  it('credits a replacement that pays us once', async () => {
    const payment = await scene.pay(100);
    const first = await node.send(payment.address, payment.coins(), { feeRate: 2 });
    await scene.look();
    const second = await node.bump(first, 20);
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'created', received_crypto: 0.002, tx_hash: second });
    await node.mine();
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'confirmed', credited_usd: 100, tx_hash: second });
    expect(await payment.creditedUsd()).toBe(100);
    expect(await payment.told()).toEqual(CONFIRMED);
  });

  it.each(['replaced away', 'spent otherwise in a block'])(
    'fails after its time when it was %s',
    async (way) => {
      const payment = await scene.pay(100);
      const txid = await node.send(payment.address, payment.coins(), { feeRate: 2 });
      await scene.look();
      expect(await payment.now()).toMatchObject({ received_crypto: 0.002 });
      await (way === 'replaced away' ? node.replace(txid) : node.doubleSpend(txid));
      await node.mine();
      await scene.look();
      expect(await payment.now()).toMatchObject({ status: 'created', received_crypto: 0 });
      await expire(payment);
      await scene.look();
      expect(await payment.now()).toMatchObject({
        status: 'failed',
        failure_reason: 'The transaction was replaced by another one.',
      });
      expect(await payment.creditedUsd()).toBe(0);
      expect(await payment.told()).toEqual([...CREATED, 'payment.failed']);
    },
  );

  it('goes back to no confirmation in a reorganisation before the credit, and tells of the first one once', async () => {
    const payment = await scene.pay(500);
    await node.send(payment.address, payment.coins());
    await node.mine();
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'confirming', confirmations: 1 });
    await node.reorg(1, { withTransactions: false });
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'confirming', confirmations: 0, credited_usd: 0 });
    await node.mine(2);
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'confirmed', credited_usd: 500 });
    expect(await payment.told()).toEqual(CONFIRMED);
  });

  it('leaves a credit as it is after a reorganisation, and calls a person', async () => {
    const payment = await scene.pay(100);
    const txid = await node.send(payment.address, payment.coins());
    await node.mine();
    await scene.look();
    expect(await payment.creditedUsd()).toBe(100);
    await node.reorg(1, { withTransactions: false });
    await node.doubleSpend(txid);
    // One that has its credit is looked at less often.
    scene.service.clock.advance(11 * 60_000);
    await scene.look();
    expect(await payment.creditedUsd()).toBe(100);
    const { body } = await callAs('listAllPayments', payment.world, {
      query: { needs_review: true, user_id: payment.world.owner.id },
    });
    expect(body.payments).toEqual([
      expect.objectContaining({
        review: expect.objectContaining({
          needed: true,
          reason: 'A credited transfer is no longer on the chain.',
        }),
      }),
    ]);
    const resolved = await callAs('resolvePayment', payment.world, {
      params: { payment_id: payment.created.id },
      body: { note: 'double spend', adjust_usd: -100, expected_version: body.payments[0]?.version },
    });
    expect([resolved.status, resolved.body.review.needed]).toEqual([200, false]);
    expect(await payment.creditedUsd()).toBe(0);
    scene.service.clock.advance(11 * 60_000);
    await scene.look();
    expect(await payment.creditedUsd()).toBe(0);
  });

  it('waits for a transaction that nodes have forgotten, and takes it when it comes back', async () => {
    const payment = await scene.pay(100);
    const txid = await node.send(payment.address, payment.coins());
    await scene.look();
    await node.forgetMempool();
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'created', transfers: [{ state: 'missing' }] });
    scene.service.clock.advance(60_000);
    await expire(payment);
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'created' });
    await node.rebroadcast(txid);
    await node.mine();
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'confirmed', credited_usd: 100, late: false });
  });
});
