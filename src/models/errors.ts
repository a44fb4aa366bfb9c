import { apiError, ApiError, type ValidationDetail, ValidationFailed } from '../errors/api-errors';
import { isObject, type JsonObject, parsedJson } from '../runtime/json';

/** 404: no provider serves a model of this name, and unknown names are refused. */
export class ModelNotFound extends apiError(
  404,
  'Not Found',
  (model: string) =>
    `The model '${model}' does not exist, or not for this operation. GET /v1/models lists all.`,
  { openAi: { code: 'model_not_found', param: 'model' } },
) {}

const NOT_CONFIGURED = 'Model upstream not configured';

/** 503: no provider is configured that serves the operation. It is told what can be had without a model, as a sentence. */
export class ModelNotConfigured extends apiError(503, NOT_CONFIGURED, (without?: string) =>
  `This operation needs an upstream model, and none is configured. ${without ?? ''}`.trimEnd(),
) {}

/** 503: the pictures and scans among documents are read by no model, whichever upstreams there are. */
export class DocumentNeedsReader extends apiError(
  503,
  NOT_CONFIGURED,
  () =>
    'No model is configured that reads pictures and scans of documents. Of pictures, POST /api/omm/process with the task ocr asks one.',
) {}

/** 400: the model that would answer cannot honour these parameters, and to ignore them would change the answer. */
export class UnsupportedModelParameter extends ApiError {
  constructor(readonly refused: readonly ValidationDetail[]) {
    const message = `Unsupported by this model: ${refused.map(({ field }) => field).join(', ')}.`;
    super(400, 'Validation error', message, { fields: { details: refused } });
  }
}

const NO_COUNTERPART = 'The model that answers knows chats only, and they have no counterpart for this.';

export class UnsupportedFields {
  private readonly refused: ValidationDetail[] = [];

  add(field: string, message = NO_COUNTERPART): void {
    this.refused.push({ field, message });
  }

  throwAny(): void {
    if (this.refused.length > 0) {
      throw new UnsupportedModelParameter(this.refused);
    }
  }
}

/** @param at the path of the holder in the request. @throws ValidationFailed where the member is no text */
export function required(holder: JsonObject, name: string, at: string): string {
  const value = holder[name];
  if (typeof value === 'string') {
    return value;
  }
  throw missing(`${at}.${name}`);
}

export function missing(at: string): ValidationFailed {
  return new ValidationFailed([{ field: at, message: 'is required' }]);
}

/** 400: the input is longer than the model accepts. */
export class ModelInputTooLarge extends apiError(
  400,
  'Validation error',
  ({ message }: ValidationDetail) => message,
  (refused) => ({
    fields: { details: [refused] },
    openAi: { code: 'context_length_exceeded', param: refused.field },
  }),
) {}

/** 400: the request holds what may cost any amount, and the operator of this service has not priced it. */
export class UnpricedRequest extends apiError(
  400,
  'Validation error',
  (refused: readonly ValidationDetail[]) =>
    refused.map(({ field, message }) => `${field}: ${message}`).join('; '),
  (refused) => ({ fields: { details: refused } }),
) {}

/** Another upstream may be asked unless this one had begun. Its name is for the log: callers are not told it. */
export abstract class UpstreamFailure extends ApiError {
  /** Whether the upstream may bill for its answer, so that asking another one could cost twice. */
  hadBegun = false;

  constructor(
    status: 502 | 503 | 504,
    error: string,
    readonly upstream: string,
    what: string,
    options: { cause?: unknown; headers?: Record<string, string> } = {},
  ) {
    super(status, error, `The model upstream ${what}. Nothing was charged.`, options);
  }

  afterFirstByte(): this {
    this.hadBegun = true;
    return this;
  }
}

/** 502: the upstream could not be reached, answered with an unexpected status, or sent something that is no answer. */
export class UpstreamFailed extends UpstreamFailure {
  constructor(upstream: string, what: string, cause?: unknown) {
    super(502, 'Upstream error', upstream, what, { cause });
  }
}

/** 503: the upstream takes no calls at present, because it answered 429 or has just failed several times. */
export class UpstreamUnavailable extends UpstreamFailure {
  constructor(upstream: string, what: string, retryAfter: string | null) {
    const headers = retryAfter === null ? undefined : { 'Retry-After': retryAfter };
    super(503, 'Upstream unavailable', upstream, what, { headers });
  }
}

export class UpstreamBreakerOpen extends UpstreamUnavailable {
  constructor(upstream: string, retryAfterSeconds: number) {
    super(upstream, 'failed several times in a row and is left alone for a while', String(retryAfterSeconds));
  }
}

/** 504: the upstream did not connect, begin its answer or end it in time. */
export class UpstreamTimedOut extends UpstreamFailure {
  constructor(upstream: string, what: 'connect' | 'begin to answer' | 'end its answer', timeoutMs: number) {
    super(504, 'Gateway Timeout', upstream, `did not ${what} within ${timeoutMs} ms`);
  }
}

/** The upstream broke off a stream after its first event. What it had delivered is charged. */
export class UpstreamBrokeOff extends ApiError {
  /** @param reportedByUpstream whether the client got the upstream's own error event, which a second one would repeat */
  constructor(
    status: 502 | 503 | 504,
    readonly upstream: string,
    what: string,
    cause?: unknown,
    readonly reportedByUpstream = false,
  ) {
    super(
      status,
      status === 504 ? 'Gateway Timeout' : 'Upstream error',
      `The model upstream ${what} in the middle of its answer. What was delivered is charged.`,
      { cause },
    );
  }
}

/** 400, 404, 413 or 422: the upstream says that the request is at fault, and the client is told what it says. */
export class UpstreamRefused extends ApiError {
  /** @param body null where the client must not get the upstream's JSON text, or there is none */
  constructor(
    readonly upstream: string,
    status: number,
    body: string | null,
  ) {
    const sentence = body === null ? '' : sentenceIn(parsedJson(body)).slice(0, SENTENCE_LENGTH_MAX);
    const refusal = "The model's provider refused the request";
    super(status, 'Upstream refused', sentence === '' ? `${refusal}.` : `${refusal}: ${sentence}`, {
      body: body ?? undefined,
    });
  }
}

const SENTENCE_LENGTH_MAX = 1000;
const SENTENCE_DEPTH_MAX = 4;

/**
 * OpenAI and most others say it in an object `error`, Mistral in `message` or `detail`, FastAPI in a list of `detail`,
 * Ollama and xAI in a text `error`, Gemini in a list around it.
 */
function sentenceIn(said: unknown, depth = 0): string {
  if (typeof said === 'string' || depth > SENTENCE_DEPTH_MAX) {
    return typeof said === 'string' ? said.trim() : '';
  }
  if (Array.isArray(said)) {
    return (said as unknown[])
      .map((one) => sentenceIn(one, depth + 1))
      .filter((one) => one !== '')
      .join('; ');
  }
  const { error, message, detail, msg } = isObject(said) ? said : {};
  const places = [isObject(error) ? error : null, message, detail, msg, error];
  return places.map((place) => sentenceIn(place, depth + 1)).find((one) => one !== '') ?? '';
}

/** In UTF-16 units, of a model's own words. */
const WORDS_LENGTH_MAX = 300;

function quoted(words: string): string {
  // The answer is kept for retries, and that of a task as jsonb, which has no NUL.
  const said = words
    .replace(/[\s\0]+/g, ' ')
    .trim()
    .slice(0, WORDS_LENGTH_MAX)
    .toWellFormed();
  return said === '' ? '' : ` It says: “${said}”`;
}

/**
 * 502: a model's answer did not have the form that was asked for, nor did its second try. Its words are not told, because a
 * caller who has it answer in another form would be answered free of charge.
 */
export class AnswerLacksForm extends ApiError {
  /** @param faults one line each; clients are not shown them */
  constructor(
    readonly model: string,
    readonly faults: readonly string[],
    what = "The model's answer does not have the asked form.",
  ) {
    super(502, 'Upstream error', `${what} Nothing was charged.`);
  }
}

/** A model has read and answered, and its caller can have nothing else: what it used is charged although the call fails. */
export abstract class ChargedFailure extends ApiError {
  constructor(
    readonly model: string,
    error: string,
    what: string,
  ) {
    super(422, error, `${what} The tokens that it used are charged.`);
  }
}

/** 422: the model's answer does not fit into the output tokens that the call allows, and what had come is no part that could be given. */
export class AnswerCutOff extends ChargedFailure {
  constructor(model: string, tokensMax: number) {
    const what = `The model's answer does not fit into ${tokensMax} tokens: ask with a larger max_tokens.`;
    super(model, 'Answer cut off', what);
  }
}

export class ModelRefused extends ChargedFailure {
  constructor(model: string, words: string) {
    super(model, 'Model refused', `The model refuses to answer this.${quoted(words)}`);
  }
}
