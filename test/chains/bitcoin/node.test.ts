import { freshBitcoinAccount, freshRegtestAddress } from '../../support/chains/bitcoin-keys';
import { BitcoinNode } from '../../support/chains/bitcoin-node';

describe('the Bitcoin node of the tests', () => {
  let node: BitcoinNode;

  beforeAll(async () => {
    node = await BitcoinNode.start();
  });
  afterAll(() => node.stop());
  beforeEach(() => node.mine());

  it('has a chain that is not ahead of the time', async () => {
    const { time } = await node.rpc<{ time: number }>('getblockchaininfo');
    expect(time).toBeLessThanOrEqual(Date.now() / 1000 + 1);
  });

  /** What an address has in mined transactions, in BTC. */
  async function unspent(address: string): Promise<number> {
    const scan = await node.rpc<{ total_amount: number }>('scantxoutset', ['start', [`addr(${address})`]]);
    return scan.total_amount;
  }

  it('sends and mines', async () => {
    const address = freshBitcoinAccount().address(0);
    const txid = await node.send(address, '0.12345678');
    expect(await node.isInMempool(txid)).toBe(true);
    expect(await unspent(address)).toBe(0);
    await node.mine();
    expect(await node.isInMempool(txid)).toBe(false);
    expect(await unspent(address)).toBe(0.12345678);
  });

  it('replaces a transaction by one that pays the same, and by one that pays somebody else', async () => {
    const address = freshRegtestAddress();
    const other = freshRegtestAddress();
    const first = await node.send(address, '0.5', { feeRate: 2 });
    const second = await node.bump(first, 20);
    expect(await node.isInMempool(first)).toBe(false);
    const third = await node.replace(second, { [other]: '0.4' }, 60);
    expect(await node.isInMempool(second)).toBe(false);
    expect(await node.isInMempool(third)).toBe(true);
    await node.mine();
    expect([await unspent(address), await unspent(other)]).toEqual([0, 0.4]);
  });

  it('double-spends a transaction in a block', async () => {
    const address = freshRegtestAddress();
    const txid = await node.send(address, '0.5', { replaceable: false });
    await node.doubleSpend(txid);
    expect(await node.isInMempool(txid)).toBe(false);
    await expect(node.rebroadcast(txid)).rejects.toThrow('sendrawtransaction');
    await node.mine();
    expect(await unspent(address)).toBe(0);
  });

  it('undoes blocks, with the transactions in the new ones or back in the mempool', async () => {
    const address = freshRegtestAddress();
    const txid = await node.send(address, '0.5');
    await node.mine(3);
    await node.reorg(3, { withTransactions: true });
    expect(await unspent(address)).toBe(0.5);
    await node.reorg(5, { withTransactions: false });
    expect(await unspent(address)).toBe(0);
    expect(await node.isInMempool(txid)).toBe(true);
    await node.mine();
    expect(await unspent(address)).toBe(0.5);
  });

  it('loses a transaction that is not final on the other chain, until it is sent again', async () => {
    const locktime = await node.height();
    const txid = await node.send(freshRegtestAddress(), '0.5', { locktime });
    const [hash = ''] = await node.mine();
    await node.invalidate(hash);
    expect(await node.isInMempool(txid)).toBe(true);
    await node.invalidate(await node.rpc('getbestblockhash'));
    expect(await node.isInMempool(txid)).toBe(false);
    await node.mine(2);
    expect(await node.isInMempool(txid)).toBe(false);
    await node.rebroadcast(txid);
    expect(await node.isInMempool(txid)).toBe(true);
  });

  it('forgets what waits for long, until it is sent again', async () => {
    const txid = await node.send(freshRegtestAddress(), '0.5', { feeRate: 1 });
    await node.forgetMempool();
    expect(await node.isInMempool(txid)).toBe(false);
    await node.rebroadcast(txid);
    expect(await node.isInMempool(txid)).toBe(true);
  });

  it('sets the time', async () => {
    const inADay = Math.floor(Date.now() / 1000) + 24 * 3600;
    await node.setTime(inADay);
    const [hash] = await node.mine();
    expect(await node.rpc('getblockheader', [hash])).toMatchObject({ time: inADay });
    await node.setTime(null);
    await node.invalidate(hash ?? '');
  });

  it('is down for a while, and has its mempool again afterwards', async () => {
    const txid = await node.send(freshRegtestAddress(), '0.5');
    await node.pause();
    const answer = node.height();
    node.resume();
    await answer;
    await node.shutDown();
    await expect(node.height()).rejects.toThrow('fetch failed');
    await node.startAgain();
    expect(await node.isInMempool(txid)).toBe(true);
    await node.bump(txid);
    expect(await node.isInMempool(txid)).toBe(false);
  });
});
