import { Logger } from '@nestjs/common';
import type { UpstreamSettings } from '../../config/upstream-settings';
import { jsonField, type JsonObject, objectsOf, parsedJson } from '../../runtime/json';
import { UpstreamFailed, UpstreamRefused, UpstreamUnavailable } from '../errors';
import { saysError } from '../sse';
import { FailedAttempt } from './attempts';

const REDACTED = '[redacted]';
/** JSON inside a JSON text has more backslashes. */
const ESCAPED = /\\+u00([2-6][0-9a-f]|7[0-9a-e])/gi;

/** Only the redaction where the text holds the key in an escaped form. */
function withoutKey(text: string, apiKey: string | null): string {
  const rest = formsOf(apiKey).reduce((left, form) => left.replaceAll(form, REDACTED), text);
  return holdsKey(rest, apiKey) ? REDACTED : rest;
}

/** No client may get a text that repeats the upstream's key, in whatever escaped form. */
export function holdsKey(text: string, apiKey: string | null): boolean {
  const plain = unescaped(text);
  return formsOf(apiKey).some((form) => plain.includes(unescaped(form)));
}

function formsOf(apiKey: string | null): string[] {
  return apiKey === null ? [] : [apiKey, encodeURIComponent(apiKey)];
}

/** Drops all backslashes: servers differ in what they escape, such as `+` and `/`. */
function unescaped(text: string): string {
  return text
    .replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\\', '');
}

/** Servers name themselves in some of their errors. */
function withoutAddress(text: string, baseUrl: string): string {
  const { host, hostname } = new URL(baseUrl);
  // A bare name, such as a container's, may be a word of the text.
  const names = hostname.includes('.') || hostname === 'localhost' ? [host, hostname] : [host];
  return names.reduce((left, name) => left.replaceAll(name, REDACTED), text);
}

export type RefusingUpstream = Pick<UpstreamSettings, 'name' | 'baseUrl' | 'apiKey'>;

interface ReportedFailure {
  readonly status: number | null;
  readonly body: string | null;
  readonly retryAfter: string | null;
}

const logger = new Logger('Upstream');
const LOGGED_LENGTH_MAX = 500;
const PASSED_ON = new Set([400, 404, 413, 422]);

/** Only what another request would meet as well is an outage: one caller must shut nobody else out. */
export function reportedFailure(
  { name, baseUrl, apiKey }: RefusingUpstream,
  { status, body, retryAfter }: ReportedFailure,
  isUnknownRetryable = false,
): FailedAttempt {
  const reported = { status, body: body ?? '' };
  if (status !== null && PASSED_ON.has(status)) {
    const isFit = body !== null && parsedJson(body) !== undefined && !holdsKey(body, apiKey);
    const shown = isFit ? withoutAddress(body, baseUrl) : null;
    return new FailedAttempt(new UpstreamRefused(name, status, shown), false, false, reported);
  }
  const isOutage = status !== null && (status >= 500 || status === 429);
  if (status === 429 || (isOutage && retryAfter !== null)) {
    const failure = new UpstreamUnavailable(name, 'takes no more calls at present', retryAfter);
    return new FailedAttempt(failure, false, true);
  }
  const shown = withoutKey(body ?? '', apiKey).slice(0, LOGGED_LENGTH_MAX);
  const what = status === null ? 'answered with an error' : `answered with status ${status}`;
  logger.warn(`The upstream ${name} ${what}: ${shown}`);
  const isRetryable = isOutage || (status === null && isUnknownRetryable);
  return new FailedAttempt(new UpstreamFailed(name, what), isRetryable, isOutage, reported);
}

export function errorWithin(json: JsonObject): unknown {
  const { error, choices, object, status, type, response } = json;
  const failed = objectsOf(choices).find(
    (choice) => choice.finish_reason === 'error' || saysError(choice.error),
  );
  if (failed) {
    return saysError(failed.error) ? failed.error : (error ?? {});
  }
  if (type === 'response.failed') {
    return jsonField(response, 'error') ?? {};
  }
  return saysError(error) || (object === 'response' && status === 'failed') ? (error ?? {}) : null;
}

/** Null where it nests deeper than the stack goes. */
function jsonOf(value: object): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

export function failureWithin(
  refuser: RefusingUpstream,
  error: unknown,
  { retryAfter, isUnknownRetryable }: { retryAfter: string | null; isUnknownRetryable: boolean },
): FailedAttempt {
  const failure = { status: statusOf(error), body: jsonOf({ error }), retryAfter };
  return reportedFailure(refuser, failure, isUnknownRetryable);
}

/** The first match counts: an invalid key is the operator's fault, not the caller's. */
const NAMED: readonly (readonly [RegExp, number])[] = [
  [/rate.?limit|quota|too.?many|exhausted|throttl/i, 429],
  [/auth|api.?key|permission|forbidden|billing|insufficient|credit/i, 401],
  [/overloaded|unavailable|internal|server.?error|api_error|time.?d?.?out/i, 500],
  [/not.?found/i, 404],
  [
    /invalid|bad.?request|unsupported|context.?length|content.?(?:filter|policy)|moderation|too.?(?:long|large)/i,
    400,
  ],
];

function statusOf(error: unknown): number | null {
  const said = ['status', 'status_code', 'http_code', 'code', 'type'].map((name) => jsonField(error, name));
  const scalars = said.filter((one) => !(one instanceof Object));
  const number = scalars.map(Number).find((one) => Number.isInteger(one) && one >= 400 && one <= 599);
  const names = said.filter((one) => typeof one === 'string').join(' ');
  return number ?? NAMED.find(([name]) => name.test(names))?.[1] ?? null;
}
