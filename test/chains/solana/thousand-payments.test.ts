import { PaymentScene } from '../../support/chains/payment-scene';
import { SolanaNode } from '../../support/chains/solana-node';
import { freshSolanaAddress } from '../../support/chains/solana-transaction';
import { openThousandPayments, timedPass } from '../../support/chains/thousand-payments';

/** surfpool takes no batches; with a node that does, a hundred are one request (crowded-places.test.ts). */
it('looks at a thousand open SOL payments with one request for each', async () => {
  const node = await SolanaNode.start();
  const merchant = freshSolanaAddress();
  await node.airdrop(merchant);
  const settings = { SOL_MERCHANT_ADDRESS: merchant, SOL_RPC_URL: node.rpcUrl };
  const scene = await PaymentScene.start('SOL', '200', settings);
  const payments = await openThousandPayments(scene);
  await timedPass(scene, 'the first look');
  expect((await timedPass(scene, 'nothing new')).requests).toBeLessThanOrEqual(1_010);
  // All in one transaction, which has room for them.
  await node.transferMany(
    payments.slice(0, 12).map(({ address, expectedBase, reference }) => ({
      to: address,
      lamports: expectedBase,
      references: [reference ?? ''],
    })),
  );
  await node.finalize();
  const arrived = await timedPass(scene, 'twelve are paid');
  expect(arrived.changed).toBe(12);
  expect(arrived.requests).toBeLessThanOrEqual(1_060);
  await scene.stop();
  await node.stop();
});
