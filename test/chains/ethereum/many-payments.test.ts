import { freshEthereumAddress } from '../../support/chains/ethereum-keys';
import { EthereumNode } from '../../support/chains/ethereum-node';
import { EthereumWatch } from '../../support/chains/ethereum-watch';

const PAYMENTS = 1_000;

describe('looking at 1,000 Ethereum payments', () => {
  let node: EthereumNode;
  let watch: EthereumWatch;
  let addresses: string[];

  beforeAll(async () => {
    node = await EthereumNode.start({ noMining: true });
    await node.mine(130);
    watch = new EthereumWatch(node.rpcUrl);
    addresses = Array.from({ length: PAYMENTS }, () => watch.watch(freshEthereumAddress()));
  });
  afterAll(async () => {
    await watch.chain.close();
    await node.stop();
  });

  /** Prints what the look took, and returns how many requests it sent. */
  async function requestsOf(name: string): Promise<number> {
    const start = performance.now();
    const { requests, transfers } = await watch.look();
    process.stdout.write(`${name}: ${requests} requests, ${Math.round(performance.now() - start)} ms\n`);
    expect(transfers.size).toBe(PAYMENTS);
    return requests;
  }

  async function giveAll(): Promise<void> {
    const body = addresses.map((address, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'anvil_setBalance',
      params: [address, '0xff'],
    }));
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(node.rpcUrl, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(await answer.json()).toHaveLength(PAYMENTS);
    await node.mine();
  }

  it('takes a bounded number of requests', async () => {
    expect(await requestsOf('the first look')).toBe(6);
    expect(await requestsOf('nothing new')).toBe(3);
    for (const [index, address] of addresses.slice(0, 20).entries()) {
      await node.send(address, BigInt(index + 1));
    }
    await node.mine();
    expect(await requestsOf('20 have arrived')).toBe(7);
    await node.mine();
    expect(await requestsOf('20 are confirming')).toBe(5);
    await giveAll();
    await node.mine(40);
    expect(await requestsOf('all have something, as after a pause')).toBeLessThanOrEqual(40);
    await node.mine();
    expect(await requestsOf('all are confirming')).toBeLessThanOrEqual(15);
    await node.mine(65);
    await watch.look();
    expect(await requestsOf('all are final')).toBe(3);
  });
});
