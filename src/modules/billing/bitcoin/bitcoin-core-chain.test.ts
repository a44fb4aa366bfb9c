import { freshBitcoinAccount } from '../../../../test/support/chains/bitcoin-keys';
import { ScriptedServer, type ScriptedReaction } from '../../../../test/support/chains/scripted-server';
import { ChainUnavailable } from '../payment-chain';
import { BitcoinCoreChain } from './bitcoin-core-chain';

interface Request {
  id: number;
  method: string;
  params: unknown[];
}
type Results = Record<string, unknown>;

const hash = 'ab'.repeat(32);
const account = freshBitcoinAccount();
const address = account.address(0);
const payment = {
  id: 'payment',
  address,
  reference: null,
  derivationIndex: 0,
  createdAt: new Date(),
  transfers: [],
};
const chainInfo = { chain: 'regtest', blocks: 1, time: 1_700_000_000, initialblockdownload: false };
const walletInfo = { scanning: false, private_keys_enabled: false };
const ownDescriptor = { desc: `wpkh(${account.tpub}/0/*)#aaaaaaaa`, active: false, range: [0, 1_999] };
const arrival = { address, category: 'receive', amount: 0.5, vout: 1, confirmations: 0, txid: hash };
const GOOD: Results = {
  getblockchaininfo: chainInfo,
  getwalletinfo: walletInfo,
  listdescriptors: { descriptors: [ownDescriptor] },
  getaddressinfo: { labels: ['complete to index 1999 since 1000000000'] },
  getblockhash: hash,
  getblockheader: { height: 0, hash, mediantime: 1_000_000_000 },
  listsinceblock: { transactions: [arrival] },
  getmempoolentry: { time: 1_700_000_000 },
  getdescriptorinfo: { descriptor: ownDescriptor.desc },
  importdescriptors: [{ success: true }],
  rescanblockchain: { start_height: 0, stop_height: 1 },
  setlabel: null,
};

describe('a Bitcoin node that answers what makes no sense', () => {
  let server: ScriptedServer;
  let chain: BitcoinCoreChain;
  beforeAll(async () => {
    server = await ScriptedServer.start(() => 'silence');
  });
  beforeEach(() => {
    chain = chainOf({ timeoutMs: 1_000 });
  });
  afterEach(() => chain.close());
  afterAll(() => server.stop());

  function chainOf(options: { timeoutMs?: number }): BitcoinCoreChain {
    return new BitcoinCoreChain({ xpub: account.tpub, url: server.url, environment: 'test', ...options });
  }

  /** @param faults take the place of good results, or are errors */
  async function look(faults: Results) {
    server.react = (_, body) => ({
      json: Array.isArray(body)
        ? (body as Request[]).map((request) => answerTo(request, faults))
        : answerTo(body as Request, faults),
    });
    return chain.observe([payment], new AbortController().signal);
  }

  it('is understood when it makes sense', async () => {
    const { transfers } = await look({});
    expect(transfers.get('payment')).toEqual([
      expect.objectContaining({ id: `${hash}:1`, amountBase: 50_000_000n, state: 'pending' }),
    ]);
  });

  it('finds by the wallet alone what has replaced a transaction, where the node is too old to say', async () => {
    const [old, other] = [hash, 'cd'.repeat(32)];
    const blocktime = Math.floor(Date.now() / 1_000);
    const replacing = { ...arrival, txid: other, confirmations: 1, blocktime };
    const transactions = [{ ...arrival, txid: old, walletconflicts: [other] }, replacing];
    const { transfers } = await look({ listsinceblock: { transactions }, getmempoolentry: new Error('-5') });
    expect(transfers.get('payment')?.map(({ txHash, state }) => [txHash, state])).toEqual([
      [old, 'replaced'],
      [other, 'included'],
    ]);
  });

  it.each<[string, Results]>([
    ['a number as its network', { getblockchaininfo: { ...chainInfo, chain: 5 } }],
    ['no height', { getblockchaininfo: { ...chainInfo, blocks: undefined } }],
    ['a negative height', { getblockchaininfo: { ...chainInfo, blocks: -1 } }],
    ['a time after all times', { getblockchaininfo: { ...chainInfo, time: 1e15 } }],
    ['that it has not caught up', { getblockchaininfo: { ...chainInfo, initialblockdownload: true } }],
    ['that it is still starting', { getblockchaininfo: new Error('-28') }],
    ['null', { getblockchaininfo: null }],
    ['a wallet with private keys', { getwalletinfo: { ...walletInfo, private_keys_enabled: true } }],
    ['a text for the descriptors', { listdescriptors: { descriptors: 'none' } }],
    ['a range in words', { listdescriptors: { descriptors: [{ ...ownDescriptor, range: ['0', '1999'] }] } }],
    [
      'a range that is too long',
      { listdescriptors: { descriptors: [{ ...ownDescriptor, range: [0, 2e10] }] } },
    ],
    ['an object for the labels', { getaddressinfo: { labels: {} } }],
    ['a block without a hash', { getblockheader: { height: 0, mediantime: 5 } }],
    ['no list of transactions', { listsinceblock: {} }],
    ['nulls for transactions', { listsinceblock: { transactions: [null] } }],
    ['a negative amount', listing({ amount: -0.5 })],
    ['more than there is', listing({ amount: 21_000_001 })],
    ['an endless amount', listing({ amount: 1e300 })],
    ['an amount in words', listing({ amount: '0.5' })],
    ['no amount', listing({ amount: undefined })],
    ['a transaction of another length', listing({ txid: 'ab' })],
    ['a transaction that is a path', listing({ txid: '../'.repeat(20) })],
    ['a negative output', listing({ vout: -1 })],
    ['half an output', listing({ vout: 0.5 })],
    ['half a confirmation', listing({ confirmations: 1.5 })],
    ['a block without a time', listing({ confirmations: 1 })],
    ['conflicts with numbers', listing({ walletconflicts: [1] })],
    ['another error on the memory', { getmempoolentry: new Error('-32601') }],
    ['a number for the memory', { getmempoolentry: 1 }],
    ['a failed import', { ...unimported(), importdescriptors: [{ success: false, error: { code: -4 } }] }],
    ['no outcome of an import', { ...unimported(), importdescriptors: [] }],
    ['another descriptor', { ...unimported(), getdescriptorinfo: { descriptor: 'wpkh(tpubOther/0/*)#a' } }],
  ])('is unavailable when it answers %s', async (_, faults) => {
    await expect(look(faults)).rejects.toThrow(ChainUnavailable);
  });

  it('imports what is missing, and tells the payments only then', async () => {
    expect((await look(unimported())).transfers.size).toBe(1);
    const refused = { ...unimported(), rescanblockchain: new Error('-4') };
    expect((await look(refused)).transfers.size).toBe(0);
  });

  it('asks for a review of what a pruned node can no longer know', async () => {
    const getblockheader = { height: 1, hash, mediantime: Math.floor(Date.now() / 1_000) };
    const getblockchaininfo = { ...chainInfo, pruneheight: 1 };
    for (const rescanblockchain of [new Error('-4'), GOOD.rescanblockchain]) {
      const faults = { ...unimported(), getblockheader, getblockchaininfo, rescanblockchain };
      const { transfers, reviews } = await look(faults);
      expect(reviews.get('payment')).toContain('pruned');
      // That nothing is known is not that nothing came.
      expect(transfers.has('payment')).toBe(false);
    }
  });

  it('is asked again for what was looked through for newer payments only', async () => {
    const later = Math.ceil(Date.now() / 1_000);
    const labels = [`complete to index 1999 since ${later}`];
    const refused = { getaddressinfo: { labels }, rescanblockchain: new Error('-4') };
    expect((await look(refused)).transfers.has('payment')).toBe(false);
    expect((await look({ getaddressinfo: { labels } })).transfers.has('payment')).toBe(true);
  });

  it('is understood when it lists more than 16 MiB', async () => {
    // A busy machine reads and writes that for seconds.
    await chain.close();
    chain = chainOf({});
    const walletconflicts = Array.from({ length: 10 }, () => 'cd'.repeat(32));
    const transactions = Array.from({ length: 25_000 }, (_, vout) => ({ ...arrival, vout, walletconflicts }));
    const { transfers } = await look({ listsinceblock: { transactions } });
    expect(transfers.get('payment')).toHaveLength(25_000);
  });

  it('never tells what the server says, which may be the key in its URL', async () => {
    server.react = (path) => ({
      json: { id: 0, error: { code: -32601, message: `no route POST ${path}` } },
      status: 404,
    });
    const settings = { xpub: account.tpub, url: `${server.url}/v2/S3CRETKEY`, environment: 'test' } as const;
    const keyed = new BitcoinCoreChain(settings);
    const error = (await keyed.network().catch((caught: unknown) => caught)) as Error;
    await keyed.close();
    expect(error.message).toBe('the Bitcoin node: getblockchaininfo failed (-32601)');
  });

  it('never tells what an error of the import says, which may be the key', async () => {
    const error = { code: -4, message: ownDescriptor.desc };
    const faults = { ...unimported(), importdescriptors: [{ success: false, error }] };
    await expect(look(faults)).rejects.toThrow('refused to import the addresses (-4)');
  });

  it.each<[string, ScriptedReaction]>([
    ['HTML', { text: '<html>Bad gateway</html>', status: 502 }],
    ['nothing', { text: '' }],
    ['a number', { json: 5 }],
    ['null', { json: null }],
    ['a list without outcomes', { json: [] }],
    ['an error without a code', { json: { error: 'no' } }],
    ['half an answer', 'cut'],
    ['an endless answer', 'endless'],
    ['nothing at all', 'silence'],
  ])('is unavailable when %s comes', async (_, reaction) => {
    server.react = () => reaction;
    const observed = chain.observe([payment], new AbortController().signal);
    await expect(observed).rejects.toThrow(ChainUnavailable);
  });
});

function answerTo({ id, method }: Request, faults: Results): unknown {
  const result = method in faults ? faults[method] : GOOD[method];
  return result instanceof Error
    ? { id, error: { code: Number(result.message), message: 'refused' } }
    : { id, result };
}

function listing(change: object): Results {
  return { listsinceblock: { transactions: [{ ...arrival, ...change }] } };
}

/** A wallet that knows none of the addresses. */
function unimported(): Results {
  return { listdescriptors: { descriptors: [] } };
}
