import type { ServerResponse } from 'node:http';
import { ChainUnavailable, InvalidKey, WrongNetwork } from '../../../src/modules/billing/payment-chain';
import { EthereumChain } from '../../../src/modules/billing/ethereum/ethereum-chain';
import { freshBitcoinAccount } from '../../support/chains/bitcoin-keys';
import { freshEthereumAccount, freshEthereumAddress } from '../../support/chains/ethereum-keys';
import { EthereumNode } from '../../support/chains/ethereum-node';
import { EthereumWatch } from '../../support/chains/ethereum-watch';
import { FakeEthereumNode, type RpcQuestion } from '../../support/chains/fake-ethereum-node';

const CREATED = new Date(0);

describe('an Ethereum node that answers nonsense', () => {
  let node: FakeEthereumNode;
  let watch: EthereumWatch;
  let address: string;

  beforeEach(async () => {
    node = await FakeEthereumNode.start();
    watch = new EthereumWatch(node.url);
    address = watch.pay(CREATED);
    watch.pay(CREATED);
    node.deposits.set(address.toLowerCase(), { block: 990, wei: 5n });
  });
  afterEach(async () => {
    await watch.chain.close();
    await node.stop();
  });

  const raw = (status: number, text: string) => (response: ServerResponse) =>
    response.writeHead(status).end(text);
  const honest = (questions: RpcQuestion[]) => questions.map((question) => node.honest(question));

  it('is believed while it answers well', async () => {
    expect(await watch.at(address)).toMatchObject([{ amountBase: 5n, confirmations: 11, isFinal: false }]);
    expect(await watch.chain.network()).toBe('31337');
  });

  it.each([
    ['a page', raw(200, '<html>hello</html>')],
    ['a page of a proxy', raw(502, '<html>bad gateway</html>')],
    ['null', raw(200, 'null')],
    ['half an answer', raw(200, '[{"jsonrpc":"2.0","id":0,"res')],
    ['text for an array', raw(200, '"0x0"')],
    ['an array of nulls', raw(200, '[null,null,null]')],
    ['one error for all', raw(200, '{"error":{"code":-32005,"message":"limit exceeded"}}')],
    ['errors that are none', raw(200, '[{"id":0,"error":5},{"id":1,"error":[]},{"id":2,"error":{}}]')],
    ['a redirection', (response: ServerResponse) => response.writeHead(302, { location: '/' }).end()],
    ['nothing, and hangs up', (response: ServerResponse) => response.destroy()],
  ])('is unavailable when it answers %s', async (_, respond) => {
    node.respond = respond;
    await expect(watch.look()).rejects.toBeInstanceOf(ChainUnavailable);
    expect(node.asked.length).toBeLessThan(5);
  });

  it.each([
    ['a number', 5],
    ['a negative one', '-0x5'],
    ['no prefix', '5'],
    ['no digits', '0x'],
    ['other digits', '0x5g'],
    ['a fraction', '0x1.8'],
    ['blanks', ' 0x5'],
    ['more than 256 bits', `0x1${'0'.repeat(64)}`],
    ['more ether than there is', `0x${(10n ** 27n + 1n).toString(16)}`],
    ['null', null],
    ['an object', { wei: '0x5' }],
    ['an array', ['0x5']],
  ])('is unavailable when a balance has %s', async (_, result) => {
    node.answer = (question) =>
      question.method === 'eth_getBalance' ? { id: question.id, result } : node.honest(question);
    await expect(watch.look()).rejects.toBeInstanceOf(ChainUnavailable);
  });

  it.each([
    ['no block', null],
    ['a block without a number', { hash: `0x${'0'.repeat(64)}`, timestamp: '0x1' }],
    ['a block without a hash', { number: '0x3e8', timestamp: '0x1' }],
    ['a block of no time', { number: '0x3e8', hash: `0x${'0'.repeat(64)}`, timestamp: 'now' }],
    [
      'a block after all time',
      { number: '0x3e8', hash: `0x${'0'.repeat(64)}`, timestamp: `0x${'f'.repeat(12)}` },
    ],
    [
      'a block beyond all numbers',
      { number: `0x${'f'.repeat(16)}`, hash: `0x${'0'.repeat(64)}`, timestamp: '0x1' },
    ],
  ])('is unavailable when it has %s', async (_, result) => {
    node.answer = (question) =>
      question.method === 'eth_getBlockByNumber' ? { id: question.id, result } : node.honest(question);
    await expect(watch.look()).rejects.toBeInstanceOf(ChainUnavailable);
  });

  it('is understood when a batch is answered in another order', async () => {
    node.respond = (response, questions) => node.send(response, honest(questions).reverse());
    expect(await watch.at(address)).toMatchObject([{ amountBase: 5n, confirmations: 11 }]);
  });

  it('is unavailable when one answer of a batch is missing, or stands there under the id of another', async () => {
    node.respond = (response, questions) => node.send(response, honest(questions).slice(1));
    await expect(watch.look()).rejects.toBeInstanceOf(ChainUnavailable);
    node.respond = (response, questions) =>
      node.send(
        response,
        honest(questions).map((answer) => ({ ...answer, id: 0 })),
      );
    await expect(watch.look()).rejects.toBeInstanceOf(ChainUnavailable);
  });

  it('is unavailable when the chain changes during the look', async () => {
    let looks = 0;
    node.answer = (question) => {
      const answer = node.honest(question);
      const isAgain = question.params[0] === '0x3e8' && (looks += 1) > 0;
      return isAgain
        ? { ...answer, result: { ...(answer.result as object), hash: `0x${'e'.repeat(64)}` } }
        : answer;
    };
    await expect(watch.look()).rejects.toThrow('reorganised during the look');
  });

  it('leaves out the one payment that it tells nothing of', async () => {
    node.answer = (question) =>
      question.method === 'eth_getBalance' && question.params[0] === address
        ? node.refused(question, -32_000, 'missing trie node')
        : node.honest(question);
    const { transfers } = await watch.look();
    expect([...transfers.keys()]).toEqual(['payment-1']);
  });

  it('needs no old blocks: what it has given up counts as not yet there', async () => {
    node.answer = (question) =>
      question.method === 'eth_getBalance' && Number(question.params[1]) < 996
        ? node.refused(question, -32_000, 'missing trie node')
        : node.honest(question);
    expect(await watch.at(address)).toMatchObject([{ amountBase: 5n, confirmations: 5, blockTime: null }]);
  });

  it('is asked for no block that a full node lacks', async () => {
    node.deposits.set(address.toLowerCase(), { block: 10, wei: 5n });
    expect(await watch.at(address)).toMatchObject([{ confirmations: 120, isFinal: true, blockTime: null }]);
    const blocks = node.asked
      .flat()
      .filter(({ method }) => method === 'eth_getBalance')
      .map(({ params }) => Number(params[1]));
    expect(Math.min(...blocks)).toBe(881);
  });

  it('has 64 confirmations for final when it does not know the tag', async () => {
    node.answer = (question) =>
      question.params[0] === 'finalized'
        ? node.refused(question, -32_602, 'unknown tag')
        : node.honest(question);
    node.head = 990 + 62;
    expect(await watch.at(address)).toMatchObject([{ confirmations: 63, isFinal: false }]);
    node.head += 1;
    expect(await watch.at(address)).toMatchObject([{ confirmations: 64, isFinal: true }]);
  });

  it.each([
    [-32_601, 'the method does not exist'],
    [-32_602, 'invalid params'],
    [-32_000, 'invalid argument 0: hex string without 0x prefix'],
    [-39_001, 'Unknown block'],
    [-32_000, 'finalized block not found'],
  ])('is believed to have no final blocks when it says %s %s', async (code, text) => {
    node.answer = (question) =>
      question.params[0] === 'finalized' ? node.refused(question, code, text) : node.honest(question);
    expect(await watch.at(address)).toMatchObject([{ confirmations: 11, isFinal: false }]);
  });

  it.each([
    [-32_005, 'limit exceeded'],
    [-32_603, 'internal error'],
    [429, 'too many requests'],
  ])('is unavailable when it does not tell what is final, for %s %s', async (code, text) => {
    node.answer = (question) =>
      question.params[0] === 'finalized' ? node.refused(question, code, text) : node.honest(question);
    await expect(watch.look()).rejects.toBeInstanceOf(ChainUnavailable);
  });

  it('is asked in smaller batches while it takes no larger ones', async () => {
    for (let index = 0; index < 400; index += 1) {
      watch.watch(freshEthereumAddress(), CREATED);
    }
    node.respond = (response, questions) =>
      questions.length > 100
        ? node.send(response, { id: null, error: { code: -32_600, message: 'batch limit 100 exceeded' } })
        : node.send(response, honest(questions));
    expect((await watch.look()).transfers.size).toBe(402);
    expect((await watch.look()).requests).toBeLessThan(20);

    node.respond = (response, questions) =>
      questions.length > 20 ? raw(200, 'busy')(response) : node.send(response, honest(questions));
    await watch.look();
    node.respond = (response, questions) => node.send(response, honest(questions));
    expect((await watch.look()).requests).toBeLessThan(5);
  });

  it('is left when its answer does not end', async () => {
    node.respond = (response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(1024 * 1024, '[');
      const write = () => !response.destroyed && response.write(chunk, () => setImmediate(write));
      write();
    };
    await expect(watch.look()).rejects.toBeInstanceOf(ChainUnavailable);
  });

  it('is left when it is silent, and at once when the caller gives up', async () => {
    node.respond = () => undefined;
    const caller = new AbortController();
    const given = watch.chain.observe(watch.payments, caller.signal);
    caller.abort(new Error('given up'));
    await expect(given).rejects.toThrow('given up');
    await expect(watch.look()).rejects.toBeInstanceOf(ChainUnavailable);
  });

  it('never finds its address, user and password in an error', async () => {
    const secret = node.url.replace('http://', 'http://someone:hush@') + '/v3/hidden-key';
    const other = new EthereumWatch(secret);
    node.respond = raw(500, 'no hidden-key');
    const error = await other.look().then(
      () => null,
      (fault: Error) => fault,
    );
    await other.chain.close();
    expect(error).toBeInstanceOf(ChainUnavailable);
    expect(error?.message).not.toMatch(/hush|hidden-key|127\.0\.0\.1/);
  });
});

describe('the network of an Ethereum node', () => {
  it.each([
    ['test', '0x1'],
    ['live', '0xaa36a7'],
  ] as const)('is refused in %s when it is chain %s', async (environment, chainId) => {
    const node = await FakeEthereumNode.start();
    node.chainId = chainId;
    const watch = new EthereumWatch(node.url, environment);
    watch.pay();
    await expect(watch.look()).rejects.toBeInstanceOf(WrongNetwork);
    await expect(watch.chain.network()).rejects.toBeInstanceOf(WrongNetwork);
    await watch.chain.close();
    await node.stop();
  });

  it('is refused by a real node of the main chain, and taken in live', async () => {
    const main = await EthereumNode.start({ chainId: 1 });
    const [test, live] = [new EthereumWatch(main.rpcUrl), new EthereumWatch(main.rpcUrl, 'live')];
    await expect(test.chain.network()).rejects.toBeInstanceOf(WrongNetwork);
    expect(await live.chain.network()).toBe('1');
    await Promise.all([test.chain.close(), live.chain.close(), main.stop()]);
  });

  it.each([
    [
      'an error',
      (node: FakeEthereumNode, question: RpcQuestion) => node.refused(question, -32_602, 'bad tag'),
    ],
    ['nothing', (_: FakeEthereumNode, { id }: RpcQuestion) => ({ id, result: null })],
  ])(
    'always has final blocks when it is the main chain: a node that answers %s is unavailable',
    async (_, say) => {
      const node = await FakeEthereumNode.start();
      node.chainId = '0x1';
      const watch = new EthereumWatch(node.url, 'live');
      watch.pay(CREATED);
      expect((await watch.look()).transfers.size).toBe(1);
      node.answer = (question) =>
        question.params[0] === 'finalized' ? say(node, question) : node.honest(question);
      await expect(watch.look()).rejects.toBeInstanceOf(ChainUnavailable);
      await watch.chain.close();
      await node.stop();
    },
  );

  it('is for no key of test networks in live', () => {
    const url = 'http://127.0.0.1:1';
    const { tpub } = freshBitcoinAccount();
    expect(() => new EthereumChain({ url, environment: 'live', xpub: tpub })).toThrow(InvalidKey);
    expect(new EthereumChain({ url, environment: 'test', xpub: tpub }).placesId).toMatch(
      /^eth:[0-9a-f]{16}$/,
    );
    const { xpub } = freshEthereumAccount();
    expect(new EthereumChain({ url, environment: 'live', xpub }).currency).toBe('ETH');
  });
});

describe('a real Ethereum node', () => {
  it('is down for a while, and nothing is lost', async () => {
    const node = await EthereumNode.start({ noMining: true });
    const watch = new EthereumWatch(node.rpcUrl);
    const address = watch.pay();
    await node.send(address, 5n);
    await node.mine(2);
    const seen = await watch.at(address);
    await node.shutDown();
    await expect(watch.look()).rejects.toBeInstanceOf(ChainUnavailable);
    expect(watch.payments[0]?.transfers).toMatchObject(seen);
    await node.startAgain();
    await node.send(address, 6n);
    await node.mine();
    expect(await watch.at(address)).toMatchObject([
      { ...seen[0], confirmations: 3 },
      { id: `${address}:5-11`, confirmations: 1 },
    ]);
    await watch.chain.close();
    await node.stop();
  });
});
