import { freshEthereumAccount } from '../../support/chains/ethereum-keys';
import { EthereumNode } from '../../support/chains/ethereum-node';
import { EthereumWatch } from '../../support/chains/ethereum-watch';

const ETHER = 10n ** 18n;

describe('what arrives at Ethereum addresses', () => {
  let node: EthereumNode;
  let watch: EthereumWatch;
  const { xpub } = freshEthereumAccount();

  beforeAll(async () => {
    node = await EthereumNode.start({ noMining: true });
    await node.mine(5);
    watch = new EthereumWatch(node.rpcUrl, 'test', xpub);
  });
  afterAll(async () => {
    await watch.chain.close();
    await node.stop();
  });

  it('is seen at 1, 2 and 12 confirmations, and when it is final', async () => {
    const address = watch.pay();
    expect(await watch.at(address)).toEqual([]);
    const hash = await node.send(address, ETHER);
    expect(await watch.at(address)).toEqual([]);
    await node.mine();
    const id = `${address}:0-${ETHER}`;
    const first = await watch.at(address);
    expect(first).toEqual([
      {
        id,
        txHash: hash,
        amountBase: ETHER,
        state: 'included',
        confirmations: 1,
        isFinal: false,
        blockTime: watch.last?.tip.time,
      },
    ]);
    expect(watch.last?.tip.height).toBe(await node.height());
    for (const confirmations of [2, 12, 64]) {
      await node.mine(confirmations - (watch.payments.at(-1)?.transfers[0]?.confirmations ?? 0));
      expect(await watch.at(address)).toEqual([{ ...first[0], confirmations }]);
    }
    await node.mine();
    expect(await watch.at(address)).toEqual([{ ...first[0], confirmations: 65, isFinal: true }]);
    await node.mine(200);
    expect(await watch.at(address)).toEqual([{ ...first[0], confirmations: 65, isFinal: true }]);
    expect(watch.last?.reviews.size).toBe(0);
  });

  it('comes in parts, in one block and in several', async () => {
    const address = watch.pay();
    await node.send(address, 1n);
    const larger = await node.send(address, 2n);
    await node.mine(2);
    const second = await node.send(address, 4n);
    await node.mine();
    const parts = [
      { id: `${address}:0-3`, txHash: larger, amountBase: 3n, confirmations: 3 },
      { id: `${address}:3-7`, txHash: second, amountBase: 4n, confirmations: 1 },
    ];
    expect(await watch.at(address)).toMatchObject(parts);
    await node.send(address, 8n);
    await node.mine();
    expect((await watch.at(address)).map(({ id }) => id)).toEqual([
      ...parts.map(({ id }) => id),
      `${address}:7-15`,
    ]);
  });

  it('counts when a contract has sent it, without a hash', async () => {
    const address = watch.pay();
    const forwarder = await node.deployForwarder();
    await node.sendByContract(forwarder, address, ETHER);
    await node.mine();
    expect(await watch.at(address)).toMatchObject([
      { amountBase: ETHER, state: 'included', txHash: null, confirmations: 1 },
    ]);
  });

  it('is nothing when the transaction has failed', async () => {
    const address = watch.pay();
    const forwarder = await node.deployForwarder();
    await node.failByContract(forwarder, address, ETHER);
    await node.failTowards(address, ETHER);
    await node.mine();
    expect(await watch.at(address)).toEqual([]);
  });

  it('is found by a replica that has seen nothing, under the same ids', async () => {
    const replica = watch.replica(xpub);
    replica.payments.forEach((payment) => (payment.transfers = []));
    const seen = await watch.look();
    const found = await replica.look();
    await replica.chain.close();
    const latest = watch.payments.slice(1).map(({ id }) => id);
    const idsOf = (of: typeof seen) =>
      latest.map((id) => of.transfers.get(id)?.map((transfer) => transfer.id));
    expect(idsOf(found)).toEqual(idsOf(seen));
  });

  it('is not credited when it was there before the payment', async () => {
    const createdAt = new Date(Date.now() + 3600_000);
    const address = watch.pay(createdAt);
    await node.send(address, ETHER);
    await node.mine();
    await node.setTime(Math.floor(createdAt.getTime() / 1000) + 60);
    await node.send(address, 5n);
    await node.mine(70);
    const expected = [
      { id: `${address}:0-${ETHER}`, state: 'failed', confirmations: 0 },
      { id: `${address}:${ETHER}-${ETHER + 5n}`, state: 'included', confirmations: 70 },
    ];
    expect(await watch.at(address)).toMatchObject(expected);
    expect(watch.reviewOf(address)).toMatch('had a balance before');
    await node.mine(300);
    expect(await watch.at(address)).toMatchObject([expected[0], { ...expected[1], isFinal: true }]);
  });
});
