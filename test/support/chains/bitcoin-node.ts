import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quietPort } from '../../../src/database/embedded/server';
import { freshRegtestAddress } from './bitcoin-keys';
import { foundNode } from './found-nodes';
import { askNode } from './json-rpc';
import { NodeProcess } from './node-process';

const FUNDS = 'funds';
const FUNDED_BLOCKS = 20;
/** Deep enough that no coin of the wallet becomes immature again when a test undoes some blocks. */
const BURYING_BLOCKS = 130;
/** A transaction leaves the mempool after 336 hours. */
const EXPIRY_SECONDS = 15 * 24 * 3600;

/** How long ago the wallet was given its coins. A hundred blocks at once are some 25 s ahead of the time. */
const FUNDED_AGO_SECONDS = 3600;
const SETTINGS = [
  ...['-regtest', '-server', '-debuglogfile=0', '-par=1', '-dbcache=16'],
  // No other node is looked for, and none is let in.
  ...['-listen=0', '-connect=0', '-dnsseed=0', '-discover=0'],
  // What the wallet pays when a test names no fee.
  '-fallbackfee=0.0001',
];

/** What the wallets of the node hear of only a moment after it is answered, unless they are waited for. */
const CHANGES = new Set([
  'send',
  'bumpfee',
  'sendrawtransaction',
  'invalidateblock',
  'generatetoaddress',
  'generateblock',
]);

export interface BitcoinNodeOptions {
  /** Further arguments of bitcoind, such as -txindex=1. */
  settings?: string[];
}

export interface SendOptions {
  /** In satoshis per virtual byte. */
  feeRate?: number;
  /** Whether it says of itself that it may be replaced; true by default. */
  replaceable?: boolean;
  /** The block height after which it may be mined; 0 by default, which is at once. */
  locktime?: number;
}

/**
 * A bitcoind of a test's own on a regtest chain, with a wallet of 1000 BTC. It answers batches, in their order. A refusal
 * has the status 500, or 200 when the question says `"jsonrpc": "2.0"`. Of extended keys it takes tpub, and no vpub. It
 * has no -txindex: getrawtransaction knows nothing of what is mined. Wallets of a test's own are not loaded by
 * {@link startAgain}, unless they were created with load_on_startup.
 */
export class BitcoinNode {
  private setAt: number | null = null;

  private constructor(
    readonly rpcUrl: string,
    private readonly dataFolder: string,
    private readonly process: NodeProcess,
  ) {}

  static async start({ settings = [] }: BitcoinNodeOptions = {}): Promise<BitcoinNode> {
    const dataFolder = await mkdtemp(join(tmpdir(), 'test-bitcoin-'));
    const port = await quietPort();
    const password = randomBytes(12).toString('hex');
    const rpcUrl = `http://tests:${password}@127.0.0.1:${port}`;
    const user = ['-rpcuser=tests', `-rpcpassword=${password}`, `-rpcport=${port}`];
    const command = [foundNode('bitcoind'), `-datadir=${dataFolder}`, ...user, ...SETTINGS, ...settings];
    const process = await NodeProcess.start(command, () => isAnswering(rpcUrl));
    const node = new BitcoinNode(rpcUrl, dataFolder, process);
    await node.fund();
    return node;
  }

  async stop(): Promise<void> {
    await this.process.kill();
    await rm(this.dataFolder, { recursive: true, force: true });
  }

  /** Connections are taken, and nothing is answered. */
  async pause(): Promise<void> {
    await this.process.pause();
  }

  resume(): void {
    this.process.resume();
  }

  /** Ends the node, so that connections are refused; {@link startAgain} goes on with the same chain, mempool and funds. */
  async shutDown(): Promise<void> {
    await this.process.stop();
  }

  async startAgain(): Promise<void> {
    await this.process.startAgain(() => isAnswering(this.rpcUrl));
  }

  /** Asks the node, or one of its wallets. A change of chain or mempool is known to all its wallets after the answer. */
  async rpc<Result>(method: string, params: unknown[] | object = [], wallet?: string): Promise<Result> {
    const path = wallet === undefined ? '/' : `/wallet/${encodeURIComponent(wallet)}`;
    const result = await askNode(this.rpcUrl + path, method, params);
    if (CHANGES.has(method)) {
      await askNode(this.rpcUrl, 'syncwithvalidationinterfacequeue', []);
    }
    return result as Result;
  }

  async height(): Promise<number> {
    return this.rpc('getblockcount');
  }

  /**
   * Mines what is in the mempool.
   *
   * @param address takes the coins; by default one that nobody has. It has to be a new one after an invalidation, or
   *   the node would make the very block that was declared invalid.
   * @returns the hashes of the blocks
   */
  async mine(blocks = 1, address = freshRegtestAddress()): Promise<string[]> {
    return this.rpc('generatetoaddress', [blocks, address]);
  }

  /** Mines blocks that leave the mempool as it is, but for the given transactions, which are in the first one. */
  async mineOnly(rawTransactions: string[] = [], blocks = 1): Promise<string[]> {
    const hashes: string[] = [];
    for (let index = 0; index < blocks; index += 1) {
      const content = index === 0 ? rawTransactions : [];
      const { hash } = await this.rpc<{ hash: string }>('generateblock', [freshRegtestAddress(), content]);
      hashes.push(hash);
    }
    return hashes;
  }

  /** @returns the id of the transaction, which is in the mempool then */
  async send(address: string, btc: string, options: SendOptions = {}): Promise<string> {
    return this.sendMany({ [address]: btc }, options);
  }

  /** One transaction with an output for each address. */
  async sendMany(outputs: Record<string, string>, options: SendOptions = {}): Promise<string> {
    const { feeRate = 10, replaceable = true, locktime = 0 } = options;
    const sent = await this.rpc<{ txid: string }>(
      'send',
      {
        outputs: Object.entries(outputs).map(([address, btc]) => ({ [address]: btc })),
        options: { fee_rate: feeRate, replaceable, locktime },
      },
      FUNDS,
    );
    return sent.txid;
  }

  /** Replaces a transaction by one that pays the same to the same, at a higher fee. */
  async bump(txid: string, feeRate = 50): Promise<string> {
    const { txid: bumped } = await this.rpc<{ txid: string }>(
      'bumpfee',
      [txid, { fee_rate: feeRate }],
      FUNDS,
    );
    return bumped;
  }

  /** Replaces a transaction by one that pays these addresses instead, or only the wallet itself. */
  async replace(txid: string, outputs: Record<string, string> = {}, feeRate = 50): Promise<string> {
    return this.rpc('sendrawtransaction', [await this.conflicting(txid, outputs, feeRate)]);
  }

  /** A signed transaction, not sent, that spends the same coins as another one of the wallet. */
  async conflicting(txid: string, outputs: Record<string, string> = {}, feeRate = 50): Promise<string> {
    const { decoded } = await this.rpc<{ decoded: { vin: { txid: string; vout: number }[] } }>(
      'gettransaction',
      [txid, true, true],
      FUNDS,
    );
    const inputs = decoded.vin.map((input) => ({ txid: input.txid, vout: input.vout, sequence: 0xfffffffd }));
    const change: string = await this.rpc('getnewaddress', [], FUNDS);
    const targets = Object.keys(outputs).length > 0 ? outputs : { [change]: '0.001' };
    const bare = await this.rpc<string>('createrawtransaction', [inputs, [targets]]);
    const funded = await this.rpc<{ hex: string }>(
      'fundrawtransaction',
      [
        bare,
        {
          add_inputs: false,
          fee_rate: feeRate,
          changeAddress: await this.rpc('getrawchangeaddress', [], FUNDS),
        },
      ],
      FUNDS,
    );
    const signed = await this.rpc<{ hex: string }>('signrawtransactionwithwallet', [funded.hex], FUNDS);
    return signed.hex;
  }

  /** Spends the coins of a transaction in a block, without telling the mempool before: it is void then. */
  async doubleSpend(txid: string, outputs: Record<string, string> = {}): Promise<string[]> {
    return this.mineOnly([await this.conflicting(txid, outputs)]);
  }

  /**
   * Stops the node's clock at a time, in Unix seconds; null lets it run again. A block has that time, or the second
   * after the median of the eleven blocks before it. Started again, a node with blocks of a later time than now ends.
   */
  async setTime(unixSeconds: number | null): Promise<void> {
    this.setAt = unixSeconds;
    await this.rpc('setmocktime', [unixSeconds ?? 0]);
  }

  /** Undoes a block and all that follow. Their transactions go back to the mempool. */
  async invalidate(blockHash: string): Promise<void> {
    await this.rpc('invalidateblock', [blockHash]);
  }

  /**
   * Another chain wins, one block longer than what it takes the place of.
   *
   * @param depth how many blocks are undone
   * @param withTransactions whether the undone transactions are in the new blocks; otherwise they wait in the mempool
   */
  async reorg(depth: number, { withTransactions }: { withTransactions: boolean }): Promise<string[]> {
    const first = (await this.height()) - depth + 1;
    await this.invalidate(await this.rpc('getblockhash', [first]));
    return withTransactions ? this.mine(depth + 1) : this.mineOnly([], depth + 1);
  }

  /** Empties the mempool as time does: what has waited for two weeks is forgotten when another transaction comes. */
  async forgetMempool(): Promise<void> {
    const waiting = await this.rpc<string[]>('getrawmempool');
    await this.rpc('setmocktime', [(this.setAt ?? Math.floor(Date.now() / 1000)) + EXPIRY_SECONDS]);
    await this.send(freshRegtestAddress(), '0.001').finally(() => this.setTime(this.setAt));
    const left = await this.rpc<string[]>('getrawmempool');
    const kept = waiting.filter((txid) => left.includes(txid));
    if (kept.length > 0) {
      throw new Error(`still in the mempool: ${kept.join(', ')}`);
    }
  }

  /** Sends a transaction of the wallet once more. */
  async rebroadcast(txid: string): Promise<void> {
    const { hex } = await this.rpc<{ hex: string }>('gettransaction', [txid], FUNDS);
    await this.rpc('sendrawtransaction', [hex]);
  }

  async isInMempool(txid: string): Promise<boolean> {
    return (await this.rpc<string[]>('getrawmempool')).includes(txid);
  }

  private async fund(): Promise<void> {
    await this.setTime(Math.floor(Date.now() / 1000) - FUNDED_AGO_SECONDS);
    await this.rpc('createwallet', { wallet_name: FUNDS, load_on_startup: true });
    await this.mine(FUNDED_BLOCKS, await this.rpc('getnewaddress', [], FUNDS));
    await this.mine(BURYING_BLOCKS);
    await this.setTime(null);
  }
}

async function isAnswering(rpcUrl: string): Promise<boolean> {
  return askNode(rpcUrl, 'getblockchaininfo', []).then(
    () => true,
    () => false,
  );
}
