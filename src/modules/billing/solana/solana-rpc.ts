import {
  type JsonRpc,
  OperatorCallFailed,
  RpcError,
  type RpcOutcome,
  type RpcRequest,
} from '../../../http/operator-http';
import { chunksOf } from '../../../runtime/collections';
import { isObject, type JsonObject } from '../../../runtime/json';
import { type ChainTip, ChainUnavailable, type WatchedPayment, WrongNetwork } from '../payment-chain';

/** @param what the part, as the message names it; never the value, which anybody may have written */
export function recordOf(value: unknown, what: string): JsonObject {
  if (!isObject(value)) {
    throw nonsense(what);
  }
  return value;
}

export function listOf(value: unknown, what: string, countMax = Infinity): unknown[] {
  if (!Array.isArray(value) || value.length > countMax) {
    throw nonsense(what);
  }
  return value;
}

export function textOf(value: unknown, what: string): string {
  if (typeof value !== 'string') {
    throw nonsense(what);
  }
  return value;
}

/** Larger numbers may have lost their last digits in JSON. */
export function naturalOf(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    throw nonsense(what);
  }
  return value;
}

export function timeOf(value: unknown, what: string): Date | null {
  if (value === null || value === undefined) {
    return null;
  }
  const time = new Date(naturalOf(value, what) * 1_000);
  if (Number.isNaN(time.getTime())) {
    throw nonsense(what);
  }
  return time;
}

function nonsense(what: string): ChainUnavailable {
  return new ChainUnavailable(`the node's answer makes no sense: ${what}`);
}

export interface ListedSignature {
  signature: string;
  blockTime: Date | null;
}

export interface SignatureStatus {
  slot: number;
  commitment: 'processed' | 'confirmed' | 'finalized';
  confirmations: number;
}

const ROOTED_CONFIRMATIONS = 32;

export function listedSignatures(answer: unknown, countMax: number): ListedSignature[] {
  return listOf(answer, 'signatures', countMax).map((entry) => {
    const { signature, blockTime } = recordOf(entry, 'a listed signature');
    const text = textOf(signature, 'a signature');
    if (!isSignature(text)) {
      throw nonsense('a signature');
    }
    return { signature: text, blockTime: timeOf(blockTime, 'a block time') };
  });
}

/** A pattern, because decoding each of many signatures would take long. */
function isSignature(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text);
}

export function signatureStatuses(answer: unknown, count: number): (SignatureStatus | null)[] {
  const statuses = listOf(recordOf(answer, 'statuses').value, 'statuses');
  if (statuses.length !== count) {
    throw nonsense('as many statuses as signatures');
  }
  return statuses.map((status) => (status === null ? null : statusOf(recordOf(status, 'a status'))));
}

function statusOf({ slot, confirmations, confirmationStatus }: JsonObject): SignatureStatus {
  const commitment = textOf(confirmationStatus, 'a confirmation status');
  const height = naturalOf(slot, 'a slot');
  switch (commitment) {
    case 'processed':
      return { slot: height, commitment, confirmations: 0 };
    case 'finalized':
      return { slot: height, commitment, confirmations: ROOTED_CONFIRMATIONS };
    case 'confirmed': {
      // Null means rooted on this node only; the commitment says whether the network agrees.
      const count = confirmations === null ? ROOTED_CONFIRMATIONS : naturalOf(confirmations, 'confirmations');
      return {
        slot: height,
        commitment,
        confirmations: Math.min(Math.max(count, 1), ROOTED_CONFIRMATIONS - 1),
      };
    }
    default:
      throw nonsense('a confirmation status');
  }
}

export const CLOCK_ACCOUNT = 'SysvarC1ock11111111111111111111111111111111';

/** The slot; when the epoch began, its number and that of the next schedule; the time in seconds since 1970. */
const CLOCK_BYTES = 40;
const TIME_AT = 32;
const SECONDS_MAX = 8_640_000_000_000n;

/** From a single block: getSlot and getBlockTime would be two looks, and skipped slots have no time. */
export function tipOf(answer: unknown): ChainTip {
  const { value } = recordOf(answer, 'the clock');
  const { data } = recordOf(value, 'the clock');
  const bytes = Buffer.from(textOf(listOf(data, 'the clock')[0], 'the clock'), 'base64');
  if (bytes.length !== CLOCK_BYTES) {
    throw nonsense('the clock has another length');
  }
  const [slot, seconds] = [bytes.readBigUInt64LE(0), bytes.readBigInt64LE(TIME_AT)];
  if (slot > BigInt(Number.MAX_SAFE_INTEGER) || seconds <= 0n || seconds > SECONDS_MAX) {
    throw nonsense('the clock shows an impossible time');
  }
  return { height: Number(slot), time: new Date(Number(seconds) * 1_000) };
}

const NETWORKS = new Map([
  ['5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', 'mainnet-beta'],
  ['EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG', 'devnet'],
  ['4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY', 'testnet'],
]);

export function solanaNetwork(genesisHash: unknown, environment: 'test' | 'live'): string {
  const hash = textOf(genesisHash, 'a genesis hash');
  const name = NETWORKS.get(hash) ?? `private-${hash.slice(0, 8)}`;
  if ((name === 'mainnet-beta') !== (environment === 'live')) {
    throw new WrongNetwork(`the Solana node is on ${name}, which is not for the ${environment} environment`);
  }
  return name;
}

export function resultOf(outcome: RpcOutcome | undefined, refusal = 'the node refuses a call'): unknown {
  if (outcome === undefined || 'error' in outcome) {
    throw new ChainUnavailable(refusal, outcome?.error);
  }
  return outcome.result;
}

const BATCH_CALLS_MAX = 100;

const SINGLE_CALLS_AT_ONCE = 8;

const WITHOUT_BATCHES_MS = 10 * 60_000;

export class AnswerTooLong extends RpcError {
  constructor(method: string) {
    super(method, 0, 'the answer is too long');
  }
}

export interface BatchUse {
  /** By performance.now(). */
  refusedUntilMs: number;
}

export class SolanaSession {
  private batchCallsMax = BATCH_CALLS_MAX;

  constructor(
    private readonly rpc: JsonRpc,
    private readonly batches: BatchUse,
  ) {}

  get requests(): number {
    return this.rpc.requests;
  }

  async many(calls: readonly RpcRequest[]): Promise<RpcOutcome[]> {
    const outcomes: RpcOutcome[] = [];
    while (outcomes.length < calls.length) {
      outcomes.push(
        ...(await this.together(calls.slice(outcomes.length, outcomes.length + this.batchCallsMax))),
      );
    }
    return outcomes;
  }

  async one({ method, params }: RpcRequest): Promise<RpcOutcome> {
    try {
      return { result: await this.rpc.call(method, ...params) };
    } catch (error) {
      if (error instanceof RpcError) {
        return { error };
      }
      if (error instanceof OperatorCallFailed && error.isTooLong) {
        return { error: new AnswerTooLong(method) };
      }
      throw error;
    }
  }

  private async together(calls: readonly RpcRequest[]): Promise<RpcOutcome[]> {
    if (calls.length < 2 || performance.now() < this.batches.refusedUntilMs) {
      return this.single(calls);
    }
    try {
      return await this.rpc.batch(calls);
    } catch (error) {
      // Anybody can make transactions that are long together, so the node is asked for fewer at once.
      if (error instanceof OperatorCallFailed && error.isTooLong) {
        this.batchCallsMax = Math.ceil(calls.length / 2);
        return this.many(calls);
      }
      // Many nodes refuse batches in their own words; a single call shows whether it was that.
      if (!(error instanceof OperatorCallFailed) || error.status === null) {
        throw error;
      }
      const [first, ...others] = calls;
      const outcomes = await this.single(first ? [first] : []);
      this.batches.refusedUntilMs = performance.now() + WITHOUT_BATCHES_MS;
      return [...outcomes, ...(await this.single(others))];
    }
  }

  private async single(calls: readonly RpcRequest[]): Promise<RpcOutcome[]> {
    const outcomes: RpcOutcome[] = [];
    for (const some of chunksOf(calls, SINGLE_CALLS_AT_ONCE)) {
      outcomes.push(...(await Promise.all(some.map((call) => this.one(call)))));
    }
    return outcomes;
  }
}

const PAGE_SIGNATURES = 100;
const PAGES_MAX = 10;

/** For all payments together; filling pages costs a fee for every transaction. */
const FURTHER_PAGES_MAX = 50;

/** Payments per batch; the bounds are checked in between. */
const GROUP = 100;
const REQUESTS_MAX = 1_100;
const LISTING_MS_MAX = 10_000;

/** Arrivals before the payment was made are not for it. An hour for clocks that differ. */
const CLOCKS_DIFFER_MS = 3_600_000;

export interface PlaceListing {
  payment: WatchedPayment;
  listed: ListedSignature[];
  isCut: boolean;
}

interface Listings {
  listings: PlaceListing[];
  leftOut: WatchedPayment[];
  fault: Error | null;
  furtherPagesLeft: number;
}

export async function listPlaces(
  session: SolanaSession,
  payments: readonly WatchedPayment[],
): Promise<Listings> {
  const result: Listings = {
    listings: [],
    leftOut: [],
    fault: null,
    furtherPagesLeft: FURTHER_PAGES_MAX,
  };
  const deadline = performance.now() + LISTING_MS_MAX;
  for (const group of chunksOf(payments, GROUP)) {
    if (session.requests >= REQUESTS_MAX || performance.now() > deadline) {
      result.leftOut.push(...group.slice(0, 1));
      break;
    }
    try {
      await listGroup(session, group, result);
    } catch (error) {
      // What was listed before is worth reading; the next look begins here.
      if (!(error instanceof OperatorCallFailed) || result.listings.length === 0) {
        throw error;
      }
      result.fault = error;
      result.leftOut.push(...group.slice(0, 1));
      break;
    }
  }
  return result;
}

async function listGroup(
  session: SolanaSession,
  group: readonly WatchedPayment[],
  result: Listings,
): Promise<void> {
  const outcomes = await session.many(group.map((payment) => pageOf(payment)));
  for (const [index, payment] of group.entries()) {
    try {
      const first = signaturesIn(outcomes[index]);
      const listing = await withFurtherPages(session, payment, first, result);
      if (listing) {
        result.listings.push(listing);
      } else {
        result.leftOut.push(payment);
      }
    } catch (error) {
      // One place that the node cannot list must not hide all others.
      if (!(error instanceof ChainUnavailable)) {
        throw error;
      }
      result.fault = error;
    }
  }
}

async function withFurtherPages(
  session: SolanaSession,
  payment: WatchedPayment,
  first: ListedSignature[],
  all: Listings,
): Promise<PlaceListing | null> {
  const listed = [...first];
  let page = first;
  for (let pages = 1; page.length === PAGE_SIGNATURES && !isBefore(payment, page.at(-1)); pages += 1) {
    if (pages === PAGES_MAX) {
      return { payment, listed: oldestFirst(payment, listed), isCut: true };
    }
    if (all.furtherPagesLeft === 0) {
      return null;
    }
    all.furtherPagesLeft -= 1;
    const [outcome] = await session.many([pageOf(payment, page.at(-1)?.signature)]);
    page = signaturesIn(outcome);
    listed.push(...page);
  }
  return { payment, listed: oldestFirst(payment, listed), isCut: false };
}

function pageOf({ address, reference }: WatchedPayment, before?: string): RpcRequest {
  const options = { limit: PAGE_SIGNATURES, commitment: 'confirmed', ...(before ? { before } : {}) };
  return { method: 'getSignaturesForAddress', params: [reference ?? address, options] };
}

function signaturesIn(outcome: RpcOutcome | undefined): ListedSignature[] {
  const answer = resultOf(outcome, 'the node does not list the transactions of an address');
  return listedSignatures(answer, PAGE_SIGNATURES);
}

function oldestFirst(payment: WatchedPayment, listed: ListedSignature[]): ListedSignature[] {
  return listed.filter((each) => !isBefore(payment, each)).reverse();
}

function isBefore({ reference, createdAt }: WatchedPayment, listed: ListedSignature | undefined): boolean {
  const time = listed?.blockTime?.getTime();
  return reference === null && time !== undefined && time < createdAt.getTime() - CLOCKS_DIFFER_MS;
}
