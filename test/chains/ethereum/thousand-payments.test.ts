import { freshEthereumAccount } from '../../support/chains/ethereum-keys';
import { EthereumNode } from '../../support/chains/ethereum-node';
import { PaymentScene } from '../../support/chains/payment-scene';
import { openThousandPayments, timedPass } from '../../support/chains/thousand-payments';

it('looks at a thousand open ETH payments with a few requests', async () => {
  const node = await EthereumNode.start();
  const settings = { ETH_XPUB: freshEthereumAccount().xpub, ETH_RPC_URL: node.rpcUrl };
  const scene = await PaymentScene.start('ETH', '4000', settings);
  const payments = await openThousandPayments(scene);
  await timedPass(scene, 'the first look');
  expect((await timedPass(scene, 'nothing new')).requests).toBeLessThanOrEqual(5);
  for (const { address, expectedBase } of payments.slice(0, 20)) {
    await node.send(address, expectedBase);
  }
  await node.mine(12);
  const arrived = await timedPass(scene, 'twenty are paid');
  expect(arrived.changed).toBe(20);
  expect(arrived.requests).toBeLessThanOrEqual(60);
  await scene.stop();
  await node.stop();
});
