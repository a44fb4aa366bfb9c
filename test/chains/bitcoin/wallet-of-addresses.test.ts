import { BitcoinCoreChain } from '../../../src/modules/billing/bitcoin/bitcoin-core-chain';
import type { Observation, WatchedPayment } from '../../../src/modules/billing/payment-chain';
import { freshBitcoinAccount, type BitcoinAccount } from '../../support/chains/bitcoin-keys';
import { BitcoinNode } from '../../support/chains/bitcoin-node';

describe('the wallet that watches addresses in Bitcoin Core', () => {
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

  function open({ tpub }: BitcoinAccount): BitcoinCoreChain {
    const chain = new BitcoinCoreChain({ xpub: tpub, url: node.rpcUrl, environment: 'test' });
    opened.push(chain);
    return chain;
  }

  /** Importing looks through the last two hours by itself. */
  async function letHoursPass(): Promise<void> {
    nodeTimeMs += 5 * 3_600_000;
    await node.setTime(Math.floor(nodeTimeMs / 1_000));
    // The median of eleven blocks is the time of the chain.
    await node.mine(12);
  }

  async function look(chain: BitcoinCoreChain, payments: WatchedPayment[]): Promise<Observation> {
    await node.rpc('syncwithvalidationinterfacequeue');
    return chain.observe(payments, new AbortController().signal);
  }

  function payment(account: BitcoinAccount, index: number, createdAt = new Date()): WatchedPayment {
    const address = account.address(index);
    return {
      id: `${index}`,
      address,
      reference: null,
      derivationIndex: index,
      createdAt,
      transfers: [],
    };
  }

  /** The amounts that were found for each payment, by its index. */
  function amounts({ transfers }: Observation): Record<string, bigint[]> {
    return Object.fromEntries(
      [...transfers].map(([id, found]) => [
        id,
        found.map(({ amountBase }) => amountBase).sort((one, other) => Number(one - other)),
      ]),
    );
  }

  function walletOf(chain: BitcoinCoreChain): string {
    return chain.placesId.replace('btc:', 'payments-');
  }

  it('derives the same 500 addresses as the node', async () => {
    const account = freshBitcoinAccount();
    const chain = open(account);
    expect(await chain.network()).toBe('regtest');
    const { descriptor } = await node.rpc<{ descriptor: string }>('getdescriptorinfo', [
      `wpkh(${account.tpub}/0/*)`,
    ]);
    const addresses = await node.rpc<string[]>('deriveaddresses', [descriptor, [0, 499]]);
    expect(addresses.map((_, index) => chain.placeOf(index).address)).toEqual(addresses);
  });

  it('finds what was paid before it was made, in a block and in none', async () => {
    const account = freshBitcoinAccount();
    const [early, late, unpaid] = [payment(account, 0), payment(account, 3), payment(account, 4)];
    await node.send(early.address, '0.01');
    await node.mine();
    await letHoursPass();
    await node.send(late.address, '0.02');
    expect(amounts(await look(open(account), [early, late, unpaid]))).toEqual({
      0: [1_000_000n],
      3: [2_000_000n],
      4: [],
    });
  });

  it('is extended far enough, and then finds what was paid to addresses that it did not know', async () => {
    const account = freshBitcoinAccount();
    const chain = open(account);
    await look(chain, []);
    await node.send(account.address(1_234), '0.01');
    await node.send(account.address(3_456), '0.02');
    await node.mine();
    await node.send(account.address(3_456), '0.03');
    expect(amounts(await look(chain, [payment(account, 1_234), payment(account, 3_456)]))).toEqual({
      1234: [1_000_000n],
      3456: [2_000_000n, 3_000_000n],
    });
    const { descriptors } = await node.rpc<{ descriptors: { range: [number, number]; active: boolean }[] }>(
      'listdescriptors',
      [],
      walletOf(chain),
    );
    expect(descriptors).toHaveLength(1);
    expect(descriptors[0]?.active).toBe(false);
    expect(descriptors[0]?.range[1]).toBeGreaterThanOrEqual(4_456);
  });

  it('knows all addresses that are ahead before they are paid, without looking through blocks', async () => {
    const account = freshBitcoinAccount();
    const chain = open(account);
    await look(chain, [payment(account, 0)]);
    await node.send(account.address(999), '0.01');
    const observation = await look(chain, [payment(account, 999)]);
    expect(amounts(observation)).toEqual({ 999: [1_000_000n] });
    const { requests } = await look(chain, [payment(account, 999)]);
    // How the chain is, how the wallet is, what it received, what of it waits.
    expect(requests).toBe(4);
  });

  it('is looked through again when importing was cut short before that', async () => {
    const account = freshBitcoinAccount();
    const chain = open(account);
    await node.rpc('createwallet', [walletOf(chain), true, true]);
    const early = payment(account, 7);
    await node.send(early.address, '0.01');
    await node.mine();
    await letHoursPass();
    const { descriptor } = await node.rpc<{ descriptor: string }>('getdescriptorinfo', [
      `wpkh(${account.tpub}/0/*)`,
    ]);
    const request = { desc: descriptor, active: false, range: [0, 1_999], timestamp: 'now' };
    await node.rpc('importdescriptors', [[request]], walletOf(chain));
    expect(amounts(await look(chain, [early]))).toEqual({ 7: [1_000_000n] });
  });

  it('tells what came for an older payment than those that it was made for', async () => {
    const account = freshBitcoinAccount();
    const older = payment(account, 3, new Date(nodeTimeMs));
    const stored = payment(account, 0, new Date(nodeTimeMs));
    const txid = await node.send(older.address, '0.01');
    const known = await node.send(stored.address, '0.02');
    await node.mine();
    await letHoursPass();
    await letHoursPass();
    const newer = payment(account, 5, new Date(nodeTimeMs));
    const chain = open(account);
    // Such as the check of one payment, or a pass in which the older ones are not due.
    await look(chain, [newer]);
    const { transfers } = await look(chain, [older, stored, newer]);
    const states = ['3', '0'].map((id) => transfers.get(id)?.map(({ txHash, state }) => [txHash, state]));
    expect(states).toEqual([[[txid, 'included']], [[known, 'included']]]);
    const { requests } = await look(chain, [older, stored, newer]);
    expect(requests).toBeLessThanOrEqual(4);
  });

  it('leaves a payment out while another looks through old blocks', async () => {
    const account = freshBitcoinAccount();
    const chain = open(account);
    const far = payment(account, 3_000);
    await look(chain, [payment(account, 0)]);
    await node.mine(100);
    const scanning = node.rpc('rescanblockchain', [0], walletOf(chain));
    const observations = [await look(chain, [payment(account, 0), far])];
    await scanning;
    observations.push(await look(chain, [payment(account, 0), far]));
    for (const observation of observations) {
      expect(observation.transfers.has('0')).toBe(true);
    }
    expect(observations.at(-1)?.transfers.get('3000')).toEqual([]);
  });

  it('is loaded again when the node does not have it loaded', async () => {
    const account = freshBitcoinAccount();
    const chain = open(account);
    await look(chain, [payment(account, 0)]);
    await node.rpc('unloadwallet', [walletOf(chain), false]);
    await node.send(account.address(0), '0.01');
    await node.mine();
    expect(amounts(await look(chain, [payment(account, 0)]))).toEqual({ 0: [1_000_000n] });
  });

  it('serves two processes that start at once, and then a third', async () => {
    const account = freshBitcoinAccount();
    await node.send(account.address(2), '0.01');
    await node.mine();
    const [one, two] = [open(account), open(account)];
    const payments = [payment(account, 2)];
    const first = await Promise.allSettled([look(one, payments), look(two, payments)]);
    const seen = first.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    for (const observation of seen) {
      // Whoever came second may not know yet, and then says nothing of the payment.
      expect([{}, { 2: [1_000_000n] }]).toContainEqual(amounts(observation));
    }
    for (const chain of [one, two, open(account)]) {
      expect(amounts(await look(chain, payments))).toEqual({ 2: [1_000_000n] });
    }
  });

  it('says nothing of payments whose address is not of its key', async () => {
    const [account, former] = [freshBitcoinAccount(), freshBitcoinAccount()];
    const observation = await look(open(account), [payment(former, 0), payment(account, 1)]);
    expect([...observation.transfers.keys()]).toEqual(['1']);
  });

  it('is refused when it is not one that the service made', async () => {
    const account = freshBitcoinAccount();
    const chain = open(account);
    await node.rpc('createwallet', [walletOf(chain)]);
    await expect(look(chain, [])).rejects.toThrow('is not one that this service made');
  });
});
