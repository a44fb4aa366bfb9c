import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { base58 } from '@scure/base';
import { JsonRpc, type RpcOutcome } from '../../../http/operator-http';
import {
  type ChainTip,
  ChainUnavailable,
  type Findings,
  InvalidKey,
  NodeChain,
  type NodeSettings,
  NoPlaceLeft,
  type Observation,
  type PaymentPlace,
  startingAt,
  type TransferSighting,
  type WatchedPayment,
} from '../payment-chain';
import {
  CLOCK_ACCOUNT,
  listPlaces,
  naturalOf,
  type PlaceListing,
  resultOf,
  solanaNetwork,
  SolanaSession,
  timeOf,
  tipOf,
} from './solana-rpc';
import { base58Bytes, type TransactionFor, TransactionMemory } from './solana-transaction';
import {
  changedAmount,
  type FinallyGone,
  sightingsOf,
  signatureOf,
  TransactionsOfLook,
  unreadableIn,
  type TransactionState,
} from './transaction-sightings';

const NEW_PER_PAYMENT_MAX = 50;
const NEW_MAX = 300;

/** A blockhash serves for about a minute; after it only a durable nonce brings a transaction back. */
const COMES_BACK_WITHIN_MS = 5 * 60_000;

const CUT = 'Very many transactions name its place; the oldest of them are not looked at.';

interface OpenPayment extends PlaceListing {
  unsettled: TransactionFor[];
  /** It has more than this look reads; `isCutShort`: those before it have used up what all may read. */
  isPart: boolean;
  isCutShort: boolean;
}

class SolanaLook {
  private readonly transfers = new Map<string, TransferSighting[]>();
  private readonly reviews = new Map<string, string>();
  private readonly transactions: TransactionsOfLook;
  private newLeft = NEW_MAX;
  /** The first payment beyond the look's budget; null where it covered all, undefined where nothing could be listed. */
  resumeAt: string | null | undefined;

  constructor(
    private readonly session: SolanaSession,
    private readonly memory: TransactionMemory,
    private readonly tip: ChainTip,
  ) {
    this.transactions = new TransactionsOfLook(session, memory);
  }

  async at(payments: readonly WatchedPayment[]): Promise<Findings> {
    const { listings, leftOut, fault } = await listPlaces(this.session, payments);
    const opens = listings.map((listing) => this.opened(listing));
    await this.transactions.ask(opens.flatMap(({ unsettled }) => unsettled));
    const goneForGood = await this.goneForGood(opens);
    for (const open of opens) {
      this.conclude(open, goneForGood);
    }
    this.resumeAt = this.next(payments, new Set(leftOut), opens);
    if (payments.length > 0 && this.transfers.size === 0 && this.reviews.size === 0) {
      throw new ChainUnavailable('the node shows no payment in full', this.transactions.fault ?? fault);
    }
    return { transfers: this.transfers, reviews: this.reviews };
  }

  /** A payment that uses up the shared budget goes first in one look only. */
  private next(
    payments: readonly WatchedPayment[],
    leftOut: Set<WatchedPayment>,
    opens: readonly OpenPayment[],
  ): string | null {
    for (const { payment, isCutShort } of opens) {
      if (isCutShort) {
        leftOut.add(payment);
      }
    }
    const undelivered = opens.find(({ unsettled }) =>
      unsettled.some((which) => this.transactions.isUndelivered(which)),
    );
    const first = payments.findIndex((payment) => leftOut.has(payment) || payment === undelivered?.payment);
    // The next one, so that a payment with undeliverable transactions does not keep out the others.
    const isPassedBy = payments[first] === undelivered?.payment && first >= 0;
    const next = isPassedBy ? (payments[first + 1] ?? payments[0]) : payments[first];
    return next?.id ?? null;
  }

  /** A transaction's transfers are stored together, so one final transfer settles it. */
  private opened(listing: PlaceListing): OpenPayment {
    const { payment, listed } = listing;
    const stored = payment.transfers.map(signatureOf);
    const settled = new Set(payment.transfers.filter(({ isFinal }) => isFinal).map(signatureOf));
    const all = new Set([...stored, ...listed.map(({ signature }) => signature)]);
    const { address, reference } = payment;
    const unsettled = [...all]
      .filter((signature) => !settled.has(signature))
      .map((signature) => ({ signature, address, reference }));
    const isNew = (which: TransactionFor): boolean => !this.memory.find(which);
    // The oldest first, so that the next look goes on where this one ends.
    const wanted = unsettled.filter(isNew).slice(0, NEW_PER_PAYMENT_MAX);
    const fresh = wanted.slice(0, this.newLeft);
    this.newLeft -= fresh.length;
    const now = new Set(fresh);
    const taken = unsettled.filter((which) => now.has(which) || !isNew(which));
    const isCutShort = fresh.length < wanted.length;
    return { ...listing, unsettled: taken, isPart: taken.length < unsettled.length, isCutShort };
  }

  private conclude(
    { payment, listed, isCut, unsettled, isPart }: OpenPayment,
    goneForGood: FinallyGone,
  ): void {
    const blockTimes = new Map(listed.map(({ signature, blockTime }) => [signature, blockTime]));
    const stored = new Set(payment.transfers.map(signatureOf));
    const found = new Map<string, TransactionState>();
    for (const which of unsettled) {
      const { signature } = which;
      const where = this.transactions.whereIs(which);
      // Contradictions, as from nodes out of step: listed but gone, or new but unconfirmed.
      const isContradictory =
        (where?.kind === 'gone' && blockTimes.has(signature)) ||
        (where?.kind === 'unconfirmed' && !stored.has(signature));
      if (where === null || isContradictory) {
        return;
      }
      found.set(signature, where);
    }
    if (isPart) {
      return;
    }
    const transfers = sightingsOf(payment, found, blockTimes, goneForGood);
    const changed = changedAmount(payment, transfers);
    const review = isCut ? CUT : (changed ?? unreadableIn(found));
    if (review !== null) {
      this.reviews.set(payment.id, review);
    }
    if (changed === null) {
      this.transfers.set(payment.id, transfers);
    }
  }

  private async goneForGood(opens: readonly OpenPayment[]): Promise<FinallyGone> {
    const before = new Date(this.tip.time.getTime() - COMES_BACK_WITHIN_MS);
    const isAsked = opens.some(({ payment, unsettled }) => {
      const old = payment.transfers.filter(({ firstSeenAt }) => firstSeenAt < before).map(signatureOf);
      return unsettled.some(
        (which) => old.includes(which.signature) && this.transactions.whereIs(which)?.kind === 'gone',
      );
    });
    return { after: isAsked ? await this.beginningOfHistory() : before, before };
  }

  private async beginningOfHistory(): Promise<Date> {
    const first = await this.session.one({ method: 'getFirstAvailableBlock', params: [] });
    if ('error' in first) {
      return this.tip.time;
    }
    const slot = naturalOf(first.result, 'the first block');
    const time = await this.session.one({ method: 'getBlockTime', params: [slot] });
    return 'error' in time ? this.tip.time : (timeOf(time.result, 'a block time') ?? new Date(0));
  }
}

const ADDRESS_BYTES = 32;
const SECRET_KEY_BYTES = 64;

/** Base58 of 64 bytes is never longer. */
const TEXT_LENGTH_MAX = 88;

/** Base58 of 32 bytes, without a checksum. @throws InvalidKey, which never repeats the text: it may be a secret key */
export function solanaAddress(text: string): string {
  if (text.startsWith('[')) {
    throw new InvalidKey('is the file of a key pair: never give it to a server; give the address');
  }
  const length = text.length > TEXT_LENGTH_MAX ? null : base58Bytes(text)?.length;
  if (length === SECRET_KEY_BYTES) {
    throw new InvalidKey('is a secret key: never give it to a server; give the address');
  }
  if (length !== ADDRESS_BYTES) {
    throw new InvalidKey('is not a Solana address: that is base58 of 32 bytes');
  }
  return text;
}

const FILE_BYTES_MAX = 16 * 1024 * 1024;

/** @throws InvalidKey where an address is bad or repeated, or none is there: two payments would share it */
export function readPool(pool: string): string[] {
  const addresses = textOf(pool.trim())
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map((entry, index) => entryOf(entry, index + 1));
  if (addresses.length === 0) {
    throw new InvalidKey('has no address');
  }
  const places = new Map<string, number>();
  addresses.forEach((address, index) => {
    const earlier = places.get(address);
    if (earlier !== undefined) {
      throw new InvalidKey(`has one address twice, as entries ${earlier} and ${index + 1}`);
    }
    places.set(address, index + 1);
  });
  return addresses;
}

/** A path needs neither dots nor slashes: the name of any existing file is one. */
function textOf(pool: string): string {
  const size = fileSize(pool);
  if (size === null) {
    if (/^[^\s,]*[./][^\s,]*$/.test(pool)) {
      throw new InvalidKey('is neither an address nor the path of a file that can be read');
    }
    return pool;
  }
  if (size > FILE_BYTES_MAX) {
    throw new InvalidKey(`is a file of more than ${FILE_BYTES_MAX} bytes`);
  }
  return readFileSync(pool, 'utf8');
}

/** Null where there is no such file. An error would repeat the text, which may be secret keys. */
function fileSize(path: string): number | null {
  try {
    const file = statSync(path);
    return file.isFile() ? file.size : null;
  } catch {
    return null;
  }
}

function entryOf(entry: string, position: number): string {
  try {
    return solanaAddress(entry);
  } catch (error) {
    throw new InvalidKey(`entry ${position} ${(error as InvalidKey).message}`);
  }
}

const REFERENCE_BYTES = 32;

interface SolanaSettings extends NodeSettings {
  places: { merchantAddress: string } | { pool: string };
}

/** One call for each payment and each new transaction, 100 in one request where the node takes batches. */
export class SolanaChain extends NodeChain {
  readonly currency = 'SOL';
  readonly placesId: string;
  private readonly pool: readonly string[] | null;
  private readonly merchantAddress: string;
  private readonly batches = { refusedUntilMs: 0 };
  private readonly memory = new TransactionMemory();
  private resumeAt: string | null = null;

  constructor({ places, ...node }: SolanaSettings) {
    super('Solana', node);
    if ('pool' in places) {
      this.pool = readPool(places.pool);
      this.merchantAddress = '';
      this.placesId = 'sol:pool';
    } else {
      this.pool = null;
      this.merchantAddress = solanaAddress(places.merchantAddress.trim());
      const digest = createHash('sha256').update(this.merchantAddress).digest('hex');
      this.placesId = `sol:${digest.slice(0, 16)}`;
    }
  }

  /** References are random, so that nobody guesses the one that a transfer has to name. */
  placeOf(index: number): PaymentPlace {
    if (this.pool === null) {
      return { address: this.merchantAddress, reference: base58.encode(randomBytes(REFERENCE_BYTES)) };
    }
    const address = this.pool[index];
    if (address === undefined) {
      throw new NoPlaceLeft();
    }
    return { address, reference: null };
  }

  protected override async askNetwork(signal: AbortSignal): Promise<string> {
    return this.accept(await this.session(signal).one({ method: 'getGenesisHash', params: [] }));
  }

  protected override async look(
    payments: readonly WatchedPayment[],
    signal: AbortSignal,
  ): Promise<Observation> {
    const session = this.session(signal);
    const tip = await this.tip(session);
    const look = new SolanaLook(session, this.memory, tip);
    const { transfers, reviews } = await look.at(startingAt(payments, this.resumeAt)).finally(() => {
      // A check of one payment says nothing about the turn among all.
      if (payments.length > 1 && look.resumeAt !== undefined) {
        this.resumeAt = look.resumeAt;
      }
    });
    return { tip, transfers, reviews, requests: session.requests };
  }

  private async tip(session: SolanaSession): Promise<ChainTip> {
    const clock = { encoding: 'base64', commitment: 'confirmed' };
    const [genesis, account] = await session.many([
      { method: 'getGenesisHash', params: [] },
      { method: 'getAccountInfo', params: [CLOCK_ACCOUNT, clock] },
    ]);
    this.accept(genesis);
    return tipOf(resultOf(account));
  }

  private session(signal: AbortSignal): SolanaSession {
    return new SolanaSession(new JsonRpc(this.http, signal), this.batches);
  }

  private accept(genesis: RpcOutcome | undefined): string {
    return this.believe(solanaNetwork(resultOf(genesis), this.environment));
  }
}
