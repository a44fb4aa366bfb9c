import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { LRUCache } from 'lru-cache';
import { JsonRpc } from '../../../http/operator-http';
import { ExtendedKey } from '../extended-key';
import {
  ChainUnavailable,
  type Findings,
  InvalidKey,
  NodeChain,
  type NodeSettings,
  type Observation,
  type PaymentPlace,
  type TransferSighting,
  unchanged,
  type WatchedPayment,
  WrongNetwork,
} from '../payment-chain';
import {
  type AddressReading,
  type Block,
  EthereumReader,
  MAIN_CHAIN_ID,
  type SoughtTransfer,
  transactionHashes,
  type UnidentifiedTransfer,
} from './ethereum-reader';
import { type FirstBlock, type Increase, INCREASES_MAX, isSettled, PaymentLook } from './payment-look';

/** Two epochs: final where the node does not say what is. */
const FINAL_CONFIRMATIONS = 64;
const CLOCK_ERROR_MS_MAX = 5 * 60_000;

export interface LookOutcome {
  sightings: TransferSighting[];
  review: string | null;
  unidentified: UnidentifiedTransfer[];
  firstBlocks: Map<string, number>;
}

export function blocksToTime(look: PaymentLook): number[] {
  return look.increases().live.flatMap((increase) => {
    const first = look.received?.firstWith(increase.end);
    return first && !isSettled(increase.known) && !isTimeKnown(look, increase, first) ? [first.block] : [];
  });
}

export function outcomeOf(look: PaymentLook, timeOf: (block: number) => Date | undefined): LookOutcome {
  const { live, lost, isCutOff } = look.increases();
  const outcome: LookOutcome = { sightings: [], review: null, unidentified: [], firstBlocks: new Map() };
  const reasons: string[] = isCutOff ? [`More than ${INCREASES_MAX} transfers have arrived.`] : [];
  for (const increase of live) {
    const { known } = increase;
    const first = isSettled(increase.known) ? null : look.received?.firstWith(increase.end);
    if (first) {
      const sighting = included(look, increase, first, timeOf(first.block));
      outcome.sightings.push(sighting);
      reasons.push(...(sighting.state === 'failed' ? [BEFORE_PAYMENT] : []));
      noteBlock(outcome, increase, first, sighting);
    } else if (known) {
      outcome.sightings.push(unchanged(known));
      reasons.push(...(isSettled(increase.known) ? [] : [SPENT_UNCONFIRMED]));
    }
  }
  const finals = live.filter(({ id }) => outcome.sightings.some((found) => found.id === id && found.isFinal));
  for (const { known, start, end } of lost) {
    const isExcluded = finals.some((final) => final.start < end && final.end > start);
    outcome.sightings.push(...(known ? [vanished(known, isExcluded)] : []));
  }
  outcome.sightings.push(...foreign(look));
  outcome.review = [...reasons, ...reasonsOfSpent(look, live)][0] ?? null;
  return outcome;
}

const BEFORE_PAYMENT =
  'The address had a balance before the payment was made: its key is in use elsewhere, and that balance is not credited.';
const SPENT_UNCONFIRMED =
  'The address was spent from before the payment was confirmed, so that its balance proves nothing any more.';
const SPENT_UNSEEN = 'The address was spent from, and nothing was seen to arrive there before.';
const ARRIVED_AFTER_SPENT =
  'Something has arrived at the address after it was spent from, and is not credited.';

function reasonsOfSpent(look: PaymentLook, live: readonly Increase[]): string[] {
  if (!look.isSpentFrom) {
    return [];
  }
  return [
    ...(live.length === 0 ? [SPENT_UNSEEN] : []),
    ...(look.hasArrivedSinceSpent ? [ARRIVED_AFTER_SPENT] : []),
  ];
}

function included(
  look: PaymentLook,
  { id, start, end, known }: Increase,
  first: FirstBlock,
  time: Date | undefined,
): TransferSighting {
  const amountBase = end - start;
  const base = { id, txHash: known?.txHash ?? null, amountBase };
  if (known === null && time && time.getTime() < look.payment.createdAt.getTime() - CLOCK_ERROR_MS_MAX) {
    return { ...base, state: 'failed', confirmations: 0, isFinal: false, blockTime: null };
  }
  const { head, finalized } = look.chain;
  const confirmations = head - first.block + 1;
  return {
    ...base,
    state: 'included',
    confirmations,
    isFinal: finalized === null ? confirmations >= FINAL_CONFIRMATIONS : first.block <= finalized,
    blockTime: (first.isExact ? time : null) ?? (known?.state === 'included' ? known.blockTime : null),
  };
}

function noteBlock(
  { firstBlocks, unidentified: unidentified }: LookOutcome,
  { id, known }: Increase,
  first: FirstBlock,
  { amountBase, state }: TransferSighting,
): void {
  if (!first.isExact || state !== 'included') {
    return;
  }
  firstBlocks.set(id, first.block);
  if (known?.state !== 'included' || known.txHash === null) {
    unidentified.push({ id, block: first.block, amountBase });
  }
}

/** It may come back until something final has taken its place. */
function vanished(known: NonNullable<Increase['known']>, isExcluded: boolean): TransferSighting {
  if (known.state === 'failed' || known.state === 'replaced') {
    return unchanged(known);
  }
  const state = isExcluded ? 'replaced' : 'missing';
  return { ...unchanged(known), state, confirmations: 0, isFinal: false, blockTime: null };
}

function foreign(look: PaymentLook): TransferSighting[] {
  const { live, lost } = look.increases();
  const own = new Set([...live, ...lost].map(({ id }) => id));
  return look.payment.transfers.filter(({ id }) => !own.has(id)).map(unchanged);
}

function isTimeKnown(look: PaymentLook, { id, known }: Increase, { block }: FirstBlock): boolean {
  return known?.state === 'included' && known.blockTime !== null && look.expectedBlock(id) === block;
}

const ADDRESSES_MAX = 20_000;
/** Ten minutes: how late a spent address without a seen arrival may be noticed. */
const RESTING_BLOCKS = 50;
/** A contract's transfers have no hash to be found. */
const HASH_SEARCHES_MAX = 3;

/** Only spares requests: without it a look finds the same. */
class LookMemory {
  private readonly firstBlocks = new LRUCache<string, number>({ max: ADDRESSES_MAX });
  private readonly searches = new LRUCache<string, number>({ max: ADDRESSES_MAX });
  private readonly resting = new LRUCache<string, { balance: bigint; transfers: number; untilBlock: number }>(
    { max: ADDRESSES_MAX },
  );

  firstBlockOf(id: string): number | undefined {
    return this.firstBlocks.get(id);
  }

  isResting(payment: WatchedPayment, balance: bigint, block: number): boolean {
    const rest = this.resting.get(payment.address);
    return (
      rest !== undefined &&
      rest.balance === balance &&
      rest.transfers === payment.transfers.length &&
      block < rest.untilBlock &&
      payment.transfers.every(({ state, isFinal }) => state !== 'included' || isFinal)
    );
  }

  remember({ payment, chain, balance }: PaymentLook, outcome: LookOutcome): void {
    for (const [id, first] of outcome.firstBlocks) {
      this.firstBlocks.set(id, first);
    }
    const { sightings, review } = outcome;
    if (review === null && sightings.every(({ state, isFinal }) => state !== 'included' || isFinal)) {
      const transfers = sightings.length;
      this.resting.set(payment.address, { balance, transfers, untilBlock: chain.head + RESTING_BLOCKS });
    } else {
      this.resting.delete(payment.address);
    }
  }

  isWorthSearching(id: string, block: number): boolean {
    return (this.searches.get(`${id} ${block}`) ?? 0) < HASH_SEARCHES_MAX;
  }

  noteSearch(id: string, block: number): void {
    this.searches.set(`${id} ${block}`, (this.searches.get(`${id} ${block}`) ?? 0) + 1);
  }
}

/** Full nodes have the state of the newest 128 blocks; a few more may come during the look. */
const DEPTH_MAX = 120;
const ROUNDS_MAX = 12;
const READS_PER_ROUND = 500;
const READS_PER_GAP_MAX = 15;

class EthereumLook {
  private readonly found: Findings = { transfers: new Map(), reviews: new Map() };

  constructor(
    private readonly reader: EthereumReader,
    private readonly memory: LookMemory,
    private readonly head: Block,
    private readonly finalized: number | null,
  ) {}

  async at(payments: readonly WatchedPayment[]): Promise<Findings> {
    const looks = await this.openLooks(payments);
    await this.complete(looks);
    const complete = looks.filter((look) => look.isComplete);
    const times = complete.length > 0 ? await this.timesOf(complete) : new Map<number, Date>();
    const outcomes = complete.map((look) => ({
      look,
      outcome: outcomeOf(look, (block) => times.get(block)),
    }));
    for (const { look, outcome } of outcomes) {
      this.report(look, outcome);
    }
    await this.addHashes(outcomes);
    return this.found;
  }

  private async openLooks(payments: readonly WatchedPayment[]): Promise<PaymentLook[]> {
    const head = this.head.number;
    const chain = { head, floor: Math.max(0, head - DEPTH_MAX + 1), finalized: this.finalized };
    const balances = await this.reader.read(
      payments.map(({ address }) => ({ kind: 'balance', address, block: head })),
    );
    if (payments.length > 0 && balances.every((balance) => balance === null)) {
      throw new ChainUnavailable('the Ethereum node tells no balance at its newest block');
    }
    return payments.flatMap((payment, index) => {
      const balance = balances[index] ?? null;
      if (balance === null) {
        return [];
      }
      if (this.memory.isResting(payment, balance, head)) {
        this.found.transfers.set(payment.id, payment.transfers.map(unchanged));
        return [];
      }
      return [new PaymentLook(payment, chain, balance, (id) => this.memory.firstBlockOf(id))];
    });
  }

  private async complete(looks: readonly PaymentLook[]): Promise<void> {
    let open = looks;
    for (let round = 0; round < ROUNDS_MAX && open.length > 0; round += 1) {
      const perGap = Math.floor(READS_PER_ROUND / open.length);
      const wanted = open.map((look) => ({
        look,
        readings: look.wanted(Math.min(READS_PER_GAP_MAX, Math.max(1, perGap))),
      }));
      open = wanted.filter(({ readings }) => readings.length > 0).map(({ look }) => look);
      const asked = wanted.flatMap(({ look, readings }) => readings.map((reading) => ({ look, reading })));
      const values = await this.reader.read(
        asked.map(({ look, reading }): AddressReading => ({ ...reading, address: look.payment.address })),
      );
      asked.forEach(({ look, reading }, index) => look.take(reading, values[index] ?? null));
    }
  }

  /** If the newest block was replaced meanwhile, the readings do not fit together. */
  private async timesOf(looks: readonly PaymentLook[]): Promise<Map<number, Date>> {
    const numbers = new Set([this.head.number, ...looks.flatMap(blocksToTime)]);
    const blocks = await this.reader.blocks([...numbers]);
    if (blocks[0]?.hash !== this.head.hash) {
      throw new ChainUnavailable('the Ethereum chain was reorganised during the look');
    }
    return new Map(blocks.map(({ number, time }) => [number, time]));
  }

  private report(look: PaymentLook, outcome: LookOutcome): void {
    const { payment } = look;
    this.found.transfers.set(payment.id, outcome.sightings);
    if (outcome.review !== null) {
      this.found.reviews.set(payment.id, outcome.review);
    }
    this.memory.remember(look, outcome);
  }

  private async addHashes(outcomes: readonly { look: PaymentLook; outcome: LookOutcome }[]): Promise<void> {
    const sought = outcomes.flatMap(({ look, outcome }) =>
      outcome.unidentified
        .filter(({ id, block }) => this.memory.isWorthSearching(id, block))
        .map((transfer): SoughtTransfer => ({ ...transfer, address: look.payment.address })),
    );
    const { hashes, lookedFor } = await transactionHashes(sought, this.reader);
    for (const { id, block } of sought.filter((transfer) => lookedFor.includes(transfer.id))) {
      this.memory.noteSearch(id, block);
    }
    for (const sighting of outcomes.flatMap(({ outcome }) => outcome.sightings)) {
      sighting.txHash = hashes.get(sighting.id) ?? sighting.txHash;
    }
  }
}

const ADDRESS_BYTES = 20;

/** Source of the checksum: EIP-55. */
export function ethereumAddress(key: ExtendedKey, index: number): string {
  const point = secp256k1.Point.fromBytes(key.publicKeyAt(index)).toBytes(false);
  const hash = keccak_256(point.subarray(1));
  return checksummed(Buffer.from(hash.subarray(-ADDRESS_BYTES)).toString('hex'));
}

function checksummed(digits: string): string {
  const hash = Buffer.from(keccak_256(Buffer.from(digits, 'ascii'))).toString('hex');
  const marked = [...digits].map((digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${marked.join('')}`;
}

/** Credits by balances at blocks: ether from contracts counts, what a reorganisation undid does not. */
export class EthereumChain extends NodeChain {
  readonly currency = 'ETH';
  readonly placesId: string;

  private readonly key: ExtendedKey;
  private readonly memory = new LookMemory();

  constructor({ xpub, ...node }: NodeSettings & { xpub: string }) {
    super('Ethereum', node);
    this.key = ExtendedKey.parse(xpub);
    // Wallets write xpub for every Ethereum network; only a tpub is a choice of test networks.
    if (node.environment === 'live' && this.key.network === 'test') {
      throw new InvalidKey('is a key for test networks');
    }
    this.placesId = `eth:${this.key.id}`;
  }

  placeOf(index: number): PaymentPlace {
    return { address: ethereumAddress(this.key, index), reference: null };
  }

  protected override async askNetwork(signal: AbortSignal): Promise<string> {
    return this.accept(await this.reader(signal).chainId());
  }

  protected override async look(
    payments: readonly WatchedPayment[],
    signal: AbortSignal,
  ): Promise<Observation> {
    const reader = this.reader(signal);
    const { chainId, head, finalized } = await reader.head();
    this.accept(chainId);
    const { transfers, reviews } = await new EthereumLook(reader, this.memory, head, finalized).at(payments);
    return { tip: { height: head.number, time: head.time }, transfers, reviews, requests: reader.requests };
  }

  private accept(chainId: number): string {
    if ((chainId === MAIN_CHAIN_ID) !== (this.environment === 'live')) {
      throw new WrongNetwork(
        `the Ethereum node is of chain ${chainId}, which is not for the environment ${this.environment}`,
      );
    }
    return this.believe(String(chainId));
  }

  private reader(signal: AbortSignal): EthereumReader {
    return new EthereumReader(new JsonRpc(this.http, signal));
  }
}
