import { isObject, jsonField, type JsonObject, parsedJson } from '../../runtime/json';
import type { ApiError } from '../../errors/api-errors';

/** Anthropic has no type for other statuses of 4xx. Source: Anthropic's API reference, "Errors". */
const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};
const MESSAGES = /^\/v1\/messages(?:[/?]|$)/;

/** Whether clients of this path read errors in Anthropic's form. */
export function readsMessageErrors(url: string): boolean {
  return MESSAGES.test(url);
}

export function messageErrorType(status: number): string {
  return TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}

/**
 * An error in Anthropic's form. What an upstream refused is told in its own words, and under its own type where it has one.
 * @param body the error in this service's own form, whose further members stand beside type and message
 */
export function messageError({ status, options }: ApiError, body: OwnBody): object {
  const { error: name, message, request_id, timestamp, ...fields } = body;
  const own = options.body === undefined ? null : refusalOf(options.body);
  const said = { type: own?.type ?? messageErrorType(status), message: own?.message ?? message, name };
  return { type: 'error', error: { ...said, ...fields, ...said }, request_id, timestamp };
}

interface OwnBody extends JsonObject {
  readonly error: string;
  readonly message: string;
  readonly request_id: string;
  readonly timestamp: string;
}

/** Upstreams say what is wrong in one of these places. */
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
