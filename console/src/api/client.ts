import createClient from 'openapi-fetch';
import type { paths } from '../../../generated/types';

/** Where the API is: the console lies one folder below it, wherever a proxy has put both. */
export const apiRoot = new URL('../', document.baseURI.split('#')[0]).href.replace(/\/$/, '');

/**
 * The published API and nothing else. The browser adds the cookie of the session by itself; the header tells the service that
 * a change comes from the console, because no page of another origin can send it.
 */
export const api = createClient<paths>({
  baseUrl: apiRoot,
  credentials: 'same-origin',
  headers: { 'x-console': '1' },
});

interface ErrorBody {
  error?: unknown;
  message?: unknown;
  request_id?: unknown;
  details?: { field: string; message: string }[];
  retry_after?: number;
  limit_type?: 'per_request' | 'daily' | 'monthly';
  limit?: number;
  spent?: number;
  required?: number;
  available?: number;
  resets_at?: string | null;
}

/** The spending limit of a key that a call would have exceeded: USD. */
export interface ReachedLimit {
  type: 'per_request' | 'daily' | 'monthly';
  limit: number;
  spent: number;
  required: number;
  resetsAt: string | null;
}

/** What the API said instead of an answer. */
export class ApiError extends Error {
  readonly title: string;
  readonly requestId: string | undefined;
  readonly details: readonly { field: string; message: string }[];
  readonly retryAfterSeconds: number | undefined;
  readonly reachedLimit: ReachedLimit | undefined;
  /** What a call needs of credit, and what there is: USD. */
  readonly missingCredit: { required: number; available: number } | undefined;

  constructor(
    readonly status: number,
    body: unknown,
  ) {
    const members = membersOf(body);
    super(typeof members.message === 'string' ? members.message : '');
    this.title = typeof members.error === 'string' ? members.error : String(status);
    this.requestId = typeof members.request_id === 'string' ? members.request_id : undefined;
    this.details = Array.isArray(members.details) ? members.details : [];
    this.retryAfterSeconds = members.retry_after;
    const { limit_type: type, limit, spent, required, available, resets_at: resetsAt = null } = members;
    this.reachedLimit =
      type === undefined || limit === undefined || spent === undefined || required === undefined
        ? undefined
        : { type, limit, spent, required, resetsAt };
    this.missingCredit =
      status !== 402 || type !== undefined || required === undefined || available === undefined
        ? undefined
        : { required, available };
  }

  get needsPassword(): boolean {
    return this.status === 403 && this.title === 'Password needed';
  }

  /** A wrong password and an access key that has ended say nothing of the session. */
  get endsSession(): boolean {
    return this.status === 401 && this.title !== 'Invalid credentials' && !this.title.includes('API key');
  }

  /** What it says of one field of a form. */
  of(field: string): string | undefined {
    return this.details.find((detail) => detail.field === field)?.message;
  }
}

/** The errors of /v1 stand in a member of their own, as the SDKs of others expect. */
function membersOf(body: unknown): ErrorBody {
  if (typeof body !== 'object' || body === null) {
    return {};
  }
  const { error } = body as ErrorBody;
  if (typeof error !== 'object' || error === null) {
    return body;
  }
  const { message, type, request_id, ...others } = error as Record<string, unknown>;
  return { request_id, ...body, ...others, error: type, message };
}

/** What the client makes of an answer. */
export interface Answered<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** The body of a successful answer; anything else throws. */
export async function answer<Data>(call: Promise<Answered<Data>>): Promise<Data> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') {
      throw cause;
    }
    throw new ApiError(0, {});
  });
  if (!response.ok) {
    throw new ApiError(response.status, error);
  }
  return data as Data;
}

/** A key by which a change that is sent twice is made once. */
export function idempotencyKey(): { 'Idempotency-Key': string } {
  // randomUUID() is missing where the console is reached over plain HTTP.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return { 'Idempotency-Key': [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('') };
}
