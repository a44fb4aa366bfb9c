import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { JsonRpc, OperatorCallFailed, OperatorHttp, RpcError } from '../../../http/operator-http';
import { ExtendedKey } from '../extended-key';
import {
  ChainUnavailable,
  InvalidKey,
  type Observation,
  NodeChain,
  type PaymentPlace,
  type TransferSighting,
  unchanged,
  type WatchedPayment,
  WrongNetwork,
} from '../payment-chain';
import {
  type AddressReading,
  BatchSize,
  type Block,
  type BlockTransaction,
  EthereumReader,
  MAIN_CHAIN_ID,
} from './ethereum-reader';
import { PaymentLook } from './payment-look';
import {
  blocksToTime,
  LookMemory,
  type LookOutcome,
  outcomeOf,
  type UntoldTransfer,
} from './payment-sightings';

const BLOCKS_MAX = 16;
const CANDIDATES_MAX = 200;

interface SoughtTransfer extends UntoldTransfer {
  address: string;
}

interface Candidate extends BlockTransaction {
  sought: SoughtTransfer;
}

/** Searched in the very blocks they came in; none for a contract's. It credits nothing, so its failure fails nothing. */
export async function transactionHashes(
  sought: readonly SoughtTransfer[],
  reader: EthereumReader,
): Promise<{ hashes: Map<string, string>; lookedFor: string[] }> {
  const blocks = [...new Set(sought.map(({ block }) => block))].sort((one, other) => other - one);
  const scanned = blocks.slice(0, BLOCKS_MAX);
  const inBlocks = sought.filter(({ block }) => scanned.includes(block));
  const lookedFor = inBlocks.map(({ id }) => id);
  try {
    const contents = await reader.transactions(scanned);
    const candidates = inBlocks.flatMap((transfer) =>
      sentTo(transfer, contents[scanned.indexOf(transfer.block)] ?? []),
    );
    const checked = candidates.slice(0, CANDIDATES_MAX);
    const successes = await reader.successes(checked.map(({ hash }) => hash));
    const paying = checked.filter((_, index) => successes[index]);
    const found = inBlocks.flatMap((transfer) => {
      const hash = hashOf(transfer, paying);
      return hash === null ? [] : [[transfer.id, hash] as const];
    });
    return { hashes: new Map(found), lookedFor };
  } catch (error) {
    if (error instanceof RpcError || error instanceof OperatorCallFailed) {
      return { hashes: new Map(), lookedFor };
    }
    throw error;
  }
}

function sentTo(sought: SoughtTransfer, transactions: readonly BlockTransaction[]): Candidate[] {
  const address = sought.address.toLowerCase();
  return transactions
    .filter(({ to, value }) => to === address && value > 0n && value <= sought.amountBase)
    .map((transaction) => ({ ...transaction, sought }));
}

function hashOf(sought: SoughtTransfer, candidates: readonly Candidate[]): string | null {
  const [largest] = candidates
    .filter((candidate) => candidate.sought === sought)
    .sort((one, other) => (one.value < other.value ? 1 : -1));
  return largest?.hash ?? null;
}

/** Full nodes have the state of the newest 128 blocks; some more may come while we ask. */
const DEPTH_MAX = 120;
const ROUNDS_MAX = 12;
const READS_PER_ROUND = 500;
const READS_PER_GAP_MAX = 15;

interface Found {
  transfers: Map<string, TransferSighting[]>;
  reviews: Map<string, string>;
}

class EthereumLook {
  private readonly found: Found = { transfers: new Map(), reviews: new Map() };
  private readonly balances = new Map<PaymentLook, bigint>();

  constructor(
    private readonly reader: EthereumReader,
    private readonly memory: LookMemory,
    private readonly head: Block,
    private readonly finalized: number | null,
  ) {}

  async at(payments: readonly WatchedPayment[]): Promise<Found> {
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
    await this.tellHashes(outcomes);
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
        this.found.transfers.set(payment.paymentId, payment.transfers.map(unchanged));
        return [];
      }
      const look = new PaymentLook(payment, chain, balance, (id) => this.memory.firstBlockOf(id));
      this.balances.set(look, balance);
      return [look];
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

  /** Had the newest block been replaced meanwhile, nothing that was read would fit together. */
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
    this.found.transfers.set(payment.paymentId, outcome.sightings);
    if (outcome.review !== null) {
      this.found.reviews.set(payment.paymentId, outcome.review);
    }
    this.memory.remember(payment, this.balances.get(look) ?? 0n, this.head.number, outcome);
  }

  private async tellHashes(outcomes: readonly { look: PaymentLook; outcome: LookOutcome }[]): Promise<void> {
    const sought = outcomes.flatMap(({ look, outcome }) =>
      outcome.untold
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

/** The address of the key `0/index`, with the checksum that its capital letters are (EIP-55). */
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

const HTTP_BOUNDS = { timeoutMs: 5_000, answerBytesMax: 16 * 1024 * 1024 };

/** Credits by balances at blocks: ether that contracts sent counts, what a reorganisation undid does not. */
export class EthereumChain extends NodeChain {
  readonly currency = 'ETH';
  readonly placesId: string;

  private readonly key: ExtendedKey;
  private readonly http: OperatorHttp;
  private readonly batchSize = new BatchSize();
  private readonly memory = new LookMemory();

  constructor({ xpub, url, environment }: { xpub: string; url: string; environment: 'test' | 'live' }) {
    super('Ethereum', environment);
    this.key = ExtendedKey.parse(xpub);
    // Wallets write xpub for the accounts of every Ethereum network; only who chose a tpub has chosen a test network.
    if (environment === 'live' && this.key.network === 'test') {
      throw new InvalidKey('is a key for test networks');
    }
    this.placesId = `eth:${this.key.id}`;
    this.http = new OperatorHttp(url, HTTP_BOUNDS);
  }

  placeOf(index: number): PaymentPlace {
    return { address: ethereumAddress(this.key, index), reference: null };
  }

  async close(): Promise<void> {
    await this.http.close();
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
    return new EthereumReader(new JsonRpc(this.http), this.batchSize, signal);
  }
}
