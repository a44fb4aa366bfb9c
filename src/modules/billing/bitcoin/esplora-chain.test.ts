import { freshBitcoinAccount } from '../../../../test/support/chains/bitcoin-keys';
import { ScriptedServer, type ScriptedReaction } from '../../../../test/support/chains/scripted-server';
import {
  ChainUnavailable,
  type KnownTransfer,
  type Observation,
  type WatchedPayment,
  WrongNetwork,
} from '../payment-chain';
import { EsploraChain } from './esplora-chain';

const REGTEST = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206';
const hash = 'ab'.repeat(32);
const now = Math.floor(Date.now() / 1_000);
const account = freshBitcoinAccount();
const address = account.address(0);
const tip = { id: hash, height: 9, timestamp: 1_700_000_000 };
const genesis = { id: REGTEST, height: 0, timestamp: 1_296_688_602 };
const output = { scriptpubkey_address: address, value: 5_000 };
const transaction = {
  txid: hash,
  vin: [{ txid: 'cd'.repeat(32), vout: 0, is_coinbase: false }],
  vout: [{ value: 7 }, output],
  status: { confirmed: true, block_height: 8, block_hash: hash, block_time: now },
};

describe('an Esplora server', () => {
  let server: ScriptedServer;
  let chain: EsploraChain;
  beforeAll(async () => {
    server = await ScriptedServer.start(() => 'silence');
  });
  const chainWithin = (timeoutMs: number) =>
    new EsploraChain({ xpub: account.tpub, url: `${server.url}/api`, environment: 'test', timeoutMs });
  beforeEach(() => {
    chain = chainWithin(1_000);
  });
  afterEach(() => chain.close());
  afterAll(() => server.stop());

  function payment(index: number): WatchedPayment {
    return {
      id: `payment-${index}`,
      address: account.address(index),
      reference: null,
      derivationIndex: index,
      createdAt: new Date(),
      transfers: [],
    };
  }

  /** @param script says what is answered on a path below /api; what it does not say is good */
  async function look(script: (path: string) => unknown, payments = [payment(0)]): Promise<Observation> {
    server.react = (path) => {
      const answer = script(path.replace('/api', '')) ?? good(path.replace('/api', ''));
      return answer instanceof Error ? { text: 'no', status: Number(answer.message) } : { json: answer };
    };
    return chain.observe(payments, new AbortController().signal);
  }

  it('is understood when it makes sense', async () => {
    const { tip: found, transfers, requests } = await look(() => undefined);
    expect(found).toEqual({ height: 9, time: new Date(1_700_000_000_000) });
    expect(transfers.get('payment-0')).toEqual([
      expect.objectContaining({ id: `${hash}:1`, amountBase: 5_000n, state: 'included', confirmations: 2 }),
    ]);
    expect(requests).toBe(3);
  });

  it('is asked for further pages as long as they are young enough', async () => {
    const page = (first: number) =>
      Array.from({ length: 25 }, (_, index) => included((first + index).toString(16).padStart(64, '0'), now));
    const { transfers } = await look((path) => {
      const last = path.split('/chain/')[1];
      if (path.endsWith('/txs')) {
        return page(0);
      }
      return last === (24).toString(16).padStart(64, '0') ? page(25) : last && [];
    });
    expect(transfers.get('payment-0')).toHaveLength(50);
  });

  it('is not asked for ever more pages: a person has to look', async () => {
    let count = 0;
    const page = () =>
      Array.from({ length: 25 }, () => included((count++).toString(16).padStart(64, '0'), now));
    const { transfers, reviews, requests } = await look((path) =>
      path.includes('/txs') ? page() : undefined,
    );
    expect(transfers.has('payment-0')).toBe(false);
    expect(reviews.get('payment-0')).toContain('more transactions');
    expect(requests).toBe(22);
  });

  it('leaves out an address that it refuses to tell of, and only that', async () => {
    const { transfers } = await look(
      (path) => (path.includes(address) ? new Error('400') : path.includes('/address') ? [] : undefined),
      [payment(0), payment(1)],
    );
    expect([...transfers]).toEqual([['payment-1', []]]);
  });

  it('is asked once for a transaction with 1,000 outputs that was replaced', async () => {
    const pending = { ...transaction, vout: Array(1_000).fill(output), status: { confirmed: false } };
    const { transfers } = await look((path) => (path.endsWith('/txs') ? [pending] : undefined));
    const known = (transfers.get('payment-0') ?? []).map((transfer) => ({
      ...transfer,
      firstSeenAt: new Date(),
    }));
    const replaced = await look(
      (path) => {
        if (path.includes('/outspend/')) {
          return { spent: true, txid: 'ef'.repeat(32) };
        }
        return path.endsWith('/txs') ? [] : path.startsWith('/tx/') ? new Error('404') : undefined;
      },
      [{ ...payment(0), transfers: known }],
    );
    expect(replaced.transfers.get('payment-0')?.filter(({ state }) => state === 'replaced')).toHaveLength(
      1_000,
    );
    expect(replaced.requests).toBe(5);
  });

  it('is not asked for ever more that has vanished: a person has to look', async () => {
    const transfers = Array.from({ length: 200 }, (_, index) => vanished(index));
    const { requests, ...found } = await look(
      (path) => (path.endsWith('/txs') ? [] : path.startsWith('/tx/') ? new Error('404') : undefined),
      [{ ...payment(0), transfers }],
    );
    expect(found.transfers.has('payment-0')).toBe(false);
    expect(found.reviews.get('payment-0')).toContain('vanished');
    expect(requests).toBeLessThan(110);
  });

  it('credits no coins that came a year before the payment was made, and calls a person once', async () => {
    const old = (path: string) => (path.endsWith('/txs') ? [included(hash, now - 365 * 86_400)] : undefined);
    const { transfers, reviews } = await look(old);
    const found = transfers.get('payment-0') ?? [];
    expect(found.map(({ state }) => state)).toEqual(['failed']);
    expect(reviews.get('payment-0')).toContain('before the payment was made');
    const known = found.map((transfer) => ({ ...transfer, firstSeenAt: new Date() }));
    const again = await look(old, [{ ...payment(0), transfers: known }]);
    expect(again.transfers.get('payment-0')).toEqual(found);
    expect(again.reviews.size).toBe(0);
  });

  it('does not count change that the owner of the address sends back to it', async () => {
    const [input] = transaction.vin;
    const change = { ...transaction, vin: [{ ...input, prevout: { ...output, value: 6_000 } }] };
    const { transfers } = await look((path) => (path.endsWith('/txs') ? [change] : undefined));
    expect(transfers.get('payment-0')).toEqual([]);
  });

  it('leaves out an address whose history is too long to read, and only that', async () => {
    // So much takes a busy machine more than a second.
    await chain.close();
    chain = chainWithin(20_000);
    const padding = 'f'.repeat(17 * 1024 * 1024);
    const { transfers, reviews } = await look(
      (path) => {
        const isLong = path === `/address/${address}/txs`;
        return isLong ? [{ ...transaction, padding }] : path.endsWith('/txs') ? [] : undefined;
      },
      [payment(0), payment(1)],
    );
    expect([...transfers]).toEqual([['payment-1', []]]);
    expect(reviews.get('payment-0')).toContain('more transactions');
  });

  it.each([403, 404])('is unavailable when it refuses every address with %d', async (status) => {
    const refusing = (path: string) => (path.startsWith('/address') ? new Error(`${status}`) : undefined);
    await expect(look(refusing, [payment(0), payment(1)])).rejects.toThrow('refused');
  });

  it('goes on after a look at one payment where the pass before had to stop', async () => {
    const turn = chain as unknown as { next: string | null };
    turn.next = 'payment-5';
    await look(() => undefined, [payment(0)]);
    expect(turn.next).toBe('payment-5');
    await look(() => undefined, [payment(0), payment(1)]);
    expect(turn.next).toBe('payment-5');
    await look(() => undefined, [payment(0), payment(5)]);
    expect(turn.next).toBe(null);
  });

  it.each([429, 500, 503])('is unavailable when it answers %d', async (status) => {
    const observed = look((path) => (path.includes('/address') ? new Error(`${status}`) : undefined));
    await expect(observed).rejects.toThrow(ChainUnavailable);
  });

  it('is on the wrong network when it has another first block', async () => {
    const main = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';
    for (const id of [main, hash]) {
      await expect(look((path) => (path === '/blocks/0' ? [{ ...genesis, id }] : undefined))).rejects.toThrow(
        WrongNetwork,
      );
    }
  });

  it.each<[string, string, unknown]>([
    ['no blocks', '/blocks', []],
    ['blocks in a wrong order', '/blocks', [genesis, tip]],
    ['a negative height', '/blocks', [{ ...tip, height: -1 }]],
    ['another block than the first', '/blocks/0', [tip]],
    ['no transaction', '/address', [null]],
    ['no list', '/address', {}],
    ['no outputs', '/address', [{ ...transaction, vout: undefined }]],
    ['a negative amount', '/address', [paying({ value: -5 })]],
    ['half a satoshi', '/address', [paying({ value: 0.5 })]],
    ['more than there is', '/address', [paying({ value: 21e14 + 1 })]],
    ['an amount in words', '/address', [paying({ value: '5000' })]],
    ['a number for an address', '/address', [paying({ scriptpubkey_address: 5 })]],
    ['a transaction that is a path', '/address', [{ ...transaction, txid: '../..' }]],
    ['no status', '/address', [{ ...transaction, status: undefined }]],
    ['a block without height', '/address', [{ ...transaction, status: { confirmed: true, block_time: 5 } }]],
    ['a status in words', '/address', [{ ...transaction, status: { confirmed: 'true' } }]],
  ])('is unavailable when it answers %s', async (_, prefix, answer) => {
    const isMeant = (path: string) => (prefix === '/address' ? path.startsWith(prefix) : path === prefix);
    await expect(look((path) => (isMeant(path) ? answer : undefined))).rejects.toThrow(ChainUnavailable);
  });

  it.each<[string, ScriptedReaction]>([
    ['HTML', { text: '<html>Bad gateway</html>', status: 502 }],
    ['nothing', { text: '' }],
    ['null', { json: null }],
    ['half an answer', 'cut'],
    ['an endless answer', 'endless'],
    ['nothing at all', 'silence'],
  ])('is unavailable when %s comes', async (_, reaction) => {
    server.react = () => reaction;
    const observed = chain.observe([payment(0)], new AbortController().signal);
    await expect(observed).rejects.toThrow(ChainUnavailable);
  });
});

function good(path: string): unknown {
  if (path.startsWith('/blocks')) {
    return path === '/blocks/0' ? [genesis] : [tip, { ...tip, height: 8 }];
  }
  return path.endsWith('/txs') ? [transaction] : [];
}

/** A transfer that the server knew once. */
function vanished(index: number): KnownTransfer {
  const txHash = index.toString(16).padStart(64, '0');
  const place = { id: `${txHash}:0`, txHash, amountBase: 300n, state: 'pending', confirmations: 0 } as const;
  return { ...place, isFinal: false, blockTime: null, firstSeenAt: new Date() };
}

function included(txid: string, seconds: number): unknown {
  return { ...transaction, txid, status: { ...transaction.status, block_time: seconds } };
}

function paying(change: object): unknown {
  return { ...transaction, vout: [{ ...output, ...change }] };
}
