import {
  JsonRpc,
  OperatorCallFailed,
  OperatorHttp,
  RpcError,
  type RpcOutcome,
  type RpcRequest,
} from '../../../http/operator-http';
import { ChainUnavailable, type WatchedPayment } from '../payment-chain';
import { type ListedSignature, listedSignatures } from './node-answers';

const TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
const BATCH_CALLS_MAX = 100;

const SINGLE_CALLS_AT_ONCE = 8;

const WITHOUT_BATCHES_MS = 10 * 60_000;

export class AnswerTooLong extends RpcError {
  constructor(method: string) {
    super(method, 0, 'the answer is too long');
  }
}

export class SolanaRpc {
  private readonly http: OperatorHttp;
  private batchesFrom = 0;

  constructor(url: string) {
    this.http = new OperatorHttp(url, { timeoutMs: TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX });
  }

  session(signal: AbortSignal): SolanaSession {
    const mayBatch = performance.now() >= this.batchesFrom;
    return new SolanaSession(new JsonRpc(this.http), signal, mayBatch, () => {
      this.batchesFrom = performance.now() + WITHOUT_BATCHES_MS;
    });
  }

  async close(): Promise<void> {
    await this.http.close();
  }
}

export class SolanaSession {
  private batchCallsMax = BATCH_CALLS_MAX;

  constructor(
    private readonly rpc: JsonRpc,
    private readonly signal: AbortSignal,
    private mayBatch: boolean,
    private readonly tellNoBatches: () => void,
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

  private async together(calls: readonly RpcRequest[]): Promise<RpcOutcome[]> {
    if (calls.length < 2 || !this.mayBatch) {
      return this.single(calls);
    }
    try {
      return await this.rpc.batch(calls, this.signal);
    } catch (error) {
      // Anybody can make transactions that are long together, so the node is asked for fewer at once.
      if (error instanceof OperatorCallFailed && error.isTooLong) {
        this.batchCallsMax = Math.ceil(calls.length / 2);
        return this.many(calls);
      }
      // Many nodes refuse batches, each with words of its own. Whether it was that, a single call tells.
      if (!(error instanceof OperatorCallFailed) || error.status === null) {
        throw error;
      }
      const [first, ...others] = calls;
      const outcomes = await this.single(first ? [first] : []);
      this.mayBatch = false;
      this.tellNoBatches();
      return [...outcomes, ...(await this.single(others))];
    }
  }

  private async single(calls: readonly RpcRequest[]): Promise<RpcOutcome[]> {
    const outcomes: RpcOutcome[] = [];
    for (let start = 0; start < calls.length; start += SINGLE_CALLS_AT_ONCE) {
      const some = calls.slice(start, start + SINGLE_CALLS_AT_ONCE);
      outcomes.push(...(await Promise.all(some.map((call) => this.one(call)))));
    }
    return outcomes;
  }

  private async one({ method, params }: RpcRequest): Promise<RpcOutcome> {
    try {
      return { result: await this.rpc.call(method, params, this.signal) };
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
}

const PAGE_SIGNATURES = 100;
const PAGES_MAX = 10;

/** Of all payments together; who fills pages pays for every transaction on them. */
const FURTHER_PAGES_MAX = 50;

/** As many payments are asked for before the bounds are looked at again; also the length of a batch. */
const GROUP = 100;
const REQUESTS_MAX = 1_100;
const LISTING_MS_MAX = 10_000;

/** What came to an address of its own before the payment was made was for somebody else. An hour for clocks that differ. */
const CLOCKS_DIFFER_MS = 3_600_000;

export interface PlaceListing {
  payment: WatchedPayment;
  listed: ListedSignature[];
  isCut: boolean;
}

interface Listings {
  listings: PlaceListing[];
  /** Payments that there was no time or no request for; where all from one on are, that one alone. */
  leftOut: string[];
  fault: Error | null;
}

export async function listPlaces(
  session: SolanaSession,
  payments: readonly WatchedPayment[],
): Promise<Listings> {
  const result: Listings = { listings: [], leftOut: [], fault: null };
  const deadline = performance.now() + LISTING_MS_MAX;
  const further = { left: FURTHER_PAGES_MAX };
  for (let start = 0; start < payments.length; start += GROUP) {
    const group = payments.slice(start, start + GROUP);
    if (session.requests >= REQUESTS_MAX || performance.now() > deadline) {
      return leaveOut(result, group[0]);
    }
    try {
      await listGroup(session, group, further, result);
    } catch (error) {
      // What was listed before is worth reading; the next look begins here.
      if (!(error instanceof OperatorCallFailed) || result.listings.length === 0) {
        throw error;
      }
      return leaveOut({ ...result, fault: error }, group[0]);
    }
  }
  return result;
}

function leaveOut(result: Listings, payment: WatchedPayment | undefined): Listings {
  return { ...result, leftOut: [...result.leftOut, ...(payment ? [payment.paymentId] : [])] };
}

async function listGroup(
  session: SolanaSession,
  group: readonly WatchedPayment[],
  further: { left: number },
  result: Listings,
): Promise<void> {
  const outcomes = await session.many(group.map((payment) => pageOf(payment)));
  for (const [index, payment] of group.entries()) {
    try {
      const first = signaturesIn(outcomes[index]);
      const listing = await withFurtherPages(session, payment, first, further);
      if (listing) {
        result.listings.push(listing);
      } else {
        result.leftOut.push(payment.paymentId);
      }
    } catch (error) {
      // One place that the node can't list must not hide all others.
      if (!(error instanceof ChainUnavailable)) {
        throw error;
      }
      result.fault = error;
    }
  }
}

/** Null where the look has no request left for it. */
async function withFurtherPages(
  session: SolanaSession,
  payment: WatchedPayment,
  first: ListedSignature[],
  further: { left: number },
): Promise<PlaceListing | null> {
  const listed = [...first];
  let page = first;
  for (let pages = 1; page.length === PAGE_SIGNATURES && !isBefore(payment, page.at(-1)); pages += 1) {
    if (pages === PAGES_MAX) {
      return { payment, listed: oldestFirst(payment, listed), isCut: true };
    }
    if (further.left === 0) {
      return null;
    }
    further.left -= 1;
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
  if (outcome === undefined || 'error' in outcome) {
    throw new ChainUnavailable('the node does not list the transactions of an address', outcome?.error);
  }
  return listedSignatures(outcome.result, PAGE_SIGNATURES);
}

function oldestFirst(payment: WatchedPayment, listed: ListedSignature[]): ListedSignature[] {
  return listed.filter((each) => !isBefore(payment, each)).reverse();
}

function isBefore({ reference, createdAt }: WatchedPayment, listed: ListedSignature | undefined): boolean {
  const time = listed?.blockTime?.getTime();
  return reference === null && time !== undefined && time < createdAt.getTime() - CLOCKS_DIFFER_MS;
}
