import { BitcoinNode } from '../../support/chains/bitcoin-node';
import { WatchedBitcoin } from '../../support/chains/watched-bitcoin';

let node: BitcoinNode;
beforeAll(async () => {
  node = await BitcoinNode.start();
});
afterAll(() => node.stop());

describe.each([
  ['Bitcoin Core', (target: BitcoinNode) => WatchedBitcoin.core(target)],
  ['Esplora', (target: BitcoinNode) => WatchedBitcoin.esplora(target)],
] as const)('a transfer seen by %s', (_, watch) => {
  let watched: WatchedBitcoin;
  beforeAll(async () => {
    watched = await watch(node);
  });
  afterAll(() => watched.close());
  // No test finds what another has left in the mempool.
  beforeEach(() => node.mine());

  it('has no confirmation, then one, then as many as there are blocks', async () => {
    const address = watched.pay();
    expect(await watched.look(address)).toEqual([]);
    const txid = await node.send(address, '0.12345678');
    const [pending] = await watched.look(address);
    expect(pending).toEqual({
      id: expect.stringMatching(new RegExp(`^${txid}:[01]$`)),
      txHash: txid,
      amountBase: 12_345_678n,
      state: 'pending',
      confirmations: 0,
      isFinal: false,
      blockTime: null,
    });
    const [hash = ''] = await node.mine();
    const { time } = await node.rpc<{ time: number }>('getblockheader', [hash]);
    const included = { ...pending, state: 'included', confirmations: 1, blockTime: new Date(time * 1_000) };
    expect(await watched.look(address)).toEqual([included]);
    await node.mine(5);
    expect(await watched.look(address)).toEqual([{ ...included, confirmations: 6 }]);
    const { tip } = await watched.observe();
    expect(tip.height).toBe(await node.height());
    expect(Math.abs(tip.time.getTime() - Date.now())).toBeLessThan(7_200_000);
  });

  it('is one of several to the same address, and of several in one transaction', async () => {
    const [address, other] = [watched.pay(), watched.pay()];
    const both = await node.rpc<string>('sendmany', ['', { [address]: '0.01', [other]: '0.04' }], 'funds');
    await node.mine();
    const second = await node.send(address, '0.02');
    expect(await watched.states(address)).toEqual({ [both]: 'included 1', [second]: 'pending 0' });
    expect((await watched.look(address)).map(({ amountBase }) => amountBase)).toEqual([
      1_000_000n,
      2_000_000n,
    ]);
    expect((await watched.look(other)).map(({ amountBase }) => amountBase)).toEqual([4_000_000n]);
  });

  it('gives way to the transaction that replaces it, and never counts beside it', async () => {
    const address = watched.pay();
    const first = await node.send(address, '0.03', { feeRate: 2 });
    expect(await watched.states(address)).toEqual({ [first]: 'pending 0' });
    const second = await node.bump(first, 20);
    expect(await watched.states(address)).toEqual({ [first]: 'replaced 0', [second]: 'pending 0' });
    const third = await node.bump(second, 60);
    expect(await watched.states(address)).toEqual({
      [first]: 'replaced 0',
      [second]: 'replaced 0',
      [third]: 'pending 0',
    });
    await node.mine(2);
    expect(await watched.states(address)).toEqual({
      [first]: 'replaced 0',
      [second]: 'replaced 0',
      [third]: 'included 2',
    });
  });

  it('is found replaced by a transaction that pays somebody else', async () => {
    const address = watched.pay();
    const txid = await node.send(address, '0.03', { feeRate: 2 });
    expect(await watched.states(address)).toEqual({ [txid]: 'pending 0' });
    await node.replace(txid);
    expect(await watched.states(address)).toEqual({ [txid]: 'replaced 0' });
    await node.mine(2);
    expect(await watched.states(address)).toEqual({ [txid]: 'replaced 0' });
  });

  it('is found replaced by a double spend in a block, and comes back when that block is undone', async () => {
    const address = watched.pay();
    const txid = await node.send(address, '0.03');
    expect(await watched.states(address)).toEqual({ [txid]: 'pending 0' });
    const [spending = ''] = await node.doubleSpend(txid);
    expect(await watched.states(address)).toEqual({ [txid]: 'replaced 0' });
    await node.mine();
    expect(await watched.states(address)).toEqual({ [txid]: 'replaced 0' });
    await node.invalidate(spending);
    const { hex } = await node.rpc<{ hex: string }>('gettransaction', [txid], 'funds');
    await node.mineOnly([hex]);
    expect(await watched.states(address)).toEqual({ [txid]: 'included 1' });
  });

  it('loses its confirmations in a reorganisation, and gets them again', async () => {
    const address = watched.pay();
    const txid = await node.send(address, '0.03');
    await node.mine(3);
    expect(await watched.states(address)).toEqual({ [txid]: 'included 3' });
    await node.reorg(3, { withTransactions: false });
    expect(await watched.states(address)).toEqual({ [txid]: 'pending 0' });
    await node.mine();
    expect(await watched.states(address)).toEqual({ [txid]: 'included 1' });
    await node.reorg(1, { withTransactions: true });
    expect(await watched.states(address)).toEqual({ [txid]: 'included 2' });
  });

  it('is missing when the node has forgotten it, and pending when it is sent again', async () => {
    const address = watched.pay();
    const txid = await node.send(address, '0.03');
    expect(await watched.states(address)).toEqual({ [txid]: 'pending 0' });
    await node.forgetMempool();
    expect(await watched.states(address)).toEqual({ [txid]: 'missing 0' });
    await node.rebroadcast(txid);
    expect(await watched.states(address)).toEqual({ [txid]: 'pending 0' });
    await node.mine();
    expect(await watched.states(address)).toEqual({ [txid]: 'included 1' });
  });

  it('is pending as a miner’s reward until that may be spent', async () => {
    const address = watched.pay();
    const [hash = ''] = await node.mine(1, address);
    const { tx } = await node.rpc<{ tx: [string] }>('getblock', [hash]);
    expect(await watched.states(address)).toEqual({ [tx[0]]: 'pending 0' });
    await node.mine(98);
    expect(await watched.states(address)).toEqual({ [tx[0]]: 'pending 0' });
    await node.mine(2);
    expect(await watched.states(address)).toEqual({ [tx[0]]: 'included 101' });
  });
});
