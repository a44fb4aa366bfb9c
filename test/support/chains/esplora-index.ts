import { JsonRpc, OperatorHttp } from '../../../src/http/operator-http';

/** What Esplora tells in plain words with the status 404. */
export class NotFound extends Error {}

interface CoreOutput {
  n: number;
  value: number;
  scriptPubKey: { asm: string; hex: string; type: string; address?: string };
}
interface CoreTransaction {
  txid: string;
  version: number;
  locktime: number;
  size: number;
  weight: number;
  fee?: number;
  vin: { txid?: string; vout?: number; sequence: number; txinwitness?: string[]; prevout?: CoreOutput }[];
  vout: CoreOutput[];
}
interface CoreBlock {
  hash: string;
  height: number;
  version: number;
  time: number;
  mediantime: number;
  nonce: number;
  bits: string;
  difficulty: number;
  merkleroot: string;
  nTx: number;
  size: number;
  weight: number;
  previousblockhash?: string;
  tx: CoreTransaction[];
}
interface Status {
  confirmed: boolean;
  block_height?: number;
  block_hash?: string;
  block_time?: number;
}
type EsploraOutput = ReturnType<typeof outputOf>;
type Transaction = ReturnType<typeof transactionOf>;

/** All blocks and waiting transactions of a small chain, read again from the node whenever something has changed there. */
export class EsploraIndex {
  private readonly http: OperatorHttp;
  private readonly rpc: JsonRpc;
  private readonly read = new Map<string, CoreBlock>();
  private readonly waiting = new Map<string, CoreTransaction>();
  private chain: CoreBlock[] = [];
  private transactions = new Map<string, Transaction>();
  private spends = new Map<string, { txid: string; vin: number }>();
  private byAddress = new Map<string, Set<Transaction>>();
  private state = '';

  constructor(rpcUrl: string) {
    this.http = new OperatorHttp(rpcUrl, { timeoutMs: 5_000, answerBytesMax: 64 * 1024 * 1024 });
    this.rpc = new JsonRpc(this.http);
  }

  close(): Promise<void> {
    return this.http.close();
  }

  async refresh(): Promise<void> {
    const [tip, waiting] = await this.ask<[string, string[]]>([
      { method: 'getbestblockhash', params: [] },
      { method: 'getrawmempool', params: [] },
    ]);
    const state = [tip, ...waiting].join();
    if (state === this.state) {
      return;
    }
    const chain = await this.chainTo(tip);
    const missing = waiting.filter((txid) => !this.waiting.has(txid));
    const found = await this.ask<CoreTransaction[]>(
      missing.map((txid) => ({ method: 'getrawtransaction', params: [txid, 2] })),
    );
    found.forEach((transaction) => this.waiting.set(transaction.txid, transaction));
    this.chain = chain;
    this.index(waiting.flatMap((txid) => this.waiting.get(txid) ?? []));
    this.state = state;
  }

  get tipHeight(): number {
    return this.chain.length - 1;
  }

  blockAt(height: number): ReturnType<typeof blockOf> {
    const block = this.chain[height];
    if (block === undefined) {
      throw new NotFound('Block not found');
    }
    return blockOf(block);
  }

  block(hash: string): ReturnType<typeof blockOf> {
    const block = this.read.get(hash);
    if (block === undefined) {
      throw new NotFound('Block not found');
    }
    return blockOf(block);
  }

  transaction(txid: string): Transaction {
    const found = this.transactions.get(txid);
    if (found === undefined) {
      throw new NotFound('Transaction not found');
    }
    return found;
  }

  /** Also of an output that there never was: that is not spent. */
  spending(outpoint: string): { spent: boolean; txid?: string; vin?: number; status?: Status } {
    const spend = this.spends.get(outpoint);
    return spend ? { spent: true, ...spend, status: this.transaction(spend.txid).status } : { spent: false };
  }

  /** Newest first. */
  transactionsOf(address: string): Transaction[] {
    return [...(this.byAddress.get(address) ?? [])].reverse();
  }

  private async chainTo(tip: string): Promise<CoreBlock[]> {
    const chain: CoreBlock[] = [];
    for (let hash: string | undefined = tip; hash !== undefined; hash = chain[0]?.previousblockhash) {
      let block = this.read.get(hash);
      if (block === undefined) {
        block = (await this.rpc.call('getblock', hash, 3)) as CoreBlock;
        this.read.set(hash, block);
      }
      chain.unshift(block);
    }
    return chain;
  }

  private index(waiting: CoreTransaction[]): void {
    this.transactions = new Map();
    this.spends = new Map();
    this.byAddress = new Map();
    for (const block of this.chain) {
      const status = {
        confirmed: true,
        block_height: block.height,
        block_hash: block.hash,
        block_time: block.time,
      };
      block.tx.forEach((transaction) => this.add(transactionOf(transaction, status)));
    }
    waiting.forEach((transaction) => this.add(transactionOf(transaction, { confirmed: false })));
  }

  private add(transaction: Transaction): void {
    this.transactions.set(transaction.txid, transaction);
    const touched: (EsploraOutput | null)[] = [...transaction.vout];
    transaction.vin.forEach((input, vin) => {
      this.spends.set(`${input.txid}:${input.vout}`, { txid: transaction.txid, vin });
      touched.push(input.prevout);
    });
    for (const output of touched) {
      const address = output?.scriptpubkey_address;
      if (address !== undefined) {
        this.byAddress.set(address, (this.byAddress.get(address) ?? new Set()).add(transaction));
      }
    }
  }

  private async ask<Results extends unknown[]>(
    calls: { method: string; params: unknown[] }[],
  ): Promise<Results> {
    const outcomes = await this.rpc.batch(calls);
    return outcomes.flatMap((outcome) => ('result' in outcome ? [outcome.result] : [])) as Results;
  }
}

function blockOf(block: CoreBlock) {
  return {
    id: block.hash,
    height: block.height,
    version: block.version,
    timestamp: block.time,
    tx_count: block.nTx,
    size: block.size,
    weight: block.weight,
    merkle_root: block.merkleroot,
    previousblockhash: block.previousblockhash ?? null,
    mediantime: block.mediantime,
    nonce: block.nonce,
    bits: parseInt(block.bits, 16),
    difficulty: block.difficulty,
  };
}

function transactionOf(transaction: CoreTransaction, status: Status) {
  const { txid, version, locktime, size, weight } = transaction;
  return {
    txid,
    version,
    locktime,
    vin: transaction.vin.map((input) => ({
      txid: input.txid ?? '0'.repeat(64),
      vout: input.vout ?? 2 ** 32 - 1,
      prevout: input.prevout ? outputOf(input.prevout) : null,
      scriptsig: '',
      scriptsig_asm: '',
      witness: input.txinwitness ?? [],
      is_coinbase: input.txid === undefined,
      sequence: input.sequence,
    })),
    vout: transaction.vout.map(outputOf),
    size,
    weight,
    fee: satoshis(transaction.fee ?? 0),
    status,
  };
}

function outputOf({ value, scriptPubKey }: CoreOutput) {
  return {
    scriptpubkey: scriptPubKey.hex,
    scriptpubkey_asm: scriptPubKey.asm,
    scriptpubkey_type: scriptPubKey.type,
    scriptpubkey_address: scriptPubKey.address,
    value: satoshis(value),
  };
}

function satoshis(bitcoins: number): number {
  return Math.round(bitcoins * 1e8);
}
