import { isObject, type JsonObject, parsedJson } from '../runtime/json';

/** In which form an error is told: the reference's, or the object that OpenAI's clients read. */
export const ERROR_FORMS = ['reference', 'openai'] as const;

export type ErrorForm = (typeof ERROR_FORMS)[number];

/** What decides between the forms, so that a cache keeps the answers apart. */
export const VARYING = 'X-Error-Format, X-Stainless-Lang, User-Agent';

/** In the form of the reference, with whatever else the error says. */
export interface ReferenceError {
  readonly error: string;
  readonly message: string;
  readonly request_id: string;
  readonly timestamp: string;
  readonly [field: string]: unknown;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Whether a path belongs to the interface whose clients others have written. */
export function isUnderV1(url: string): boolean {
  return /^\/+v1(?:[/?#]|$)/.test(url);
}

/** @param byDefault of clients of /v1 that are not known to read either */
export function errorFormOf(url: string, headers: Headers, byDefault: ErrorForm): ErrorForm {
  if (!isUnderV1(url)) {
    return 'reference';
  }
  const asked = String(headers['x-error-format'] ?? '').toLowerCase();
  const named = ERROR_FORMS.find((form) => form === asked);
  return named ?? (readsObject(headers) ? 'openai' : byDefault);
}

/** OpenAI's SDKs, and whatever is built on them, send X-Stainless-*; Vercel's AI SDK names itself. */
function readsObject(headers: Headers): boolean {
  return (
    Object.keys(headers).some((name) => name.startsWith('x-stainless-')) ||
    /\bai-sdk\//i.test(String(headers['user-agent'] ?? ''))
  );
}

/** Source: OpenAI's API reference, "Errors". Types of statuses that are not named here follow from their class. */
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

export function errorType(status: number): string {
  return TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error');
}

/** The same error as OpenAI's clients read it: what it is about stands in the object, what names the call beside it. */
export function openAiError(status: number, told: ReferenceError): object {
  const { error, message, request_id, timestamp, code = snakeCase(error), param, ...others } = told;
  return {
    error: { message, type: errorType(status), code, param: param ?? faultyField(others), ...others },
    request_id,
    timestamp,
  };
}

/**
 * The body of an upstream's refusal in OpenAI's form; null where it is of that form already. Its words stay.
 * @param told the error in the place of which the body was sent
 */
export function refusalAsOpenAi(status: number, body: string, told: ReferenceError): object | null {
  const json = parsedJson(body);
  const { error } = isObject(json) ? json : {};
  if (isObject(error) && typeof error.message === 'string') {
    return null;
  }
  const fields: JsonObject = isObject(json) ? json : {};
  const words = [error, jsonMessage(error), fields.message, fields.detail].find(
    (text) => typeof text === 'string',
  );
  return openAiError(status, { ...told, message: words ?? told.message });
}

function jsonMessage(error: unknown): unknown {
  return isObject(error) ? error.message : undefined;
}

function snakeCase(words: string): string {
  return words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
}

function faultyField({ details }: Readonly<Record<string, unknown>>): string | null {
  const [first] = Array.isArray(details) ? (details as unknown[]) : [];
  return isObject(first) && typeof first.field === 'string' ? first.field : null;
}
