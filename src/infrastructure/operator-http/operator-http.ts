import { Agent, request } from 'undici';

/** undici's code for an answer that is longer than `maxResponseSize`. */
const TOO_LONG = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

/** A call failed: no connection, the time is over, too long an answer, no JSON. The message never has the URL. */
export class OperatorCallFailed extends Error {
  /** The answer had more bytes than are read: another call for less may go well, the same one never does. */
  readonly isTooLong: boolean;

  /** @param status of the answer; null where there was none */
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

export interface OperatorCall {
  /** Appended to the base URL as it is; empty for the base URL itself. */
  path?: string;
  /** Sent as JSON by POST; a GET where it is absent. */
  body?: unknown;
  signal?: AbortSignal;
}

export interface OperatorAnswer {
  status: number;
  /** The parsed JSON. */
  json: unknown;
}

export interface OperatorBounds {
  /** For connection, headers and body together. */
  timeoutMs: number;
  /** A longer answer is an error. */
  answerBytesMax: number;
}

/** The connections to one server of the operator's. User and password of its URL are sent as basic authentication. */
export class OperatorHttp {
  private readonly agent: Agent;
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
    this.agent = new Agent({
      connect: { timeout: bounds.timeoutMs },
      maxResponseSize: bounds.answerBytesMax,
    });
  }

  /**
   * Sends one request and reads its answer as JSON, whatever its status.
   * @throws OperatorCallFailed; the reason of the caller's signal where that aborts
   */
  async json({ path = '', body, signal }: OperatorCall): Promise<OperatorAnswer> {
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
        deadline.aborted ? `no answer within ${this.bounds.timeoutMs} ms` : faultOf(error),
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

/** The code of an error of the connection; its text may name addresses, and is left to the cause. */
function faultOf(error: unknown): string {
  return `the call failed: ${codeOf(error) ?? 'no answer'}`;
}

function codeOf(error: unknown): string | undefined {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: { code?: string } };
  return code ?? cause?.code;
}
