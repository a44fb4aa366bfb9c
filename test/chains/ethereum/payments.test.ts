import { HDKey } from '@scure/bip32';
import { randomBytes } from 'node:crypto';
import { PaymentWatch } from '../../../src/modules/billing/payment-watch';
import { callAs } from '../../support/api/call-as';
import { TestService } from '../../support/api/service';
import { World } from '../../support/api/world';
import { freshEthereumAccount } from '../../support/chains/ethereum-keys';
import { EthereumNode } from '../../support/chains/ethereum-node';
import { PaymentScene, type PaidPayment } from '../../support/chains/payment-scene';

const PRICE = '4000';
const CREATED = ['payment.created'];
const CONFIRMED = ['balance.updated', 'payment.confirmed', 'payment.confirming', 'payment.created'];

describe('ETH payments on a real node', () => {
  let node: EthereumNode;
  let scene: PaymentScene;

  beforeAll(async () => {
    node = await EthereumNode.start({ slotsInEpoch: 16 });
    scene = await PaymentScene.start('ETH', PRICE, {
      ETH_XPUB: freshEthereumAccount().xpub,
      ETH_RPC_URL: node.rpcUrl,
    });
  });
  afterAll(async () => {
    await scene.stop();
    await node.stop();
  });
  beforeEach(async () => {
    scene.setPrice(PRICE);
    await passTime();
  });

  /** Brings the chain to the time of the service. Its clock never goes back, and its blocks run ahead. */
  async function passTime(): Promise<void> {
    const { timestamp } = await node.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false]);
    const aheadMs = (Number(timestamp) + 2 - scene.nowSeconds) * 1000;
    scene.service.clock.advance(Math.max(0, aheadMs));
    await node.setTime(scene.nowSeconds);
    await node.mine();
  }

  async function expire(payment: PaidPayment): Promise<void> {
    payment.passExpiry();
    await passTime();
  }

  it('goes over twelve confirmations to credit', async () => {
    const payment = await scene.pay(100);
    const hash = await node.send(payment.address, payment.base());
    await scene.look();
    expect(await payment.now()).toMatchObject({
      status: 'confirming',
      received_crypto: 0.025,
      confirmations: 1,
      required_confirmations: 12,
      tx_hash: hash,
    });
    await node.mine(10);
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'confirming', confirmations: 11 });
    expect(await payment.creditedUsd()).toBe(0);
    await node.mine();
    await scene.look();
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'confirmed', credited_usd: 100 });
    expect(await payment.creditedUsd()).toBe(100);
    expect(await payment.told()).toEqual(CONFIRMED);
  });

  it('waits for finality above 1,000 USD', async () => {
    const payment = await scene.pay(2000);
    await node.send(payment.address, payment.base());
    await node.mine(20);
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'confirming', required_confirmations: 64 });
    await node.mine(20);
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'confirmed', credited_usd: 2000 });
  });

  it('sees what a contract sends, without a log and without a hash', async () => {
    const forwarder = await node.deployForwarder();
    const payment = await scene.pay(100);
    await node.sendByContract(forwarder, payment.address, payment.base());
    await node.mine(12);
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'confirmed', credited_usd: 100, tx_hash: null });
  });

  it('adds up several parts, and credits a part when the time is over', async () => {
    const [whole, part] = [await scene.pay(100), await scene.pay(100)];
    await node.send(whole.address, whole.base(600));
    await node.send(part.address, part.base(600));
    await scene.look();
    await node.send(whole.address, whole.base(400));
    await node.mine(12);
    await scene.look();
    expect(await whole.now()).toMatchObject({ status: 'confirmed', credited_usd: 100, underpaid: false });
    expect(await part.now()).toMatchObject({ status: 'confirming', credited_usd: 0 });
    await expire(part);
    await scene.look();
    expect(await part.now()).toMatchObject({ status: 'confirmed', credited_usd: 60, underpaid: true });
  });

  it('credits what goes beyond, and what comes late, at the lower price', async () => {
    const [over, late] = [await scene.pay(100), await scene.pay(100)];
    await node.send(over.address, over.base(2000));
    await expire(late);
    await node.mine(12);
    scene.setPrice('2000');
    await scene.look();
    // 110 % at 4,000 USD, and 90 % at 2,000 USD.
    expect(await over.now()).toMatchObject({ status: 'confirmed', credited_usd: 155, overpaid: true });
    expect(await late.now()).toMatchObject({ status: 'expired' });
    await node.send(late.address, late.base());
    await node.mine(12);
    scene.service.clock.advance(11 * 60_000);
    await scene.look();
    expect(await late.now()).toMatchObject({ status: 'confirmed', credited_usd: 50, late: true });
    expect(await late.told()).toEqual(
      ['balance.updated', 'payment.confirmed', 'payment.confirming', ...CREATED, 'payment.expired'].sort(),
    );
  });

  it('credits nothing for a transaction that failed', async () => {
    const forwarder = await node.deployForwarder();
    const payment = await scene.pay(100);
    await node.failTowards(payment.address, payment.base());
    await node.failByContract(forwarder, payment.address, payment.base());
    await node.mine(12);
    await scene.look();
    expect(await payment.now()).toMatchObject({ received_crypto: 0 });
    await expire(payment);
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'expired', credited_usd: 0 });
    expect(await payment.told()).toEqual([...CREATED, 'payment.expired']);
  });

  it('takes back nothing but the wait in a reorganisation before the credit', async () => {
    const payment = await scene.pay(100);
    await node.send(payment.address, payment.base());
    await node.mine(5);
    await scene.look();
    await node.reorg(6);
    await node.mine();
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'confirming', received_crypto: 0, credited_usd: 0 });
    await node.send(payment.address, payment.base());
    await node.mine(12);
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'confirmed', credited_usd: 100 });
    expect(await payment.creditedUsd()).toBe(100);
    expect(await payment.told()).toEqual(CONFIRMED);
  });

  it('leaves a credit as it is after a reorganisation, calls a person, and credits nothing in its place', async () => {
    const payment = await scene.pay(100);
    await node.send(payment.address, payment.base());
    await node.mine(12);
    await scene.look();
    expect(await payment.creditedUsd()).toBe(100);
    await node.reorg(14);
    await node.send(payment.address, payment.base(600));
    await node.mine(14);
    scene.service.clock.advance(11 * 60_000);
    await scene.look();
    await scene.look();
    expect(await payment.creditedUsd()).toBe(100);
    const { body } = await callAs('listAllPayments', payment.world, {
      query: { needs_review: true, user_id: payment.world.owner.id },
    });
    expect(body.payments).toHaveLength(1);
    expect(body.payments[0]?.review.reason).toBe('A credited transfer is no longer on the chain.');
    const resolved = await callAs('resolvePayment', payment.world, {
      params: { payment_id: payment.created.id },
      body: {
        note: 'the transaction is gone; 60 percent have come since',
        adjust_usd: -40,
        expected_version: body.payments[0]?.version,
      },
    });
    expect(resolved.status).toBe(200);
    scene.service.clock.advance(11 * 60_000);
    await scene.look();
    // Were what came since a transfer of its own, the same ether would be credited twice where a node has only erred.
    expect(await payment.creditedUsd()).toBe(60);
  });

  it('does nothing while the node is down, and then what is due', async () => {
    const [paid, unpaid] = [await scene.pay(100), await scene.pay(100)];
    await node.send(paid.address, paid.base());
    await node.mine(12);
    await node.shutDown();
    await scene.lookInVain();
    unpaid.passExpiry();
    await scene.lookInVain();
    expect(await unpaid.now()).toMatchObject({ status: 'created' });
    await node.startAgain();
    await passTime();
    await scene.look();
    expect(await paid.now()).toMatchObject({ status: 'confirmed', credited_usd: 100, late: false });
    expect(await unpaid.now()).toMatchObject({ status: 'expired' });
  });
});

describe('a service whose ETH node is not right', () => {
  const live = { SERVICE_ENVIRONMENT: 'live', ETH_XPUB: freshEthereumAccount().xpub };

  it('does not start in live on a test network', async () => {
    const node = await EthereumNode.start();
    await expect(TestService.start({ ...live, ETH_RPC_URL: node.rpcUrl })).rejects.toThrow(
      /ETH: .*31337.*live/,
    );
    await node.stop();
  });

  it('does not start with a private key, and does not repeat it', async () => {
    const xprv = HDKey.fromMasterSeed(randomBytes(32)).privateExtendedKey;
    const start = TestService.start({ ETH_XPUB: xprv, ETH_RPC_URL: 'http://127.0.0.1:1' });
    const refusal: Error = await start.then(
      () => new Error('it started'),
      (error: Error) => error,
    );
    expect(refusal.message).toContain('ETH_XPUB: is a private key');
    expect(refusal.message).not.toContain(xprv.slice(0, 20));
  });

  it('starts while the node is down, and takes no payments', async () => {
    const service = await TestService.start({
      ETH_XPUB: freshEthereumAccount().xpub,
      ETH_RPC_URL: 'http://user:secret@127.0.0.1:1',
    });
    const world = await World.create(service);
    const { body } = await callAs('listPaymentMethods', world, {});
    expect(body.methods.find(({ currency }) => currency === 'ETH')).toMatchObject({
      available: false,
      unavailable_reason: expect.any(String),
      network: null,
    });
    const refused = await callAs('createPayment', world, { body: { amount_usd: 100, currency: 'ETH' } });
    expect([refused.status, refused.text.includes('secret')]).toEqual([503, false]);
    expect(await service.app.get(PaymentWatch).pass('ETH')).toBeNull();
    const [watch]: { fault: string }[] = await service.database.query('SELECT fault FROM chain_watches');
    expect(watch?.fault).not.toContain('secret');
    await service.stop();
  });
});
