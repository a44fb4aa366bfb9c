import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../errors/api-errors';
import { isObject, jsonField, type JsonObject, parsedJson } from '../runtime/json';
import type { Clock } from '../runtime/clock';
import { newId } from '../runtime/ids';
import { closeLingering } from './request-body';
import { isUnderV1, latestAnswer } from './http-server';

const ERROR_FORMS = ['reference', 'openai'] as const;

/** Anthropic's is for messages, which have no other. */
export type ErrorForm = (typeof ERROR_FORMS)[number] | 'anthropic';

/** What decides the form, so that caches keep the answers apart. */
export const VARYING = 'X-Error-Format, X-Stainless-Lang, User-Agent';

export interface ReferenceError {
  readonly error: string;
  readonly message: string;
  readonly request_id: string;
  readonly timestamp: string;
  readonly [field: string]: unknown;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const MESSAGES = /^\/v1\/messages(?:[/?#]|$)/;

export function errorFormOf(url: string, headers: Headers, byDefault: ErrorForm): ErrorForm {
  if (!isUnderV1(url)) {
    return 'reference';
  }
  if (MESSAGES.test(url)) {
    return 'anthropic';
  }
  const requested = String(headers['x-error-format'] ?? '').toLowerCase();
  const named = ERROR_FORMS.find((form) => form === requested);
  return named ?? (readsObject(headers) ? 'openai' : byDefault);
}

/** OpenAI's SDKs and their derivatives send X-Stainless-*; Vercel's AI SDK names itself. */
function readsObject(headers: Headers): boolean {
  return (
    Object.keys(headers).some((name) => name.startsWith('x-stainless-')) ||
    /\bai-sdk\//i.test(String(headers['user-agent'] ?? ''))
  );
}

/** Source: OpenAI's API reference, "Errors". Other statuses follow from their class. */
const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  429: 'rate_limit_error',
  502: 'upstream_error',
  504: 'timeout',
};

function errorType(status: number): string {
  return TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error');
}

function openAiError(status: number, failure: ReferenceError) {
  const { error, message, request_id, timestamp, code = snakeCase(error), param, ...others } = failure;
  return {
    error: { message, type: errorType(status), code, param: param ?? faultyField(others), ...others },
    request_id,
    timestamp,
  };
}

/** The upstream's words; its type, code and parameter where its form is OpenAI's. */
function refusalAsOpenAi(status: number, body: string, failure: ReferenceError): object {
  const json = parsedJson(body);
  const fields: JsonObject = isObject(json) ? json : {};
  const own: JsonObject = isObject(fields.error) ? fields.error : {};
  const words = [own.message, fields.error, fields.message, fields.detail].find(isText);
  const { error, ...ids } = openAiError(status, { ...failure, message: words ?? failure.message });
  const kept = ['type', 'code', 'param'].flatMap((name) => (isText(own[name]) ? [[name, own[name]]] : []));
  return { error: { ...error, ...(Object.fromEntries(kept) as JsonObject) }, ...ids };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Anthropic has no type for other 4xx. Source: Anthropic's API reference, "Errors". */
const MESSAGE_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};

export function messageErrorType(status: number): string {
  return MESSAGE_TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}

function messageError(status: number, failure: ReferenceError, refusal?: string): object {
  const { error: name, message, request_id, timestamp, ...fields } = failure;
  const own = refusal === undefined ? null : refusalOf(refusal);
  const said = { type: own?.type ?? messageErrorType(status), message: own?.message ?? message, name };
  return { type: 'error', error: { ...said, ...fields, ...said }, request_id, timestamp };
}

function refusalOf(body: string): { type: string | null; message: string | null } {
  const json = parsedJson(body);
  const error = jsonField(json, 'error');
  const texts = [jsonField(error, 'message'), error, jsonField(json, 'message'), jsonField(json, 'detail')];
  const isMessageError = jsonField(json, 'type') === 'error' && isObject(error);
  return {
    type: isMessageError ? textOf(error.type) : null,
    message: texts.map(textOf).find(Boolean) ?? null,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** @param details OpenAI's extra fields, and an upstream's refusal, whose words clients read themselves */
export function errorInForm(
  form: ErrorForm,
  status: number,
  failure: ReferenceError,
  details: { readonly openAi?: object; readonly body?: string } = {},
): object {
  switch (form) {
    case 'openai':
      return details.body === undefined
        ? openAiError(status, { ...failure, ...details.openAi })
        : refusalAsOpenAi(status, details.body, failure);
    case 'anthropic':
      return messageError(status, failure, details.body);
    case 'reference':
      return failure;
  }
}

/** Anthropic's clients look for the id in this header. */
export function idsIn(form: ErrorForm, requestId: string): Record<string, string> {
  return form === 'anthropic' ? { 'request-id': requestId } : {};
}

function snakeCase(words: string): string {
  return words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
}

function faultyField({ details }: Readonly<Record<string, unknown>>): string | null {
  const [first] = Array.isArray(details) ? (details as unknown[]) : [];
  return isObject(first) && typeof first.field === 'string' ? first.field : null;
}

export interface PlainAnswerParts {
  headers: Readonly<Record<string, string>>;
  clock: Clock;
}

export function plainError(
  { headers, clock }: PlainAnswerParts,
  requestId: string,
  { status, error, message, options }: ApiError,
  form: ErrorForm = 'reference',
): { headers: Record<string, string>; body: string } {
  const timestamp = clock.now().toISOString();
  const failure = { error, message, request_id: requestId, timestamp, ...options.fields };
  return {
    headers: {
      ...headers,
      ...options.headers,
      'x-request-id': requestId,
      ...idsIn(form, requestId),
      'content-type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify(errorInForm(form, status, failure)),
  };
}

type Fault = readonly [status: number, message: string];

const MALFORMED: Fault = [400, 'The request is not valid HTTP.'];

const FAULTS: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request line and the headers are too long.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The extensions of the body's chunks are too long."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

/** Answers what Node cannot parse, and closes, because what follows can't be told apart. */
export class TransportFaults {
  private readonly answered = new WeakSet<Socket>();

  constructor(private readonly parts: PlainAnswerParts) {}

  answer(error: NodeJS.ErrnoException, socket: Socket): void {
    if (this.answered.has(socket)) {
      return;
    }
    if (!socket.writable || error.code === 'ECONNRESET' || !this.isFree(socket)) {
      socket.destroy(error);
      return;
    }
    this.answered.add(socket);
    socket.write(this.text(FAULTS[error.code ?? ''] ?? MALFORMED));
    closeLingering(socket);
  }

  /** Whether bytes sent now would be the faulty request's answer: none earlier is open. */
  private isFree(socket: Socket): boolean {
    const latest = latestAnswer(socket);
    if (latest === undefined || latest.writableFinished) {
      return true;
    }
    // The fault is in the latest body. An answer behind others has no socket.
    return !latest.req.complete && latest.socket !== null && !latest.headersSent;
  }

  private text([status, message]: Fault): string {
    const error = STATUS_CODES[status] ?? '';
    const { headers, body } = plainError(this.parts, newId(), new ApiError(status, error, message));
    const lines = Object.entries({
      ...headers,
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    return `HTTP/1.1 ${status} ${error}\r\n${lines.join('')}\r\n${body}`;
  }
}
