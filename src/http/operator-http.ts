import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool, ProxyAgent, request } from 'undici';
import { isProxyNamed } from '../config/environment';
import { shownValue } from '../runtime/json';

const NO_PROXY = 'none';

interface AgentOptions {
  readonly connectTimeoutMs: number;
  readonly agent: Agent.Options;
  /** Null for the environment's proxies. */
  readonly proxyUrl?: string | null;
}

/** undici reads HTTP(S)_PROXY and NO_PROXY. http goes without CONNECT, which many proxies allow to port 443 only. */
export function proxiedAgent({ connectTimeoutMs, agent, proxyUrl = null }: AgentOptions): Dispatcher {
  // The proxy agent parses each request's address, even without a proxy.
  const isDirect = proxyUrl === null && !isProxyNamed();
  if (isDirect || proxyUrl === NO_PROXY) {
    return new Agent(agent);
  }
  const options = {
    ...agent,
    proxyTunnel: false,
    proxyTls: { timeout: connectTimeoutMs },
    requestTls: { timeout: connectTimeoutMs },
    // undici's own pools would have other bounds.
    factory: (origin: string | URL, pool: Pool.Options) =>
      new Pool(origin, { ...pool, ...agent, connect: pool.connect }),
    clientFactory: (origin: URL, pool: object) =>
      new Pool(origin, { ...pool, headersTimeout: connectTimeoutMs }),
  };
  return proxyUrl === null ? new EnvHttpProxyAgent(options) : new ProxyAgent({ ...options, uri: proxyUrl });
}

export function isConnectTimeout({ code }: NodeJS.ErrnoException): boolean {
  return code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'UND_ERR_HEADERS_TIMEOUT';
}

const TOO_LONG = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

/** No connection, time-out, too long, or no JSON. The message never has the URL. */
export class OperatorCallFailed extends Error {
  /** A call for less may succeed, the same one never does. */
  readonly isTooLong: boolean;

  constructor(
    message: string,
    readonly status: number | null = null,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = new.target.name;
    this.isTooLong = codeOf(cause) === TOO_LONG;
  }
}

interface OperatorCall {
  path?: string;
  body?: unknown;
  signal?: AbortSignal;
}

interface OperatorBounds {
  timeoutMs: number;
  answerBytesMax: number;
}

/** To one operator's server. User and password of the URL become basic authentication. */
export class OperatorHttp {
  private readonly agent: Dispatcher;
  private readonly baseUrl: string;
  private readonly headers: Record<string, string>;

  constructor(
    url: string,
    private readonly bounds: OperatorBounds,
  ) {
    const parsed = new URL(url);
    const { username, password } = parsed;
    parsed.username = '';
    parsed.password = '';
    this.baseUrl = parsed.href.replace(/\/$/, '');
    const basic = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString(
      'base64',
    );
    this.headers = {
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...(username === '' && password === '' ? {} : { authorization: `Basic ${basic}` }),
    };
    const connectTimeoutMs = bounds.timeoutMs;
    const agent = { connect: { timeout: connectTimeoutMs }, maxResponseSize: bounds.answerBytesMax };
    this.agent = proxiedAgent({ connectTimeoutMs, agent });
  }

  /** Whatever the status. @throws OperatorCallFailed; the reason of the caller's signal */
  async json({ path = '', body, signal }: OperatorCall): Promise<{ status: number; json: unknown }> {
    const deadline = AbortSignal.timeout(this.bounds.timeoutMs);
    try {
      const answer = await request(this.baseUrl + path, {
        dispatcher: this.agent,
        method: body === undefined ? 'GET' : 'POST',
        headers: body === undefined ? this.headers : { ...this.headers, 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      });
      return { status: answer.statusCode, json: parsedJson(await answer.body.text(), answer.statusCode) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof OperatorCallFailed) {
        throw error;
      }
      throw new OperatorCallFailed(
        deadline.aborted
          ? `no answer within ${this.bounds.timeoutMs} ms`
          : `the call failed: ${codeOf(error) ?? 'no answer'}`,
        null,
        error,
      );
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

function parsedJson(body: string, status: number): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch (cause) {
    const text = status === 401 || status === 403 ? 'is a refusal of user and password' : 'is not JSON';
    throw new OperatorCallFailed(`the answer (${status}) ${text}`, status, cause);
  }
}

function codeOf(error: unknown): string | undefined {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: { code?: string } };
  return code ?? cause?.code;
}

export interface RpcRequest {
  method: string;
  params: unknown[];
}

export class RpcError extends Error {
  constructor(
    readonly method: string,
    /** The node's; bitcoind: -5 for an unknown transaction, -18 for an unknown wallet. */
    readonly code: number,
    readonly text: string,
  ) {
    super(`${method}: ${text} (${code})`);
    this.name = new.target.name;
  }
}

export type RpcOutcome = { result: unknown } | { error: RpcError };

export class JsonRpc {
  requests = 0;

  constructor(
    private readonly http: OperatorHttp,
    private readonly signal?: AbortSignal,
    private readonly path = '',
  ) {}

  /** @throws RpcError, OperatorCallFailed */
  async call(method: string, ...params: unknown[]): Promise<unknown> {
    const { status, json } = await this.post({ jsonrpc: '2.0', id: 0, method, params });
    const outcome = outcomeOf(json, method, status);
    if ('error' in outcome) {
      throw outcome.error;
    }
    return outcome.result;
  }

  /** Outcomes in the order of requests. @throws OperatorCallFailed, also for a missing one */
  async batch(calls: readonly RpcRequest[]): Promise<RpcOutcome[]> {
    if (calls.length === 0) {
      return [];
    }
    const body = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
    const { status, json } = await this.post(body);
    if (!Array.isArray(json) || json.length !== calls.length) {
      throw new OperatorCallFailed(`the answer (${status}) to a batch is not one of as many`, status);
    }
    const byId = new Map((json as unknown[]).map((entry) => [(entry as { id?: unknown } | null)?.id, entry]));
    return calls.map(({ method }, id) => outcomeOf(byId.get(id), method, status));
  }

  private post(body: object) {
    this.requests += 1;
    return this.http.json({ path: this.path, body, signal: this.signal });
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
    return {
      error: new RpcError(method, Number(shownValue(error.code)), shownValue(error.message).slice(0, 200)),
    };
  }
  if (result === undefined) {
    throw new OperatorCallFailed(`${method}: the answer (${status}) has no result`, status);
  }
  return { result };
}
