import { JsonRpc, type RpcOutcome, type RpcRequest, RpcError } from '../../operator-http/json-rpc';
import { OperatorCallFailed, OperatorHttp } from '../../operator-http/operator-http';

const TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
const BATCH_CALLS_MAX = 100;

/** How many calls are under way at once where each is a request of its own. */
const SINGLE_CALLS_AT_ONCE = 8;

/** For how long a node is believed to take no batches. */
const WITHOUT_BATCHES_MS = 10 * 60_000;

/** One call by itself is answered with more than is ever read. */
export class AnswerTooLong extends RpcError {
  constructor(method: string) {
    super(method, 0, 'the answer is too long');
  }
}

/** A node, asked in batches where it takes them and else call by call. */
export class SolanaRpc {
  private readonly http: OperatorHttp;
  private batchesFrom = 0;

  constructor(url: string) {
    this.http = new OperatorHttp(url, { timeoutMs: TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX });
  }

  /** Begins to count the requests of one look. */
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

/** The requests of one look. */
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

  /**
   * Makes calls; the outcomes are in their order.
   * @throws OperatorCallFailed where the node can't be reached, or makes no sense
   */
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
      // Many nodes refuse batches or long ones, each with words of its own. Whether it was that, a single call tells.
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
