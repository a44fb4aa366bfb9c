import { join } from 'node:path';
import { until } from '../until';
import { foundNode } from './found-nodes';
import { askNode } from './json-rpc';
import { NodeProcess } from './node-process';
import { freshSolanaKey, signTransfers, type SolanaKey, type SolanaTransfer } from './solana-transaction';

const SCRIPT = join(__dirname, 'surfnet-process.cjs');
const LISTENING = /listening (\S+)/;
const SLOTS_TO_FINALITY = 31;
/** The node counts time in slots, and the time of its blocks may be some seconds before what it was asked for. */
const TIME_MARGIN_SECONDS = 60;
const LAMPORTS_PER_SOL = 1_000_000_000n;

export type Commitment = 'processed' | 'confirmed' | 'finalized';

export interface SolanaNodeOptions {
  /** How long a slot takes; 100 ms by default, a quarter of the main chain's. */
  slotTimeMs?: number;
}

export interface SolanaSending {
  /** Who pays; by default somebody new with enough for it, so that no two transactions are the same. */
  from?: SolanaKey;
}

/**
 * A Solana chain of a test's own: surfpool, connected to no network. Where it is not as the main chain's nodes are:
 *
 * - It answers no batches: an array is refused with the error -32600.
 * - Each start has a genesis hash and a port of its own, so it is not started again; a TcpProxy in front cuts it off.
 * - A transaction is `confirmed` at once, and never only `processed`; it is `finalized` when 31 slots have followed.
 * - getTransaction and getSignaturesForAddress tell of what is confirmed even to who asks for `finalized`: only a
 *   `confirmationStatus` tells. Without a commitment getSlot tells the finalized slot.
 * - The `blockTime` of getTransaction is a thousandth of what it should be; getSignaturesForAddress has the right one.
 *   getBlockTime is null for a slot before the first one, 31, which is the finalized one in the first seconds.
 *
 * As it should be are getSignaturesForAddress for a reference key, newest first, with `limit`, `before`, `until`, and
 * failed transactions with their `err`; the encodings json, jsonParsed and base64; getSignatureStatuses, null for what
 * is unknown; getLatestBlockhash, another one in each slot; the refusal of a transfer that leaves too little for the rent.
 */
export class SolanaNode {
  private constructor(
    readonly rpcUrl: string,
    private readonly process: NodeProcess,
  ) {}

  static async start({ slotTimeMs = 100 }: SolanaNodeOptions = {}): Promise<SolanaNode> {
    let rpcUrl = '';
    const command = [process.execPath, SCRIPT, foundNode('surfpool'), String(slotTimeMs)];
    const started = await NodeProcess.start(command, (said) => {
      rpcUrl = LISTENING.exec(said)?.[1] ?? '';
      return rpcUrl !== '';
    });
    return new SolanaNode(rpcUrl, started);
  }

  async stop(): Promise<void> {
    await this.process.kill();
  }

  /** Connections are taken, and nothing is answered. */
  async pause(): Promise<void> {
    await this.process.pause();
  }

  resume(): void {
    this.process.resume();
  }

  async rpc<Result>(method: string, params: unknown[] = []): Promise<Result> {
    return (await askNode(this.rpcUrl, method, params)) as Result;
  }

  /** In lamports. */
  async balance(address: string, commitment: Commitment = 'confirmed'): Promise<bigint> {
    const { value } = await this.rpc<{ value: number }>('getBalance', [address, { commitment }]);
    return BigInt(value);
  }

  /** Gives lamports to somebody, and waits for them. */
  async airdrop(address: string, lamports = LAMPORTS_PER_SOL): Promise<void> {
    const before = await this.balance(address);
    await this.rpc('requestAirdrop', [address, Number(lamports)]);
    await until('the airdrop has arrived', async () => (await this.balance(address)) > before);
  }

  /** @returns the signature of the transaction, which is confirmed then */
  async transfer(transfer: SolanaTransfer & SolanaSending): Promise<string> {
    return this.transferMany([transfer], transfer);
  }

  /** Several transfers in one transaction. */
  async transferMany(transfers: SolanaTransfer[], { from }: SolanaSending = {}): Promise<string> {
    const sum = transfers.reduce((total, { lamports }) => total + lamports, 0n);
    const payer = from ?? (await this.richKey(sum + LAMPORTS_PER_SOL));
    return this.send(payer, transfers);
  }

  /** A transaction that is on the chain and has failed, because its last transfer is of more than the payer has. */
  async failedTransfer(transfer: SolanaTransfer): Promise<string> {
    const payer = await this.richKey(LAMPORTS_PER_SOL);
    const tooMuch = { to: freshSolanaKey().address, lamports: 1_000_000n * LAMPORTS_PER_SOL };
    return this.send(payer, [transfer, tooMuch]);
  }

  async status(signature: string): Promise<{ confirmationStatus: Commitment; err: unknown } | null> {
    const { value } = await this.rpc<{ value: ({ confirmationStatus: Commitment; err: unknown } | null)[] }>(
      'getSignatureStatuses',
      [[signature], { searchTransactionHistory: true }],
    );
    return value[0] ?? null;
  }

  /** Moves on by as many slots as it takes for all that is confirmed to be final. */
  async finalize(): Promise<void> {
    const slot = await this.rpc<number>('getSlot', [{ commitment: 'confirmed' }]);
    await this.rpc('surfnet_timeTravel', [{ absoluteSlot: slot + SLOTS_TO_FINALITY + 1 }]);
  }

  /** Moves on to a time in the future, or up to two minutes beyond it; what is confirmed is final then. */
  async setTime(unixSeconds: number): Promise<void> {
    const seconds = unixSeconds + TIME_MARGIN_SECONDS;
    await this.rpc('surfnet_timeTravel', [{ absoluteTimestamp: seconds * 1_000 }]);
  }

  /** As long as it takes without {@link finalize}: some 3 s. */
  async untilFinalized(signature: string): Promise<void> {
    await until(
      'the transaction is final',
      async () => (await this.status(signature))?.confirmationStatus === 'finalized',
    );
  }

  /** Everything that has happened on the chain has never been: transactions, balances and airdrops. */
  async forgetEverything(): Promise<void> {
    await this.rpc('surfnet_resetNetwork');
  }

  /** Sends without the node's trial run, which would refuse what fails. */
  private async send(from: SolanaKey, transfers: SolanaTransfer[]): Promise<string> {
    const { value } = await this.rpc<{ value: { blockhash: string } }>('getLatestBlockhash');
    const transaction = signTransfers(from, transfers, value.blockhash);
    const signature = await this.rpc<string>('sendTransaction', [
      transaction,
      { encoding: 'base64', skipPreflight: true },
    ]);
    await until('the transaction is on the chain', async () => (await this.status(signature)) !== null);
    return signature;
  }

  private async richKey(lamports: bigint): Promise<SolanaKey> {
    const key = freshSolanaKey();
    await this.airdrop(key.address, lamports);
    return key;
  }
}
