import { apiError, ApiError, type ValidationDetail, ValidationFailed } from '../errors/api-errors';
import { isObject, type JsonObject, parsedJson } from '../runtime/json';

export class ModelNotFound extends apiError(
  404,
  'Not Found',
  (model: string) =>
    `The model '${model}' does not exist, or not for this operation. GET /v1/models lists all.`,
  { openAi: { code: 'model_not_found', param: 'model' } },
) {}

const NOT_CONFIGURED = 'Model upstream not configured';

/** 503: no provider for the operation is configured. `without` is a sentence that says what works without a model. */
export class ModelNotConfigured extends apiError(503, NOT_CONFIGURED, (without?: string) =>
  `This operation needs an upstream model, and none is configured. ${without ?? ''}`.trimEnd(),
) {}

/** 503: no model reads pictures or scans in documents, whichever upstreams are configured. */
export class DocumentNeedsReader extends apiError(
  503,
  NOT_CONFIGURED,
  () =>
    'No model is configured that reads pictures and scans of documents. Of pictures, POST /api/omm/process with the task ocr asks one.',
) {}

/** 400: the model cannot honour these parameters, and ignoring them would change the answer. */
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

/** @param at the path of the holder in the request. @throws ValidationFailed where the member is not a string */
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

export class ModelInputTooLarge extends apiError(
  400,
  'Validation error',
  ({ message }: ValidationDetail) => message,
  (refused) => ({
    fields: { details: [refused] },
    openAi: { code: 'context_length_exceeded', param: refused.field },
  }),
) {}

/** 400: the request holds something of unbounded cost that the operator has not priced. */
export class UnpricedRequest extends apiError(
  400,
  'Validation error',
  (refused: readonly ValidationDetail[]) =>
    refused.map(({ field, message }) => `${field}: ${message}`).join('; '),
  (refused) => ({ fields: { details: refused } }),
) {}

/** Another upstream may be asked unless this one had begun. Its name is only for the log. */
export abstract class UpstreamFailure extends ApiError {
  /** The upstream may bill for its answer, so that asking another one could cost twice. */
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

/** 502: the upstream was unreachable, or answered with an unexpected status or malformed content. */
export class UpstreamFailed extends UpstreamFailure {
  constructor(upstream: string, what: string, cause?: unknown) {
    super(502, 'Upstream error', upstream, what, { cause });
  }
}

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

export class UpstreamTimedOut extends UpstreamFailure {
  constructor(upstream: string, what: 'connect' | 'begin to answer' | 'end its answer', timeoutMs: number) {
    super(504, 'Gateway Timeout', upstream, `did not ${what} within ${timeoutMs} ms`);
  }
}

/** The upstream broke off a stream after its first event. What it delivered is charged. */
export class UpstreamBrokeOff extends ApiError {
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

/** 400, 404, 413 or 422: the upstream faults the request, and the client gets its reason. */
export class UpstreamRefused extends ApiError {
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

/** OpenAI sends an object `error`, Mistral `message` or `detail`, FastAPI and Gemini lists, Ollama and xAI a text. */
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

/** In UTF-16 units. */
const WORDS_LENGTH_MAX = 300;

function quoted(words: string): string {
  // Answers are kept for retries, those of tasks as jsonb, which has no NUL.
  const said = words
    .replace(/[\s\0]+/g, ' ')
    .trim()
    .slice(0, WORDS_LENGTH_MAX)
    .toWellFormed();
  return said === '' ? '' : ` It says: “${said}”`;
}

/** 502: neither try had the form asked for. Its words are withheld, or a caller could provoke this for free answers. */
export class AnswerLacksForm extends ApiError {
  constructor(
    readonly model: string,
    readonly faults: readonly string[],
    what = "The model's answer does not have the asked form.",
  ) {
    super(502, 'Upstream error', `${what} Nothing was charged.`);
  }
}

/** A model has answered and nothing of it can be given: its use is charged although the call fails. */
export abstract class ChargedFailure extends ApiError {
  constructor(
    readonly model: string,
    error: string,
    what: string,
  ) {
    super(422, error, `${what} The tokens that it used are charged.`);
  }
}

/** 422: the answer exceeds the call's output tokens, and no usable part of it came. */
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
