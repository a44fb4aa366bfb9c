import { writeSync } from 'node:fs';
import { BitcoinNode } from '../../support/chains/bitcoin-node';
import { WatchedBitcoin } from '../../support/chains/watched-bitcoin';

describe('a look at many payments', () => {
  let node: BitcoinNode;
  beforeAll(async () => {
    node = await BitcoinNode.start();
  });
  afterAll(() => node.stop());

  it.each([
    // The first look also finds the block that is old enough to begin at, which takes four requests.
    ['Bitcoin Core', (target: BitcoinNode) => WatchedBitcoin.core(target), 1_000, 10],
    ['Esplora', (target: BitcoinNode) => WatchedBitcoin.esplora(target), 300, 302],
  ] as const)('sends %s a bounded number of requests', async (name, watch, payments, requestsMax) => {
    const watched = await watch(node);
    const paid = payments / 5;
    const addresses = Array.from({ length: payments }, () => watched.pay());
    const outputs = Object.fromEntries(addresses.slice(0, paid).map((address) => [address, '0.01']));
    await node.rpc('sendmany', ['', outputs], 'funds');
    const requests: number[] = [];
    for (const state of ['pending', 'included']) {
      await node.rpc('syncwithvalidationinterfacequeue');
      const startMs = performance.now();
      const observation = await watched.observe();
      requests.push(observation.requests);
      const ms = Math.round(performance.now() - startMs);
      writeSync(1, `${name}, ${payments} payments, ${state}: ${observation.requests} requests, ${ms} ms\n`);
      const states = [...observation.transfers.values()].map(([first]) => first?.state);
      expect(states.filter((found) => found === state)).toHaveLength(paid);
      expect(states.filter((found) => found === undefined)).toHaveLength(payments - paid);
      await node.mine();
    }
    expect(Math.max(...requests)).toBeLessThanOrEqual(requestsMax);
    await watched.close();
  });
});
