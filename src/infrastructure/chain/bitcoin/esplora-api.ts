import { OperatorCallFailed, type OperatorHttp } from '../../operator-http/operator-http';
import { ChainUnavailable } from '../chain-errors';
import type { ChainTip } from '../payment-chain';
import { AnswerFields, answerObjects } from './bitcoin-answer';
import type { BitcoinNetwork } from './bitcoin-addresses';
import { esploraTransaction, type EsploraTransaction } from './esplora-transaction';

const GENESIS_HASHES: Record<string, BitcoinNetwork> = {
  '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f': 'main',
  '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943': 'test',
  '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043': 'testnet4',
  '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6': 'signet',
  '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206': 'regtest',
};
/** A page has 25 transactions that are in blocks, or 10 with mempool's fork: with fewer there is no next page. */
const PAGE_MIN = 10;
const PAGES_MAX = 20;

/** An address has received more transactions than are read. */
export class TooLongHistory extends Error {}

/** More of what was paid to an address has vanished than is asked about. */
export class TooMuchVanished extends Error {}

/**
 * The routes of Esplora's REST API that payments need (github.com/Blockstream/esplora, API.md), for one look at the chain.
 * Hashes of blocks are taken from lists of blocks, because the routes that give them alone don't answer JSON.
 */
export class EsploraApi {
  requests = 0;
  /** One transaction may be many transfers, and is asked about once in a look. */
  private readonly known = new Map<string, Promise<unknown>>();

  constructor(
    private readonly http: OperatorHttp,
    private readonly signal: AbortSignal,
  ) {}

  /** @returns an unknown network by its first block's hash */
  async network(): Promise<string> {
    const [genesis] = answerObjects(await this.get('/blocks/0'), 'blocks');
    if (genesis === undefined) {
      throw new ChainUnavailable('blocks: the Esplora server answered no block');
    }
    const hash = genesis.height('height') === 0 ? genesis.hash('id') : genesis.refuse('height');
    return GENESIS_HASHES[hash] ?? hash;
  }

  async tip(): Promise<ChainTip> {
    const blocks = answerObjects(await this.get('/blocks'), 'blocks');
    const tips = blocks.map((block) => ({ height: block.height('height'), time: block.time('timestamp') }));
    const [tip, ...older] = tips;
    if (tip === undefined || older.some(({ height }) => height >= tip.height)) {
      throw new ChainUnavailable('blocks: the Esplora server answered no list of blocks');
    }
    return tip;
  }

  /**
   * The transactions of an address: those in blocks down to the first that is older than `since`, and those in no block. Of
   * the latter a server gives 10 to 50; more of them are seen when they are in a block.
   * @throws TooLongHistory
   */
  async history(address: string, since: Date): Promise<EsploraTransaction[]> {
    const history = (await this.list(`/address/${address}/txs`)) ?? [];
    let included = history.filter(({ block }) => block !== null);
    for (let page = 1; included.length >= PAGE_MIN; page += 1) {
      const last = included.at(-1);
      if (last === undefined || (last.block !== null && last.block.time < since)) {
        break;
      }
      if (page === PAGES_MAX) {
        throw new TooLongHistory();
      }
      included = (await this.list(`/address/${address}/txs/chain/${last.txid}`)) ?? [];
      history.push(...included);
    }
    return history;
  }

  /** @returns null when the server does not know it */
  async transaction(txid: string): Promise<EsploraTransaction | null> {
    const answer = await this.getKnown(`/tx/${txid}`);
    const transaction = answer === null ? null : esploraTransaction(new AnswerFields(answer, 'tx'));
    if (transaction !== null && transaction.txid !== txid) {
      throw new ChainUnavailable('tx: the Esplora server answered another transaction');
    }
    return transaction;
  }

  /** @returns the transaction that spends an output, in a block or not; null for none */
  async spender(txid: string, vout: number): Promise<string | null> {
    const answer = await this.getKnown(`/tx/${txid}/outspend/${vout}`);
    const spend = answer === null ? null : new AnswerFields(answer, 'outspend');
    return spend?.flag('spent') ? spend.hash('txid') : null;
  }

  private async list(path: string): Promise<EsploraTransaction[]> {
    return answerObjects(await this.get(path), 'txs').map(esploraTransaction);
  }

  private async get(path: string): Promise<unknown> {
    this.requests += 1;
    const { status, json } = await this.http.json({ path, signal: this.signal });
    if (status !== 200) {
      throw new OperatorCallFailed(`the answer is an error (${status})`, status);
    }
    return json;
  }

  private getKnown(path: string): Promise<unknown> {
    const answer = this.known.get(path) ?? this.getOrNull(path);
    this.known.set(path, answer);
    return answer;
  }

  /** Errors are told in plain words, not in JSON. */
  private async getOrNull(path: string): Promise<unknown> {
    try {
      return await this.get(path);
    } catch (error) {
      if (error instanceof OperatorCallFailed && error.status === 404) {
        return null;
      }
      throw error;
    }
  }
}
