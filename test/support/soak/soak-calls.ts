import { parseUsd } from '../../../src/ledger/money';
import type { OperationPolicy } from '../../../src/contract/operation';
import { policyOf, type OperationId } from '../api/service';
import type { TestAccount } from '../api/world';
import type { ClientCall } from '../ledger/paid-load';
import type { PaidOrder } from '../ledger/paid-order';

const GIVEN_UP_AFTER_MS = 200_000;

export interface SoakRequest {
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: unknown;
  headers?: Record<string, string>;
  idempotencyKey?: string;
  /** In the place of the account's own. */
  credential?: string;
  /** For a stream: so many parts of it are read, and then the client goes away. */
  partsRead?: number;
}

export interface SoakCall extends ClientCall {
  operation: OperationId;
  isPriced: boolean;
  /** What the service called the failure; null where there was none, or no answer. */
  error: string | null;
  request: SoakRequest;
}

export interface SoakAnswer {
  call: SoakCall;
  /** Null where no answer of the service came. */
  status: number | null;
  body: SoakBody;
}

/** What errands read of JSON answers; the operation and its status decide which of it is there. */
export interface SoakBody {
  id: string;
  key_value: string;
  token: string;
  charged: number;
  data: { id: string; value: string; status: string };
  error: string | { message: string };
}

/** Clients of all operations, who remember what they were told. */
export class SoakCalls {
  readonly told: SoakCall[] = [];
  /** Calls with an Idempotency-Key whose clients do not know how theirs ended. */
  readonly unanswered = new Map<
    string,
    { operation: OperationId; account: TestAccount; request: SoakRequest }
  >();
  private made = 0;

  constructor(
    private readonly name: string,
    private readonly url: () => string,
  ) {}

  /** A name that nothing else in this run has. */
  newName(): string {
    this.made += 1;
    return `${this.name}-${this.made}`;
  }

  async call(operation: OperationId, account: TestAccount, request: SoakRequest = {}): Promise<SoakAnswer> {
    const policy = policyOf(operation);
    const requestId = this.newName();
    const call: SoakCall = {
      requestId,
      operation,
      request,
      isPriced: policy.price !== null,
      order: orderOf(requestId, operation, account, request),
      status: null,
      costNanoUsd: null,
      isReplay: false,
      body: '',
      error: null,
      sentAtMs: performance.now(),
      tookMs: 0,
    };
    await this.send(policy, account, request, call);
    call.tookMs = performance.now() - call.sentAtMs;
    this.told.push(call);
    const body = jsonOf(call.body);
    call.error = errorIn(call);
    this.noteKey(call, account);
    // Only the clients of keys compare answers with earlier ones.
    call.body = request.idempotencyKey === undefined ? '' : call.body;
    return { call, status: call.status, body: body as SoakBody };
  }

  /** Asks once more for all that nobody knows the end of. @returns whether there is nothing left */
  async askAgain(): Promise<boolean> {
    for (const { operation, account, request } of [...this.unanswered.values()]) {
      await this.call(operation, account, request);
    }
    return this.unanswered.size === 0;
  }

  /** @returns for each call that nobody knows the end of, its operation and how it was last answered */
  unansweredNow(): string[] {
    return [...this.unanswered].map(([key, { operation }]) => {
      const last = this.told.findLast(({ request }) => request.idempotencyKey === key);
      return `${operation} ${last?.status ?? 'no answer'} ${last?.error ?? ''}`.trim();
    });
  }

  private noteKey({ status, operation, request }: SoakCall, account: TestAccount): void {
    const key = request.idempotencyKey;
    if (key === undefined) {
      return;
    }
    if (status !== null && status < 500 && status !== 409) {
      this.unanswered.delete(key);
    } else {
      this.unanswered.set(key, { operation, account, request });
    }
  }

  private async send(
    policy: OperationPolicy,
    account: TestAccount,
    request: SoakRequest,
    call: SoakCall,
  ): Promise<void> {
    try {
      const signal = AbortSignal.timeout(GIVEN_UP_AFTER_MS);
      const response = await fetch(this.urlOf(policy, request), {
        method: policy.method,
        headers: headersOf(policy, account, request, call.requestId),
        body: bodyOf(request.body),
        signal,
      });
      const isStream = String(response.headers.get('content-type')).startsWith('text/event-stream');
      call.body = isStream ? await partsOf(response, request.partsRead) : await response.text();
      const cost = isStream ? costOfStream(call.body) : response.headers.get('x-request-cost');
      call.costNanoUsd = cost === null ? null : parseUsd(cost);
      call.isReplay = response.headers.get('idempotent-replayed') === 'true';
      // A proxy's own answer tells nothing; nor does a stream that says nowhere what it cost.
      const isAnswered = response.headers.has('x-request-id') && !(isStream && cost === null);
      call.status = isAnswered ? response.status : null;
    } catch {
      call.status = null;
    }
  }

  private urlOf(policy: OperationPolicy, { params = {}, query = {} }: SoakRequest): string {
    const path = policy.path.replaceAll(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    );
    const asked = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return `${this.url()}${path}${asked.size > 0 ? `?${asked.toString()}` : ''}`;
  }
}

/** What the service calls the failure of a call, in OpenAI's form too; null where there was none, or no answer. */
export function errorIn({ body, status }: ClientCall): string | null {
  const { error } = jsonOf(body);
  return status === null || status < 400 ? null : typeof error === 'object' ? error.message : (error ?? '');
}

function orderOf(id: string, operation: OperationId, account: TestAccount, request: SoakRequest): PaidOrder {
  const { idempotencyKey = null } = request;
  return { id, account, kind: 'other', path: operation, body: {}, idempotencyKey, lastServer: null };
}

function headersOf(
  policy: OperationPolicy,
  account: TestAccount,
  { body, credential, headers = {}, idempotencyKey }: SoakRequest,
  requestId: string,
): Record<string, string> {
  const credentials = {
    key: { 'x-api-key': credential ?? account.key },
    jwt: { authorization: `Bearer ${credential ?? account.token}` },
    none: {},
  };
  return {
    ...(body === undefined || Buffer.isBuffer(body) ? {} : { 'content-type': 'application/json' }),
    ...credentials[policy.auth],
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    'x-request-id': requestId,
    ...headers,
  };
}

function bodyOf(body: unknown): string | Buffer<ArrayBuffer> | undefined {
  if (body === undefined || Buffer.isBuffer(body)) {
    return body as Buffer<ArrayBuffer> | undefined;
  }
  return JSON.stringify(body);
}

async function partsOf(response: Response, partsRead = Infinity): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let parts = 0; parts < partsRead; parts += 1) {
    const { done, value } = await reader.read();
    if (done) {
      return text;
    }
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}

function costOfStream(text: string): string | null {
  return /^: cost=(\S+)/m.exec(text)?.[1] ?? null;
}

function jsonOf(text: string): Partial<SoakBody> {
  try {
    return JSON.parse(text) as Partial<SoakBody>;
  } catch {
    return {};
  }
}
