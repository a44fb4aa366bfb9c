import { BitcoinCoreChain } from '../../../src/modules/billing/bitcoin/bitcoin-core-chain';
import { EsploraChain } from '../../../src/modules/billing/bitcoin/esplora-chain';
import { ChainUnavailable, WrongNetwork } from '../../../src/modules/billing/payment-chain';
import { freshBitcoinAccount, withVersion } from '../../support/chains/bitcoin-keys';
import { BitcoinNode } from '../../support/chains/bitcoin-node';
import { EsploraServer } from '../../support/chains/esplora-server';
import { WatchedBitcoin } from '../../support/chains/watched-bitcoin';

const never = new AbortController().signal;

describe('a Bitcoin node that fails', () => {
  let node: BitcoinNode;
  beforeAll(async () => {
    node = await BitcoinNode.start();
  });
  afterAll(() => node.stop());

  it('is unavailable while it is down, and has lost nothing when it is back', async () => {
    const watched = await WatchedBitcoin.core(node);
    const address = watched.pay();
    const txid = await node.send(address, '0.01');
    await node.mine(2);
    expect(await watched.states(address)).toEqual({ [txid]: 'included 2' });
    await node.shutDown();
    await expect(watched.chain.observe([], never)).rejects.toThrow(ChainUnavailable);
    await node.startAgain();
    await node.mine();
    expect(await watched.states(address)).toEqual({ [txid]: 'included 3' });
    await watched.close();
  });

  it('is unavailable while it stands still, without its address or password being told', async () => {
    const { tpub } = freshBitcoinAccount();
    const chain = new BitcoinCoreChain({
      xpub: tpub,
      url: node.rpcUrl,
      environment: 'test',
      timeoutMs: 1_500,
    });
    await chain.network();
    await node.pause();
    const failed = await chain.observe([], never).catch((error: unknown) => error);
    node.resume();
    expect(failed).toBeInstanceOf(ChainUnavailable);
    const { port, password } = new URL(node.rpcUrl);
    expect(`${(failed as Error).message}`).not.toMatch(new RegExp(`${port}|${password}`));
    expect((await chain.observe([], never)).tip.height).toBe(await node.height());
    await chain.close();
  });

  it('is unavailable where its password is another', async () => {
    const url = node.rpcUrl.replace(/:[^:@]+@/, ':wrong@');
    const chain = new BitcoinCoreChain({ xpub: freshBitcoinAccount().tpub, url, environment: 'test' });
    await expect(chain.network()).rejects.toThrow('(401)');
    await expect(chain.observe([], never)).rejects.toThrow(ChainUnavailable);
    await chain.close();
  });

  it('ends a look when it is told to, with the reason it is given', async () => {
    const chain = new BitcoinCoreChain({
      xpub: freshBitcoinAccount().tpub,
      url: node.rpcUrl,
      environment: 'test',
    });
    const reason = new Error('the service shuts down');
    await expect(chain.observe([], AbortSignal.abort(reason))).rejects.toBe(reason);
    await chain.close();
  });

  it('is on the wrong network: regtest, where money is meant', async () => {
    const server = await EsploraServer.start(node.rpcUrl);
    const xpub = withVersion(freshBitcoinAccount().tpub, 'zpub');
    for (const chain of [
      new BitcoinCoreChain({ xpub, url: node.rpcUrl, environment: 'live' }),
      new EsploraChain({ xpub, url: server.url, environment: 'live' }),
    ]) {
      await expect(chain.network()).rejects.toThrow(WrongNetwork);
      await expect(chain.observe([], never)).rejects.toThrow('the node is on Bitcoin\'s network "regtest"');
      expect(chain.placeOf(0).address).toMatch(/^bc1q/);
      await chain.close();
    }
    await server.stop();
  });

  it.each([
    ['xpub', 'test'],
    ['zpub', 'test'],
    ['tpub', 'live'],
    ['vpub', 'live'],
  ] as const)('an %s is refused in the %s environment', (kind, environment) => {
    const xpub = withVersion(freshBitcoinAccount().tpub, kind);
    for (const Chain of [BitcoinCoreChain, EsploraChain]) {
      expect(() => new Chain({ xpub, url: node.rpcUrl, environment })).toThrow(WrongNetwork);
    }
  });

  it('gives no place before it was asked which test network it is on', () => {
    const chain = new EsploraChain({
      xpub: freshBitcoinAccount().vpub,
      url: node.rpcUrl,
      environment: 'test',
    });
    expect(() => chain.placeOf(0)).toThrow(ChainUnavailable);
  });
});
