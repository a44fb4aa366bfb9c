import { freshEthereumAccount, freshEthereumAddress } from '../../support/chains/ethereum-keys';
import { EthereumNode } from '../../support/chains/ethereum-node';

const ETHER = 10n ** 18n;

describe('the Ethereum node of the tests', () => {
  let node: EthereumNode;

  beforeAll(async () => {
    node = await EthereumNode.start({ noMining: true });
  });
  afterAll(() => node.stop());

  it('sends and mines, and answers batches in order', async () => {
    const { address } = freshEthereumAccount();
    const hash = await node.send(address(0), 3n * ETHER);
    expect([await node.receipt(hash), await node.balance(address(0))]).toEqual([null, 0n]);
    await node.mine();
    expect(await node.receipt(hash)).toMatchObject({ status: '0x1', to: address(0) });
    const batch = [0, 1].map((id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_getBalance',
      params: [address(id), 'latest'],
    }));
    const response = await fetch(node.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(batch),
    });
    expect(await response.json()).toMatchObject([
      { id: 0, result: `0x${(3n * ETHER).toString(16)}` },
      { id: 1, result: '0x0' },
    ]);
  });

  it('pays from a contract without a log', async () => {
    const to = freshEthereumAddress();
    const forwarder = await node.deployForwarder();
    const paid = await node.sendByContract(forwarder, to, ETHER);
    const failed = await node.failByContract(forwarder, to, ETHER);
    await node.mine();
    expect(await node.receipt(paid)).toMatchObject({ status: '0x1', to: forwarder, logs: [] });
    expect(await node.receipt(failed)).toMatchObject({ status: '0x0', to: forwarder });
    expect(await node.balance(to)).toBe(ETHER);
  });

  it('shows the value of a transaction that failed', async () => {
    const to = freshEthereumAddress();
    const hash = await node.failTowards(to, ETHER);
    expect(await node.receipt(hash)).toMatchObject({ status: '0x0', to });
    expect(await node.rpc('eth_getTransactionByHash', [hash])).toMatchObject({ value: '0xde0b6b3a7640000' });
    expect(await node.balance(to)).toBe(0n);
    await node.send(to, 1n);
    await node.mine();
    expect(await node.balance(to)).toBe(1n);
  });

  it('replaces and forgets what waits', async () => {
    const [to, other] = [freshEthereumAddress(), freshEthereumAddress()];
    const replaced = await node.send(to, ETHER);
    const second = await node.replace(replaced, other, ETHER);
    const dropped = await node.send(to, ETHER);
    await node.drop(dropped);
    await node.mine();
    expect(await node.receipt(second)).toMatchObject({ status: '0x1' });
    expect([await node.receipt(replaced), await node.receipt(dropped)]).toEqual([null, null]);
    expect([await node.balance(to), await node.balance(other)]).toEqual([0n, ETHER]);
  });

  it('lets transactions vanish in a reorganisation', async () => {
    const [to, other] = [freshEthereumAddress(), freshEthereumAddress()];
    const hash = await node.send(to, ETHER);
    await node.mine(3);
    const height = await node.height();
    await node.reorg(3, [{ to: other, wei: 5n }]);
    expect(await node.rpc('eth_getTransactionByHash', [hash])).toBeNull();
    expect([await node.balance(to), await node.balance(other)]).toEqual([0n, 5n]);
    expect(await node.height()).toBe(height);
  });

  it('finalizes what is 64 blocks deep, and undoes all since a snapshot', async () => {
    const to = freshEthereumAddress();
    const snapshot = await node.snapshot();
    await node.send(to, ETHER);
    await node.mine();
    await node.mine(63);
    expect([await node.balance(to, 'safe'), await node.balance(to, 'finalized')]).toEqual([ETHER, 0n]);
    await node.mine();
    expect(await node.balance(to, 'finalized')).toBe(ETHER);
    await node.revert(snapshot);
    expect(await node.balance(to)).toBe(0n);
  });

  it('sets the time of the next block', async () => {
    const inAYear = Math.floor(Date.now() / 1000) + 365 * 24 * 3600;
    await node.setTime(inAYear);
    await node.mine();
    expect(await node.rpc('eth_getBlockByNumber', ['latest', false])).toMatchObject({
      timestamp: `0x${inAYear.toString(16)}`,
    });
  });

  it('is down for a while, and has the same chain afterwards', async () => {
    const to = freshEthereumAddress();
    const hash = await node.send(to, ETHER);
    await node.mine(2);
    await node.pause();
    const answer = node.height();
    node.resume();
    const height = await answer;
    await node.shutDown();
    await expect(node.height()).rejects.toThrow('fetch failed');
    await node.startAgain();
    expect(await node.height()).toBe(height);
    expect(await node.balance(to)).toBe(ETHER);
    expect(await node.receipt(hash)).toMatchObject({ status: '0x1' });
    expect(await node.balance(to, `0x${(height - 2).toString(16)}`)).toBe(0n);
  });
});
