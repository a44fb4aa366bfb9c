import { OperatorCallFailed, type OperatorHttp } from './operator-http';

export interface RpcRequest {
  method: string;
  params: unknown[];
}

/** A node answered a request with an error of its own. */
export class RpcError extends Error {
  constructor(
    readonly method: string,
    /** As the node gives it; bitcoind: -5 for an unknown transaction, -18 for an unknown wallet. */
    readonly code: number,
    readonly text: string,
  ) {
    super(`${method}: ${text} (${code})`);
    this.name = new.target.name;
  }
}

/** How one request of a batch went. */
export type RpcOutcome = { result: unknown } | { error: RpcError };

/** JSON-RPC over HTTP. Counts what it sends. */
export class JsonRpc {
  /** How many HTTP requests were sent; a batch is one. */
  requests = 0;

  constructor(
    private readonly http: OperatorHttp,
    private readonly path = '',
  ) {}

  /** @throws RpcError, OperatorCallFailed */
  async call(method: string, params: unknown[], signal?: AbortSignal): Promise<unknown> {
    this.requests += 1;
    const { status, json } = await this.http.json({
      path: this.path,
      body: { jsonrpc: '2.0', id: 0, method, params },
      signal,
    });
    const outcome = outcomeOf(json, method, status);
    if ('error' in outcome) {
      throw outcome.error;
    }
    return outcome.result;
  }

  /**
   * Sends requests as one batch; the outcomes are in the order of the requests.
   * @throws OperatorCallFailed, also when an outcome is missing
   */
  async batch(calls: readonly RpcRequest[], signal?: AbortSignal): Promise<RpcOutcome[]> {
    if (calls.length === 0) {
      return [];
    }
    this.requests += 1;
    const body = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
    const { status, json } = await this.http.json({ path: this.path, body, signal });
    if (!Array.isArray(json) || json.length !== calls.length) {
      throw new OperatorCallFailed(`the answer (${status}) to a batch is not one of as many`, status);
    }
    const byId = new Map((json as unknown[]).map((entry) => [(entry as { id?: unknown } | null)?.id, entry]));
    return calls.map(({ method }, id) => outcomeOf(byId.get(id), method, status));
  }
}

function outcomeOf(entry: unknown, method: string, status: number): RpcOutcome {
  if (typeof entry !== 'object' || entry === null) {
    throw new OperatorCallFailed(`${method}: the answer (${status}) is not JSON-RPC`, status);
  }
  const { result, error } = entry as {
    result?: unknown;
    error?: { code?: unknown; message?: unknown } | null;
  };
  if (error !== undefined && error !== null) {
    return { error: new RpcError(method, Number(error.code), String(error.message).slice(0, 200)) };
  }
  if (result === undefined) {
    throw new OperatorCallFailed(`${method}: the answer (${status}) has no result`, status);
  }
  return { result };
}
