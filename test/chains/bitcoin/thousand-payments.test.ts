import { freshBitcoinAccount } from '../../support/chains/bitcoin-keys';
import { BitcoinNode } from '../../support/chains/bitcoin-node';
import { PaymentScene } from '../../support/chains/payment-scene';
import { openThousandPayments, timedPass } from '../../support/chains/thousand-payments';

it('looks at a thousand open BTC payments with a few requests', async () => {
  const node = await BitcoinNode.start();
  const settings = { BTC_XPUB: freshBitcoinAccount().vpub, BTC_RPC_URL: node.rpcUrl };
  const scene = await PaymentScene.start('BTC', '50000', settings);
  const payments = await openThousandPayments(scene);
  await timedPass(scene, 'the first look, which imports the addresses');
  expect((await timedPass(scene, 'nothing new')).requests).toBeLessThanOrEqual(10);
  for (const { address } of payments.slice(0, 20)) {
    await node.send(address, '0.002');
  }
  await node.mine();
  const arrived = await timedPass(scene, 'twenty are paid');
  expect(arrived.changed).toBe(20);
  expect(arrived.requests).toBeLessThanOrEqual(15);
  await scene.stop();
  await node.stop();
});
