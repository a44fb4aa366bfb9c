import { BitcoinCoreChain } from '../../../src/modules/billing/bitcoin/bitcoin-core-chain';
import type { Observation, PaymentChain, WatchedPayment } from '../../../src/modules/billing/payment-chain';
import { freshBitcoinAccount } from '../../support/chains/bitcoin-keys';
import { BitcoinNode } from '../../support/chains/bitcoin-node';

interface Descriptor {
  desc: string;
  internal: boolean;
  active: boolean;
}

describe('Bitcoin Core and coins that are not of a payment', () => {
  let node: BitcoinNode;
  let nodeTimeMs = Date.now();
  const opened: BitcoinCoreChain[] = [];
  beforeAll(async () => {
    node = await BitcoinNode.start();
  });
  afterAll(async () => {
    await Promise.all(opened.map((chain) => chain.close()));
    await node.stop();
  });

  function open(xpub: string): BitcoinCoreChain {
    const chain = new BitcoinCoreChain({ xpub, url: node.rpcUrl, environment: 'test' });
    opened.push(chain);
    return chain;
  }

  async function letTenHoursPass(): Promise<void> {
    nodeTimeMs += 10 * 3_600_000;
    await node.setTime(Math.floor(nodeTimeMs / 1_000));
    // The median of eleven blocks is the time of the chain.
    await node.mine(12);
  }

  async function look(chain: PaymentChain, payments: WatchedPayment[]): Promise<Observation> {
    await node.rpc('syncwithvalidationinterfacequeue');
    return chain.observe(payments, new AbortController().signal);
  }

  function payment(index: number, address: string): WatchedPayment {
    const createdAt = new Date(nodeTimeMs);
    return {
      id: `${index}`,
      address,
      reference: null,
      derivationIndex: index,
      createdAt,
      transfers: [],
    };
  }

  it('credits no coins that came before the payment was made, and calls a person', async () => {
    const account = freshBitcoinAccount();
    const chain = open(account.tpub);
    const other = payment(9, account.address(9));
    await look(chain, [other]);
    await node.send(account.address(0), '0.01');
    await node.mine();
    await letTenHoursPass();
    const reused = payment(0, account.address(0));
    const first = await look(chain, [other, reused]);
    expect(first.transfers.get('0')).toEqual([
      expect.objectContaining({ amountBase: 1_000_000n, state: 'failed', confirmations: 0, blockTime: null }),
    ]);
    expect(first.reviews.get('0')).toContain('before the payment was made');
    expect(first.reviews.has('9')).toBe(false);
    const transfers = (first.transfers.get('0') ?? []).map((transfer) => ({
      ...transfer,
      firstSeenAt: new Date(nodeTimeMs),
    }));
    const second = await look(chain, [other, { ...reused, transfers }]);
    expect(second.transfers.get('0')).toEqual(first.transfers.get('0'));
  });

  it('does not count change that the owner sends back to a watched address', async () => {
    // The node's own wallet is the operator's: it holds the keys of these addresses.
    const { descriptors } = await node.rpc<{ descriptors: Descriptor[] }>('listdescriptors', [], 'funds');
    const own = descriptors.find(
      ({ desc, internal, active }) => active && !internal && desc.startsWith('wpkh('),
    );
    const chain = open(/\](tpub\w+)\/0\/\*/.exec(own?.desc ?? '')?.[1] ?? '');
    await chain.network();
    const { address } = chain.placeOf(300);
    const paid = payment(300, address);
    await look(chain, [paid]);
    const txid = await node.send(address, '1');
    await node.mine();
    const { details } = await node.rpc<{ details: { address: string; vout: number }[] }>(
      'gettransaction',
      [txid],
      'funds',
    );
    const vout = details.find((each) => each.address === address)?.vout;
    const outputs = { [freshBitcoinAccount().address(0)]: 0.3, [address]: 0.69 };
    const bare = await node.rpc<string>('createrawtransaction', [[{ txid, vout }], outputs]);
    const { hex } = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', [bare], 'funds');
    await node.rpc('sendrawtransaction', [hex, 0]);
    const amounts: bigint[][] = [];
    for (let blocks = 0; blocks < 2; blocks += 1) {
      const { transfers } = await look(chain, [paid]);
      amounts.push((transfers.get('300') ?? []).map(({ amountBase }) => amountBase));
      await node.mine();
    }
    expect(amounts).toEqual([[100_000_000n], [100_000_000n]]);
  });
});
