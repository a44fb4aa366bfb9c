import { freshEthereumAccount } from '../../support/chains/ethereum-keys';
import { EthereumNode } from '../../support/chains/ethereum-node';
import { EthereumWatch } from '../../support/chains/ethereum-watch';

describe('Ethereum addresses in a reorganisation', () => {
  let node: EthereumNode;
  let watch: EthereumWatch;
  const { xpub } = freshEthereumAccount();

  beforeAll(async () => {
    node = await EthereumNode.start({ noMining: true });
    await node.mine(30);
    watch = new EthereumWatch(node.rpcUrl, 'test', xpub);
  });
  afterAll(async () => {
    await watch.chain.close();
    await node.stop();
  });

  it('lose what is undone before it matures, and get it back under its id', async () => {
    const address = watch.pay();
    await node.send(address, 5n);
    await node.mine(4);
    const [before] = await watch.at(address);
    expect(before).toMatchObject({ state: 'included', confirmations: 4 });
    await node.reorg(6);
    const missing = { ...before, state: 'missing', confirmations: 0, isFinal: false, blockTime: null };
    expect(await watch.at(address)).toEqual([missing]);
    await node.mine(3);
    const again = await node.send(address, 5n);
    await node.mine(2);
    expect(await watch.at(address)).toMatchObject([
      { id: before?.id, amountBase: 5n, state: 'included', confirmations: 2, txHash: again },
    ]);
  });

  it('keep what comes back in another block', async () => {
    const address = watch.pay();
    await node.send(address, 5n);
    await node.mine(6);
    expect(await watch.at(address)).toMatchObject([{ confirmations: 6 }]);
    await node.reorg(8, [{ to: address, wei: 5n }]);
    expect(await watch.at(address)).toMatchObject([
      { id: `${address}:0-5`, state: 'included', confirmations: 8 },
    ]);
  });

  it('never turn one id into another amount when less comes back', async () => {
    const address = watch.pay();
    await node.send(address, 5n);
    await node.mine(3);
    await watch.look();
    await node.reorg(3, [{ to: address, wei: 3n }]);
    const shrunk = [
      { id: `${address}:0-3`, amountBase: 3n, state: 'included', confirmations: 3 },
      { id: `${address}:0-5`, amountBase: 5n, state: 'missing', confirmations: 0 },
    ];
    expect(await watch.at(address)).toMatchObject(shrunk);
    await node.send(address, 2n);
    await node.mine();
    expect(await watch.at(address)).toMatchObject([
      { id: `${address}:0-3`, state: 'included', confirmations: 4 },
      { id: `${address}:3-5`, amountBase: 2n, state: 'included', confirmations: 1 },
      { id: `${address}:0-5`, state: 'missing' },
    ]);
    await node.mine(70);
    const settled = await watch.at(address);
    expect(settled.map(({ state, isFinal }) => [state, isFinal])).toEqual([
      ['included', true],
      ['included', true],
      ['replaced', false],
    ]);
  });

  it('tell of it when even what was mature is undone', async () => {
    const address = watch.pay();
    await node.send(address, 5n);
    await node.mine(15);
    expect(await watch.at(address)).toMatchObject([{ confirmations: 15 }]);
    await node.reorg(20);
    expect(await watch.at(address)).toMatchObject([{ id: `${address}:0-5`, state: 'missing' }]);
  });

  it('are watched on while the chain is shorter than before', async () => {
    const address = watch.pay();
    await node.mine(2);
    const snapshot = await node.snapshot();
    await node.send(address, 5n);
    await node.mine(10);
    expect(await watch.at(address)).toMatchObject([{ confirmations: 10 }]);
    await node.revert(snapshot);
    expect(await watch.at(address)).toMatchObject([{ state: 'missing', confirmations: 0 }]);
    await node.send(address, 5n);
    await node.mine();
    const seen = await watch.at(address);
    expect(seen).toMatchObject([{ id: `${address}:0-5`, state: 'included', confirmations: 1 }]);
    const replica = watch.replica(xpub);
    expect(await replica.at(address)).toEqual(seen);
    await replica.chain.close();
  });
});
