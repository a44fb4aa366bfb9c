import { ChainUnavailable, WrongNetwork } from '../../../src/modules/billing/payment-chain';
import { SolanaChain } from '../../../src/modules/billing/solana/solana-chain';
import { ScriptedRpc, ScriptedRpcError } from '../../support/chains/scripted-rpc';
import { SolanaNode } from '../../support/chains/solana-node';
import { freshSolanaAddress } from '../../support/chains/solana-transaction';
import { afterLook, watched } from '../../support/chains/watched-payments';

const SOL = 1_000_000_000n;
const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const never = new AbortController().signal;
const merchantAddress = freshSolanaAddress();

let node: SolanaNode;
/** In front of the node: takes batches, counts, and spoils answers. */
let front: ScriptedRpc;
let chain: SolanaChain;

const honest = (method: string, params: unknown[]): Promise<unknown> => node.rpc(method, params);

beforeAll(async () => {
  node = await SolanaNode.start();
  front = await ScriptedRpc.start(honest);
});

afterAll(async () => {
  await front.stop();
  await node.stop();
});

beforeEach(() => {
  front.answer = honest;
  front.raw = null;
  front.takesBatches = true;
  chain = new SolanaChain({ places: { merchantAddress }, url: front.url, environment: 'test' });
});

afterEach(() => chain.close());

async function paid(payment = watched(chain.placeOf(0))) {
  const references = payment.reference === null ? [] : [payment.reference];
  const signature = await node.transfer({ to: payment.address, lamports: SOL, references });
  return { payment, signature };
}

describe('a Solana node with faults', () => {
  it('is of no use where it answers what makes no sense, and shows nothing then', async () => {
    const { payment, signature } = await paid();
    const { signature: another } = await paid();
    const spoilt: [string, string, (result: never) => unknown][] = [
      ['a genesis hash that is none', 'getGenesisHash', () => 7],
      ['no clock', 'getAccountInfo', () => ({ value: null })],
      ['a short clock', 'getAccountInfo', () => ({ value: { data: ['AAAA', 'base64'] } })],
      ['a list that is none', 'getSignaturesForAddress', () => ({})],
      ['a listed number', 'getSignaturesForAddress', () => [7]],
      ['a signature that is none', 'getSignaturesForAddress', () => [{ signature: '<html>', blockTime: 1 }]],
      [
        'a negative time',
        'getSignaturesForAddress',
        (list: object[]) => list.map((each) => ({ ...each, blockTime: -1 })),
      ],
      ['too many', 'getSignaturesForAddress', (list: object[]) => Array.from({ length: 101 }, () => list[0])],
      ['no statuses', 'getSignatureStatuses', () => ({ value: [] })],
      [
        'a status of another kind',
        'getSignatureStatuses',
        () => ({ value: [{ slot: 1, confirmationStatus: 'max' }] }),
      ],
      ['no transaction', 'getTransaction', () => null],
      [
        'another transaction',
        'getTransaction',
        () => honest('getTransaction', [another, { encoding: 'json' }]),
      ],
      [
        'negative balances',
        'getTransaction',
        (answer: { meta: object }) => ({
          ...answer,
          meta: { ...answer.meta, preBalances: [-1, -1, -1, -1] },
        }),
      ],
      [
        'balances of nobody',
        'getTransaction',
        (answer: { meta: object }) => ({ ...answer, meta: { ...answer.meta, postBalances: [] } }),
      ],
      ['a transaction without meta', 'getTransaction', (answer: object) => ({ ...answer, meta: null })],
    ];
    for (const [what, method, spoil] of spoilt) {
      front.answer = async (asked, params) => {
        const result = await honest(asked, params);
        return asked === method ? spoil(result as never) : result;
      };
      const outcome = await chain.observe([payment], never).catch((error: unknown) => error);
      expect([what, outcome]).toEqual([what, expect.any(ChainUnavailable)]);
    }
    front.answer = honest;
    const { transfers } = await chain.observe([payment], never);
    expect(transfers.get(payment.id)).toMatchObject([{ id: `${signature}:0`, amountBase: SOL }]);
  });

  it.each<[string, ScriptedRpc['raw']]>([
    ['HTML', (response) => response.end('<html>Bad gateway</html>')],
    ['an empty answer', (response) => response.writeHead(502).end()],
    ['JSON of another kind', (response) => response.end('"yes"')],
    ['null', (response) => response.end('null')],
    ['a batch without ids', (response) => response.end('[{"jsonrpc":"2.0","result":1},null,7]')],
    ['a refusal', (response) => response.writeHead(429).end('{"error":{"code":429,"message":"Too many"}}')],
    ['a cut connection', (response) => response.destroy()],
    [
      'an answer without an end',
      (response) => {
        const pour = () => {
          while (!response.destroyed && response.write(' '.repeat(1_000_000))) {
            // The socket says when it is full.
          }
        };
        response.on('drain', pour);
        pour();
      },
    ],
  ])('is of no use where it answers with %s', async (_, raw) => {
    front.raw = raw;
    await expect(chain.observe([watched(chain.placeOf(0))], never)).rejects.toThrow(ChainUnavailable);
    await expect(chain.network()).rejects.toThrow(ChainUnavailable);
  });

  it('hides only the payment whose transactions it does not show', async () => {
    const [first, second] = [await paid(), await paid()];
    front.answer = (method, params) => {
      if (params[0] === first.signature && method === 'getTransaction') {
        throw new ScriptedRpcError(-32_004, 'Block not available');
      }
      return honest(method, params);
    };
    const { transfers } = await chain.observe([first.payment, second.payment], never);
    expect([...transfers.keys()]).toEqual([second.payment.id]);
  });

  it('asks for a person where a transaction is of a later version', async () => {
    const { payment, signature } = await paid();
    front.answer = (method, params) => {
      if (method === 'getTransaction') {
        throw new ScriptedRpcError(-32_015, 'Transaction version (1) is not supported');
      }
      return honest(method, params);
    };
    const { transfers, reviews } = await chain.observe([payment], never);
    expect(transfers.get(payment.id)).toEqual([]);
    expect(reviews.get(payment.id)).toContain(signature);
  });

  it('is refused where it is on another network than the environment is for', async () => {
    const live = new SolanaChain({ places: { merchantAddress }, url: front.url, environment: 'live' });
    await expect(live.network()).rejects.toThrow(WrongNetwork);
    await expect(live.observe([], never)).rejects.toThrow(WrongNetwork);
    expect(await chain.network()).toMatch(/^private-/);
    front.answer = (method, params) => (method === 'getGenesisHash' ? MAINNET : honest(method, params));
    expect(await live.network()).toBe('mainnet-beta');
    await live.close();
    // It is asked at every look, so a node that was exchanged is found out.
    await expect(chain.observe([], never)).rejects.toThrow(WrongNetwork);
    await expect(chain.network()).rejects.toThrow(WrongNetwork);
  });

  it('shows after its silence what arrived before', async () => {
    const { payment, signature } = await paid();
    await node.pause();
    const direct = new SolanaChain({ places: { merchantAddress }, url: node.rpcUrl, environment: 'test' });
    const silent = await direct.observe([payment], never).catch((error: unknown) => error);
    node.resume();
    expect(silent).toBeInstanceOf(ChainUnavailable);
    expect(String(silent)).not.toContain(new URL(node.rpcUrl).host);
    const { transfers } = await direct.observe([payment], never);
    expect(transfers.get(payment.id)).toMatchObject([{ id: `${signature}:0` }]);
    await direct.close();
  });

  it('ends a look with its caller', async () => {
    front.raw = () => undefined;
    const caller = new AbortController();
    const look = chain.observe([watched(chain.placeOf(0))], caller.signal);
    caller.abort(new Error('shutting down'));
    await expect(look).rejects.toThrow('shutting down');
  });
});

describe('many payments on Solana', () => {
  /** The node answers for one payment; for the others nobody has to look. */
  const nothingBut =
    (target: { reference: string | null }) =>
    (method: string, params: unknown[]): unknown =>
      method === 'getSignaturesForAddress' && params[0] !== target.reference ? [] : honest(method, params);

  it('are looked at by a bounded number of requests', async () => {
    const payments = Array.from({ length: 1_000 }, (_, index) => watched(chain.placeOf(index)));
    const target = payments[500] ?? watched(chain.placeOf(0));
    await paid(target);
    front.answer = nothingBut(target);
    for (const [takesBatches, requests] of [
      // The head, ten lists, one question for statuses and one for the transaction; without batches one that is refused.
      [true, 1 + 10 + 2],
      [false, 1 + 2 + 1_000 + 2],
    ] as const) {
      front.takesBatches = takesBatches;
      const other = new SolanaChain({ places: { merchantAddress }, url: front.url, environment: 'test' });
      const started = performance.now();
      const look = await other.observe(payments, never);
      const took = Math.round(performance.now() - started);
      process.stdout.write(`1,000 payments on Solana: ${look.requests} requests in ${took} ms\n`);
      expect([look.requests, look.transfers.size]).toEqual([requests, 1_000]);
      expect(look.transfers.get(target.id)).toHaveLength(1);
      await other.close();
    }
  });

  it('take turns where one look has not enough requests for all', async () => {
    front.takesBatches = false;
    const payments = Array.from({ length: 1_300 }, (_, index) => watched(chain.placeOf(index)));
    front.answer = nothingBut({ reference: null });
    const first = await chain.observe(payments, never);
    expect(first.requests).toBeLessThan(1_210);
    const left = payments.filter(({ id }) => !first.transfers.has(id));
    expect(left.length).toBeGreaterThan(0);
    const second = await chain.observe(payments, never);
    expect(left.every(({ id }) => second.transfers.has(id))).toBe(true);
  });
});

describe('a transaction that vanishes from Solana', () => {
  it('is missing at first, then gone for good, and counts again when it comes back', async () => {
    const { payment } = await paid();
    const { transfers } = await chain.observe([payment], never);
    const seen = transfers.get(payment.id) ?? [];
    expect(seen).toMatchObject([{ state: 'included' }]);
    await node.forgetEverything();
    // The chain that has seen it, and one that was started later.
    for (const look of [
      chain,
      new SolanaChain({ places: { merchantAddress }, url: front.url, environment: 'test' }),
    ]) {
      const fresh = await look.observe([afterLook(payment, seen)], never);
      expect(fresh.transfers.get(payment.id)).toEqual([
        { ...seen[0], state: 'missing', confirmations: 0, blockTime: null },
      ]);
      const longAgo = afterLook(payment, seen, new Date(Date.now() - 3_600_000));
      const old = await look.observe([longAgo], never);
      expect(old.transfers.get(payment.id)).toMatchObject([{ id: seen[0]?.id, state: 'replaced' }]);
      // A node that has dropped that part of its history can't know.
      front.answer = (method, params) =>
        method === 'getBlockTime' ? Math.floor(Date.now() / 1_000) : honest(method, params);
      const pruned = await look.observe([longAgo], never);
      expect(pruned.transfers.get(payment.id)).toMatchObject([{ state: 'missing' }]);
      front.answer = honest;
    }
    const gone = afterLook(payment, [{ ...seen[0], state: 'replaced' } as (typeof seen)[number]]);
    const again = await paid(payment);
    const back = await chain.observe([gone], never);
    expect(back.transfers.get(payment.id)).toMatchObject([
      { id: seen[0]?.id },
      { id: `${again.signature}:0`, state: 'included' },
    ]);
  });
});
