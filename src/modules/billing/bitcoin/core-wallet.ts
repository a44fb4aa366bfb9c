import { RpcError } from '../../../http/operator-http';
import { type ChainTip, ChainUnavailable } from '../payment-chain';
import { AnswerFields, answerObjects } from './bitcoin-answer';
import { blockBefore, CORE_ERRORS, type CoreRpc, inBatches, isCoreError, medianTimeAt } from './core-rpc';
import {
  type BitcoinNetwork,
  type BitcoinPlaces,
  BLOCK_TIME_ERROR_MS_MAX,
  type OwnPayment,
} from './bitcoin-places';

interface Part {
  count: number;
  sinceSeconds: number;
}

const PART = /to index (\d{1,10}) since (\d{1,10})/g;
const MARK = 'complete ';
const PARTS_MAX = 50;

class CoreCoverage {
  private constructor(private readonly parts: readonly Part[]) {}

  static ofLabels(labels: readonly string[]): CoreCoverage {
    const parts = labels
      .filter((label) => label.startsWith(MARK))
      .flatMap((label) => [...label.matchAll(PART)])
      .map(([, index, since]) => ({ count: Number(index) + 1, sinceSeconds: Number(since) }));
    return new CoreCoverage(parts.slice(-PARTS_MAX));
  }

  get label(): string {
    return (
      MARK +
      this.parts.map(({ count, sinceSeconds }) => `to index ${count - 1} since ${sinceSeconds}`).join(', ')
    );
  }

  get count(): number {
    return this.parts.reduce((max, { count }) => Math.max(max, count), 0);
  }

  has(payment: OwnPayment): boolean {
    return this.parts.some(
      ({ count, sinceSeconds }) =>
        payment.derivationIndex < count && sinceSeconds * 1_000 <= neededFrom(payment),
    );
  }

  within(imported: number): CoreCoverage {
    return new CoreCoverage(this.parts.map((part) => ({ ...part, count: Math.min(part.count, imported) })));
  }

  with(added: Part): CoreCoverage {
    const others = this.parts.filter(
      ({ count, sinceSeconds }) => count > added.count || sinceSeconds < added.sinceSeconds,
    );
    return new CoreCoverage([...others, added].slice(-PARTS_MAX));
  }
}

const INDEX_MAX = 2 ** 31 - 1;

interface CoreStatus {
  network: BitcoinNetwork;
  tip: ChainTip;
  firstHeight: number;
  imported: number;
  coverage: CoreCoverage;
  isScanning: boolean;
}

export async function coreStatus(
  rpc: CoreRpc,
  places: BitcoinPlaces,
  accept: (network: string) => BitcoinNetwork,
): Promise<CoreStatus> {
  const chain = new AnswerFields(await rpc.wallet.call('getblockchaininfo'), 'getblockchaininfo');
  const network = accept(chain.text('chain'));
  if (chain.flag('initialblockdownload')) {
    throw new ChainUnavailable('the Bitcoin node has not caught up with its network yet');
  }
  const [info, descriptors, address] = await walletAnswers(rpc, places.addressAt(network, 0));
  const wallet = new AnswerFields(info, 'getwalletinfo');
  if (wallet.flag('private_keys_enabled')) {
    throw new ChainUnavailable(
      `the Bitcoin node's wallet ${rpc.walletName} is not one that this service made`,
    );
  }
  const imported = importedOf(descriptors, places);
  return {
    network,
    tip: { height: chain.height('blocks'), time: chain.time('time') },
    firstHeight: chain.optional('pruneheight', (fields) => fields.height('pruneheight')) ?? 0,
    imported,
    coverage: CoreCoverage.ofLabels(new AnswerFields(address, 'getaddressinfo').texts('labels')).within(
      imported,
    ),
    isScanning: wallet.raw('scanning') !== false && wallet.raw('scanning') !== undefined,
  };
}

function descriptorOf(places: BitcoinPlaces): string {
  return `wpkh(${places.key.standardText}/0/*)`;
}

async function walletAnswers(rpc: CoreRpc, firstAddress: string): Promise<unknown[]> {
  const calls = [
    { method: 'getwalletinfo', params: [] },
    { method: 'listdescriptors', params: [] },
    { method: 'getaddressinfo', params: [firstAddress] },
  ];
  const answers = await inBatches(rpc.wallet, calls, calls.length, CORE_ERRORS.unknownWallet);
  if (answers.every((answer) => answer !== null)) {
    return answers;
  }
  await openWallet(rpc);
  return inBatches(rpc.wallet, calls, calls.length);
}

/** Another process may create or load the wallet first. */
async function openWallet(rpc: CoreRpc): Promise<void> {
  if (await loaded(rpc)) {
    return;
  }
  try {
    // Without private keys, blank, no passphrase, coins may be reused, descriptors, loaded whenever the node starts.
    await rpc.nodeForSlowCalls.call('createwallet', rpc.walletName, true, true, null, false, true, true);
  } catch (error) {
    if (!isCoreError(error, CORE_ERRORS.walletFault) || !(await loaded(rpc))) {
      throw error;
    }
  }
}

async function loaded(rpc: CoreRpc): Promise<boolean> {
  try {
    await rpc.nodeForSlowCalls.call('loadwallet', rpc.walletName, true);
    return true;
  } catch (error) {
    if (isCoreError(error, CORE_ERRORS.unknownWallet)) {
      return false;
    }
    if (isCoreError(error, CORE_ERRORS.alreadyLoaded)) {
      return true;
    }
    throw error;
  }
}

function importedOf(answer: unknown, places: BitcoinPlaces): number {
  const prefix = `${descriptorOf(places)}#`;
  const descriptors = new AnswerFields(answer, 'listdescriptors').objects('descriptors');
  const own = descriptors.find((fields) => fields.text('desc').startsWith(prefix));
  const range = own?.raw('range');
  if (own === undefined || range === undefined) {
    return 0;
  }
  const [first, last] = Array.isArray(range) ? (range as unknown[]) : [];
  if (first !== 0 || typeof last !== 'number' || !Number.isInteger(last) || last < 0 || last > INDEX_MAX) {
    return own.refuse('range');
  }
  return last + 1;
}

const AHEAD_MIN = 1_000;
const STEP = 1_000;
const WATCHED_MS_MAX = 31 * 24 * 3_600_000;
const SCANNED_BLOCKS_MAX = 50;
const SCANNING_MS_MAX = 4_000;

const PRUNED =
  'The Bitcoin node was asked about this address for the first time when it had pruned blocks that may pay to it.';

interface Scan extends Part {
  nextHeight: number;
  blocksMax: number;
}

/** Scanning all old blocks takes minutes, and a time-out hides its result: so each look scans and marks a part. */
export class CoreImport {
  private scan: Scan | null = null;

  constructor(private readonly places: BitcoinPlaces) {}

  async complete(
    rpc: CoreRpc,
    status: CoreStatus,
    payments: readonly OwnPayment[],
    reviews: Map<string, string>,
  ): Promise<CoreCoverage> {
    const { coverage, imported } = status;
    const uncovered = payments.filter((payment) => !coverage.has(payment));
    const highest = payments.reduce((max, { derivationIndex }) => Math.max(max, derivationIndex), -1);
    const isAhead = highest + AHEAD_MIN <= coverage.count;
    if (isAhead && uncovered.length === 0) {
      return coverage;
    }
    const prunedMs = await prunedUntil(rpc, status);
    const pruned = uncovered.filter((payment) => neededFrom(payment) < prunedMs);
    const unknown = uncovered.filter((payment) => neededFrom(payment) >= prunedMs);
    pruned.forEach(({ id }) => reviews.set(id, PRUNED));
    if ((isAhead && unknown.length === 0) || status.isScanning) {
      return coverage;
    }
    const wanted = isAhead ? imported : Math.ceil((highest + 1 + AHEAD_MIN) / STEP) * STEP + STEP;
    if (imported < wanted) {
      await this.import(rpc, wanted);
    }
    const scan = await this.scanOf(
      rpc,
      status,
      Math.max(wanted, imported),
      Math.max(prunedMs, neededSince(status, unknown)),
    );
    return (await this.scanned(rpc, status.tip.height, scan)) ? this.finish(rpc, status, scan) : coverage;
  }

  private async scanOf(rpc: CoreRpc, status: CoreStatus, count: number, neededMs: number): Promise<Scan> {
    const { scan } = this;
    // A node may prune blocks that are still to be scanned.
    const isEnough = scan?.count === count && scan.sinceSeconds * 1_000 <= neededMs;
    if (isEnough && scan.nextHeight >= status.firstHeight) {
      return scan;
    }
    const sinceSeconds = Math.max(0, Math.floor(neededMs / 1_000));
    const { height } = await blockBefore(rpc, status.tip.height, new Date(sinceSeconds * 1_000));
    const nextHeight = Math.max(height, status.firstHeight);
    this.scan = { count, sinceSeconds, nextHeight, blocksMax: SCANNED_BLOCKS_MAX };
    return this.scan;
  }

  private async finish(rpc: CoreRpc, { network, coverage }: CoreStatus, scan: Scan): Promise<CoreCoverage> {
    const extended = coverage.with(scan);
    // Stored in the wallet, as the label of its first address, so that it outlasts any restart.
    await rpc.wallet.call('setlabel', this.places.addressAt(network, 0), extended.label);
    this.scan = null;
    return extended;
  }

  private async import(rpc: CoreRpc, count: number): Promise<void> {
    const descriptor = descriptorOf(this.places);
    const info = new AnswerFields(
      await rpc.wallet.call('getdescriptorinfo', descriptor),
      'getdescriptorinfo',
    );
    const desc = info.text('descriptor');
    if (!desc.startsWith(`${descriptor}#`)) {
      return info.refuse('descriptor');
    }
    const request = { desc, active: false, range: [0, count - 1], timestamp: 'now' };
    const [outcome] = answerObjects(
      await rpc.walletForSlowCalls.call('importdescriptors', [request]),
      'importdescriptors',
    );
    if (outcome === undefined || !outcome.flag('success')) {
      // The node's text may contain the descriptor, which reveals all addresses.
      const code = outcome?.optional('error', (fields) => fields.object('error').integer('code', -1e6, 1e6));
      throw new ChainUnavailable(`the Bitcoin node refused to import the addresses (${code ?? 'no reason'})`);
    }
  }

  private async scanned(rpc: CoreRpc, tipHeight: number, scan: Scan): Promise<boolean> {
    const endMs = performance.now() + SCANNING_MS_MAX;
    while (performance.now() < endMs) {
      const lastHeight = scan.nextHeight + scan.blocksMax - 1;
      const isLast = lastHeight >= tipHeight;
      try {
        // Without an end the scan includes the mempool.
        const range = isLast ? [Math.min(scan.nextHeight, tipHeight)] : [scan.nextHeight, lastHeight];
        await rpc.walletForSlowCalls.call('rescanblockchain', ...range);
      } catch (error) {
        if (!(error instanceof RpcError)) {
          scan.blocksMax = Math.max(1, Math.floor(scan.blocksMax / 2));
        }
        // Another process is scanning, or the node still runs an earlier scan.
        if (isCoreError(error, CORE_ERRORS.walletFault)) {
          return false;
        }
        throw error;
      }
      if (isLast) {
        return true;
      }
      scan.nextHeight = lastHeight + 1;
    }
    return false;
  }
}

function neededFrom({ createdAt }: OwnPayment): number {
  return createdAt.getTime() - BLOCK_TIME_ERROR_MS_MAX;
}

/** What older payments received is unknown, which is not the same as nothing: a person has to know. */
async function prunedUntil(rpc: CoreRpc, { firstHeight }: CoreStatus): Promise<number> {
  return firstHeight === 0 ? -Infinity : (await medianTimeAt(rpc, firstHeight)).getTime() + 1_000;
}

/** Leaves room for payments made meanwhile, and for others of this age that are looked at less often. */
function neededSince({ tip, coverage }: CoreStatus, unknown: readonly OwnPayment[]): number {
  const tipMs = tip.time.getTime() - BLOCK_TIME_ERROR_MS_MAX;
  const oldestMs = unknown.reduce((min, payment) => Math.min(min, neededFrom(payment)), tipMs);
  const isOlder = unknown.some(({ derivationIndex }) => derivationIndex < coverage.count);
  return isOlder ? Math.min(oldestMs, tipMs - WATCHED_MS_MAX) : oldestMs;
}
