import { RpcError } from '../../operator-http/json-rpc';
import { ChainUnavailable } from '../chain-errors';
import { AnswerFields, answerObjects } from './bitcoin-answer';
import type { BitcoinPlaces, OwnPayment } from './bitcoin-places';
import { blockBefore, medianTimeAt } from './core-blocks';
import type { CoreCoverage } from './core-coverage';
import { CORE_ERRORS, isCoreError, type CoreRpc } from './core-rpc';
import { descriptorOf, markComplete, type CoreStatus } from './core-wallet';
import { EARLIER_MS } from './payment-age';

/** The wallet knows at least this many addresses beyond the highest that is watched. */
const AHEAD_MIN = 1_000;
const STEP = 1_000;
/** No payment is watched for longer. */
const WATCHED_MS_MAX = 31 * 24 * 3_600_000;
/** So many blocks of the main network are looked through well within the time-out, also from a slow disk. */
const SCANNED_BLOCKS_MAX = 50;
/** After this, what is left is looked through at the next look. */
const SCANNING_MS_MAX = 4_000;

const PRUNED =
  'The Bitcoin node was asked about this address for the first time when it had pruned blocks that may pay to it.';

interface Scan {
  count: number;
  sinceSeconds: number;
  nextHeight: number;
  blocksMax: number;
}

/**
 * Lets the wallet know enough addresses. Old blocks are looked through for what was paid to new ones, a part at each look: a
 * node that is asked for all at once answers after minutes, and whoever stops waiting can't tell whether it was done. That
 * is why importing is asked to look through the last hours only, which it does at least, and why only the mark in the wallet
 * says what is complete.
 */
export class CoreImport {
  private scan: Scan | null = null;

  constructor(private readonly places: BitcoinPlaces) {}

  /**
   * @param reviews takes the payments that are older than the blocks of a pruned node
   * @returns for what the wallet knows all that was paid
   * @throws ChainUnavailable, RpcError, OperatorCallFailed
   */
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
    pruned.forEach(({ paymentId }) => reviews.set(paymentId, PRUNED));
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
    return (await this.scanned(rpc, status.tip.height, scan)) ? this.finish(rpc, coverage, scan) : coverage;
  }

  /** The looking through blocks that is under way, or a new one where that says too little. */
  private async scanOf(rpc: CoreRpc, status: CoreStatus, count: number, neededMs: number): Promise<Scan> {
    const { scan } = this;
    // A node may prune blocks that are still to be looked through.
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

  private async finish(rpc: CoreRpc, coverage: CoreCoverage, scan: Scan): Promise<CoreCoverage> {
    const extended = coverage.with(scan);
    await markComplete(rpc, this.places, extended);
    this.scan = null;
    return extended;
  }

  private async import(rpc: CoreRpc, count: number): Promise<void> {
    const descriptor = descriptorOf(this.places);
    const info = new AnswerFields(await rpc.call('getdescriptorinfo', descriptor), 'getdescriptorinfo');
    const desc = info.text('descriptor');
    if (!desc.startsWith(`${descriptor}#`)) {
      return info.refuse('descriptor');
    }
    const request = { desc, active: false, range: [0, count - 1], timestamp: 'now' };
    const [outcome] = answerObjects(
      await rpc.callPatiently('importdescriptors', [request]),
      'importdescriptors',
    );
    if (outcome === undefined || !outcome.flag('success')) {
      // The node's text may contain the descriptor, by which all addresses could be known.
      const code = outcome?.optional('error', (fields) => fields.object('error').integer('code', -1e6, 1e6));
      throw new ChainUnavailable(`the Bitcoin node refused to import the addresses (${code ?? 'no reason'})`);
    }
  }

  /** @returns whether all was looked through, the transactions in the node's memory included */
  private async scanned(rpc: CoreRpc, tipHeight: number, scan: Scan): Promise<boolean> {
    const endMs = performance.now() + SCANNING_MS_MAX;
    while (performance.now() < endMs) {
      const lastHeight = scan.nextHeight + scan.blocksMax - 1;
      const isLast = lastHeight >= tipHeight;
      try {
        // Without an end it goes on to what is in no block yet.
        const range = isLast ? [Math.min(scan.nextHeight, tipHeight)] : [scan.nextHeight, lastHeight];
        await rpc.callPatiently('rescanblockchain', ...range);
      } catch (error) {
        if (!(error instanceof RpcError)) {
          scan.blocksMax = Math.max(1, Math.floor(scan.blocksMax / 2));
        }
        // Another process looks through blocks, or the node still does what an earlier look asked for.
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

/** A payment may have been paid in blocks from this time on. */
function neededFrom({ createdAt }: OwnPayment): number {
  return createdAt.getTime() - EARLIER_MS;
}

/**
 * From when on a node has all blocks. Of payments that are older nothing can be said, which is another thing than that nothing
 * came: they are not looked at, and a person has to know.
 */
async function prunedUntil(rpc: CoreRpc, { firstHeight }: CoreStatus): Promise<number> {
  return firstHeight === 0 ? -Infinity : (await medianTimeAt(rpc, firstHeight)).getTime() + 1_000;
}

/**
 * Since when blocks have to be looked through. Even where no payment has a new address yet, some are: a payment may be made,
 * and paid, while this runs. Where a payment is older than what the wallet knows of its address, more of its age will come,
 * such as those that are looked at less often: all are provided for at once.
 */
function neededSince({ tip, coverage }: CoreStatus, unknown: readonly OwnPayment[]): number {
  const tipMs = tip.time.getTime() - EARLIER_MS;
  const oldestMs = unknown.reduce((min, payment) => Math.min(min, neededFrom(payment)), tipMs);
  const isOlder = unknown.some(({ derivationIndex }) => derivationIndex < coverage.count);
  return isOlder ? Math.min(oldestMs, tipMs - WATCHED_MS_MAX) : oldestMs;
}
