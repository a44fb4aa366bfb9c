import { PaymentScene, type PaidPayment } from '../../support/chains/payment-scene';
import { SolanaNode } from '../../support/chains/solana-node';
import { freshSolanaAddress } from '../../support/chains/solana-transaction';

const PRICE = '200';
const CREATED = ['payment.created'];
const CONFIRMED = ['balance.updated', 'payment.confirmed', 'payment.confirming', 'payment.created'];

describe('SOL payments on a real node', () => {
  let node: SolanaNode;
  let scene: PaymentScene;
  const merchant = freshSolanaAddress();

  beforeAll(async () => {
    node = await SolanaNode.start();
    await node.airdrop(merchant);
    scene = await PaymentScene.start('SOL', PRICE, {
      SOL_MERCHANT_ADDRESS: merchant,
      SOL_RPC_URL: node.rpcUrl,
    });
  });
  afterAll(async () => {
    await scene.stop();
    await node.stop();
  });
  beforeEach(() => scene.setPrice(PRICE));

  function transferOf(payment: PaidPayment, perMille = 1000) {
    const references = [payment.created.reference ?? ''];
    return { to: payment.address, lamports: payment.base(perMille), references };
  }

  async function expire(payment: PaidPayment): Promise<void> {
    payment.passExpiry();
    await node.setTime(scene.nowSeconds);
  }

  it('goes over the first confirmation to credit when it is final', async () => {
    const payment = await scene.pay(100);
    const signature = await node.transfer(transferOf(payment));
    await scene.look();
    expect(await payment.now()).toMatchObject({
      status: 'confirming',
      received_crypto: 0.5,
      required_confirmations: 32,
      tx_hash: signature,
    });
    expect(await payment.creditedUsd()).toBe(0);
    await node.finalize();
    await scene.look();
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'confirmed', credited_usd: 100 });
    expect(await payment.told()).toEqual(CONFIRMED);
  });

  it('adds up several parts, and pays two payments by one transaction', async () => {
    const [parts, one, other] = [await scene.pay(100), await scene.pay(50), await scene.pay(20)];
    await node.transfer(transferOf(parts, 300));
    await node.transferMany([transferOf(parts, 700), transferOf(one), transferOf(other)]);
    await node.finalize();
    await scene.look();
    expect(await parts.creditedUsd()).toBe(100);
    expect(await one.creditedUsd()).toBe(50);
    expect(await other.creditedUsd()).toBe(20);
  });

  it('gives a transfer that carries two references to one payment only', async () => {
    const [one, other] = [await scene.pay(100), await scene.pay(100)];
    const references = [one.created.reference ?? '', other.created.reference ?? ''];
    await node.transfer({ ...transferOf(one), references });
    await node.finalize();
    await scene.look();
    await scene.look();
    expect((await one.creditedUsd()) + (await other.creditedUsd())).toBe(100);
  });

  it('credits a part when the time is over, and what goes beyond or comes late at the lower price', async () => {
    const [part, over, late] = [await scene.pay(100), await scene.pay(100), await scene.pay(100)];
    await node.transfer(transferOf(part, 250));
    await node.transfer(transferOf(over, 2000));
    await scene.look();
    await expire(late);
    scene.setPrice('100');
    await scene.look();
    expect(await part.now()).toMatchObject({ status: 'confirmed', credited_usd: 25, underpaid: true });
    expect(await over.now()).toMatchObject({ status: 'confirmed', credited_usd: 155, overpaid: true });
    expect(await late.now()).toMatchObject({ status: 'expired' });
    await node.transfer(transferOf(late));
    await node.finalize();
    scene.service.clock.advance(11 * 60_000);
    await scene.look();
    expect(await late.now()).toMatchObject({ status: 'confirmed', credited_usd: 50, late: true });
    await node.transfer(transferOf(late, 500));
    await node.finalize();
    scene.service.clock.advance(11 * 60_000);
    await scene.look();
    expect(await late.creditedUsd()).toBe(75);
    expect(await late.told()).toEqual([
      'balance.updated',
      'balance.updated',
      'payment.confirmed',
      'payment.confirming',
      ...CREATED,
      'payment.expired',
    ]);
  });

  it('fails after its time when the transaction failed', async () => {
    const payment = await scene.pay(100);
    await node.failedTransfer(transferOf(payment));
    await node.finalize();
    await scene.look();
    expect(await payment.now()).toMatchObject({ status: 'created', received_crypto: 0 });
    await expire(payment);
    await scene.look();
    expect(await payment.now()).toMatchObject({
      status: 'failed',
      failure_reason: 'The transaction failed.',
    });
    expect(await payment.told()).toEqual([...CREATED, 'payment.failed']);
  });

  it('credits nothing for a transaction that has vanished, and what was final stays credited', async () => {
    const [early, credited] = [await scene.pay(100), await scene.pay(100)];
    await node.transfer(transferOf(credited));
    await node.finalize();
    await scene.look();
    expect(await credited.creditedUsd()).toBe(100);
    await node.transfer(transferOf(early));
    await scene.look();
    expect(await early.now()).toMatchObject({ status: 'confirming' });
    await node.forgetEverything();
    await node.airdrop(merchant);
    scene.service.clock.advance(11 * 60_000);
    await scene.look();
    expect(await early.now()).toMatchObject({ status: 'confirming', credited_usd: 0 });
    expect(await early.creditedUsd()).toBe(0);
    expect(await credited.creditedUsd()).toBe(100);
  });
});
