import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quietPort } from '../../../src/database/embedded/server';
import { FORWARDER_CREATION, REFUSING_CODE, word } from './ethereum-code';
import { foundNode } from './found-nodes';
import { askNode } from './json-rpc';
import { NodeProcess } from './node-process';

const NO_CODE = '0x';
/** Enough for each of the calls below. Named, because to estimate a call that fails is refused. */
const CALL_GAS = 200_000n;

export interface EthereumNodeOptions {
  /** 31337 by default, which is anvil's own. */
  chainId?: number;
  /** Whether transactions wait until {@link EthereumNode.mine}; by default each has a block of its own at once. */
  noMining?: boolean;
  /**
   * How far the tags lag behind: `safe` is the latest block less this, `finalized` less twice this, and both are block 0
   * before there are so many. 32 by default, as on the main chain, where `finalized` is 64 blocks behind.
   */
  slotsInEpoch?: number;
}

export interface EthereumTransfer {
  /** Which of the funded accounts pays. */
  from?: string;
  to: string;
  wei: bigint;
  data?: string;
  gas?: bigint;
  /** In wei, for each unit of gas. */
  gasPrice?: bigint;
  nonce?: number;
}

export interface EthereumReceipt {
  status: '0x0' | '0x1';
  blockNumber: string;
  blockHash: string;
  to: string | null;
  contractAddress: string | null;
  logs: unknown[];
}

/**
 * An anvil of a test's own: an Ethereum chain with ten accounts of 10,000 ETH. It answers batches, in their order; a
 * balance of a block that is not yet there is error -32602.
 */
export class EthereumNode {
  private constructor(
    readonly rpcUrl: string,
    /** The funded accounts; the node signs for them. */
    readonly accounts: readonly string[],
    private readonly stateFolder: string,
    private readonly process: NodeProcess,
  ) {}

  static async start(options: EthereumNodeOptions = {}): Promise<EthereumNode> {
    const { chainId = 31_337, noMining = false, slotsInEpoch = 32 } = options;
    const stateFolder = await mkdtemp(join(tmpdir(), 'test-ethereum-'));
    const port = await quietPort();
    const command = [
      foundNode('anvil'),
      ...['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId)],
      ...['--slots-in-an-epoch', String(slotsInEpoch)],
      // What it was is written there when it ends, and read when it is started again.
      ...['--state', join(stateFolder, 'state.json'), '--preserve-historical-states'],
      ...(noMining ? ['--no-mining'] : []),
    ];
    const rpcUrl = `http://127.0.0.1:${port}`;
    const process = await NodeProcess.start(command, isListening);
    const accounts = (await askNode(rpcUrl, 'eth_accounts', [])) as string[];
    return new EthereumNode(rpcUrl, accounts, stateFolder, process);
  }

  async stop(): Promise<void> {
    await this.process.kill();
    await rm(this.stateFolder, { recursive: true, force: true });
  }

  /** Connections are taken, and nothing is answered. */
  async pause(): Promise<void> {
    await this.process.pause();
  }

  resume(): void {
    this.process.resume();
  }

  /** Ends the node, so that connections are refused; {@link startAgain} goes on with the same chain. */
  async shutDown(): Promise<void> {
    await this.process.stop();
  }

  async startAgain(): Promise<void> {
    await this.process.startAgain(isListening);
  }

  async rpc<Result>(method: string, params: unknown[] = []): Promise<Result> {
    return (await askNode(this.rpcUrl, method, params)) as Result;
  }

  async height(): Promise<number> {
    return Number(await this.rpc<string>('eth_blockNumber'));
  }

  /** In wei. */
  async balance(address: string, block: string = 'latest'): Promise<bigint> {
    return BigInt(await this.rpc<string>('eth_getBalance', [address, block]));
  }

  /** Null while a transaction waits, and after it has vanished. */
  async receipt(hash: string): Promise<EthereumReceipt | null> {
    return this.rpc('eth_getTransactionReceipt', [hash]);
  }

  /** @returns the hash of the transaction, which is mined unless the node was started with noMining */
  async send(to: string, wei: bigint, options: Omit<EthereumTransfer, 'to' | 'wei'> = {}): Promise<string> {
    return this.rpc('eth_sendTransaction', [this.request({ ...options, to, wei })]);
  }

  /** Mines what waits, and empty blocks after it. Each is a second later than the one before: many run ahead of the time. */
  async mine(blocks = 1): Promise<void> {
    await this.rpc('anvil_mine', [hex(blocks)]);
  }

  /** The time of the next block, in Unix seconds; time goes on from there. */
  async setTime(unixSeconds: number): Promise<void> {
    await this.rpc('evm_setNextBlockTimestamp', [unixSeconds]);
  }

  /** Replaces a transaction that waits by another one, with the same nonce and a higher price. */
  async replace(hash: string, to: string, wei: bigint): Promise<string> {
    const { from, nonce, maxFeePerGas, gasPrice } = await this.rpc<{
      from: string;
      nonce: string;
      maxFeePerGas?: string;
      gasPrice: string;
    }>('eth_getTransactionByHash', [hash]);
    const price = BigInt(maxFeePerGas ?? gasPrice) * 2n;
    return this.send(to, wei, { from, nonce: Number(nonce), gasPrice: price });
  }

  /** Forgets a transaction that waits. */
  async drop(hash: string): Promise<void> {
    await this.rpc('anvil_dropTransaction', [hash]);
  }

  /**
   * Another chain of the same length wins. What was in the blocks that it takes the place of has vanished: the node
   * knows these transactions no longer, neither as mined nor as waiting.
   *
   * @param depth how many blocks are undone
   * @param transfers what is in the first of the new blocks
   */
  async reorg(depth: number, transfers: EthereumTransfer[] = []): Promise<void> {
    await this.rpc('anvil_reorg', [depth, transfers.map((transfer) => [this.request(transfer), 0])]);
  }

  async snapshot(): Promise<string> {
    return this.rpc('evm_snapshot');
  }

  /** Everything is as it was then: the chain is shorter. A snapshot serves once. */
  async revert(snapshot: string): Promise<void> {
    await this.rpc('evm_revert', [snapshot]);
  }

  /** Puts the contract of {@link sendByContract} on the chain; it is mined at once. */
  async deployForwarder(): Promise<string> {
    const [from] = this.accounts;
    const deployment = { from, data: FORWARDER_CREATION, gas: hex(CALL_GAS) };
    const hash = await this.rpc<string>('eth_sendTransaction', [deployment]);
    const receipt = (await this.receipt(hash)) ?? (await this.mine().then(() => this.receipt(hash)));
    return receipt?.contractAddress ?? '';
  }

  /** The contract pays `to`: the transaction goes to the contract, and there is no log. */
  async sendByContract(forwarder: string, to: string, wei: bigint): Promise<string> {
    return this.send(forwarder, wei, { data: `0x${word(to)}${word(0)}`, gas: CALL_GAS });
  }

  /** The same, but that the contract reverts after it has paid: the receipt's status is 0x0, and nobody has got anything. */
  async failByContract(forwarder: string, to: string, wei: bigint): Promise<string> {
    return this.send(forwarder, wei, { data: `0x${word(to)}${word(1)}`, gas: CALL_GAS });
  }

  /**
   * A failed transaction which shows `to` and a value, as if it had paid. Towards a plain address none can fail: what
   * has too little gas or money for it is refused before. So the address has code that refuses while it is mined, as
   * an owner may delegate to by EIP-7702, and none afterwards.
   */
  async failTowards(to: string, wei: bigint): Promise<string> {
    await this.rpc('anvil_setCode', [to, REFUSING_CODE]);
    const hash = await this.send(to, wei, { gas: CALL_GAS });
    if (!(await this.receipt(hash))) {
      await this.mine();
    }
    await this.rpc('anvil_setCode', [to, NO_CODE]);
    return hash;
  }

  private request({ from, to, wei, data, gas, gasPrice, nonce }: EthereumTransfer): object {
    return {
      from: from ?? this.accounts[0],
      to,
      value: hex(wei),
      data,
      gas: gas === undefined ? undefined : hex(gas),
      gasPrice: gasPrice === undefined ? undefined : hex(gasPrice),
      nonce: nonce === undefined ? undefined : hex(nonce),
    };
  }
}

function isListening(said: string): boolean {
  return said.includes('Listening on');
}

function hex(quantity: bigint | number): string {
  return `0x${quantity.toString(16)}`;
}
