import { LRUCache } from 'lru-cache';
import { isObject } from '../../runtime/json';
import { UpstreamRefused } from '../errors';
import { FailedAttempt } from './attempts';
import type { ChatMessage } from '../model-provider';

const REMEMBERED_MS = 3_600_000;
const REMEMBERED_MODELS_MAX = 1000;
const OLDER = 'max_tokens';
const NEWER = 'max_completion_tokens';

type CapField = typeof OLDER | typeof NEWER;
export type WireRequest = Readonly<Record<string, unknown>> & { readonly model: string };
type Attempt<Answer> = (request: WireRequest) => Promise<Answer>;

const NAMES_USAGE = /stream_options|include_usage/;
const NAMES_NO_FIELD =
  /\b(?:unknown|unrecogni[sz]ed|unexpected|unsupported|extra|additional|not (?:permitted|allowed|supported))\b/i;
const ALWAYS_SENT = new Set(['model', 'messages', 'prompt', 'stream']);

/**
 * Learned per model for an hour, and only from an answer: a refusal may repeat what a caller sent. A request refused for
 * such a field has cost nothing, so it is retried without it.
 */
export class AddedFields {
  private readonly caps = remembered<CapField>();
  private readonly usage = remembered<'taken' | 'refused'>();

  /** OpenAI's newer models refuse `max_tokens`. */
  async capped<Answer>(request: WireRequest, attempt: Attempt<Answer>): Promise<Answer> {
    const field = this.caps.get(request.model) ?? OLDER;
    try {
      return await attempt(withCapIn(field, request));
    } catch (error) {
      if (!refusesCap(field, error)) {
        throw error;
      }
      const other = field === OLDER ? NEWER : OLDER;
      const answer = await attempt(withCapIn(other, request));
      this.caps.set(request.model, other);
      return answer;
    }
  }

  async streamed<Answer>(request: WireRequest, attempt: Attempt<Answer>): Promise<Answer> {
    const { model } = request;
    const known = this.usage.get(model);
    if (known === 'refused') {
      return attempt(withoutUsage(request));
    }
    try {
      const options = { ...optionsOf(request), include_usage: true };
      const answer = await attempt({ ...request, stream_options: options });
      this.usage.set(model, 'taken');
      return answer;
    } catch (error) {
      const refusal = refusalIn(error, [400, 422]);
      if (
        refusal === null ||
        !(NAMES_USAGE.test(refusal) || (known === undefined && mayMeanUsage(refusal, request)))
      ) {
        throw error;
      }
      const answer = await attempt(withoutUsage(request));
      this.usage.set(model, 'refused');
      return answer;
    }
  }
}

function mayMeanUsage(refusal: string, request: WireRequest): boolean {
  const words = new Set(refusal.match(/\w+/g));
  const isOther = Object.keys(request).some((name) => words.has(name) && !ALWAYS_SENT.has(name));
  return refusal === '' || (NAMES_NO_FIELD.test(refusal) && !isOther);
}

export function remembered<Value extends string | number>(): LRUCache<string, Value> {
  return new LRUCache<string, Value>({ max: REMEMBERED_MODELS_MAX, ttl: REMEMBERED_MS });
}

function withoutUsage(request: WireRequest): WireRequest {
  const others = Object.entries(optionsOf(request)).filter(([name]) => name !== 'include_usage');
  return { ...request, stream_options: others.length > 0 ? Object.fromEntries(others) : undefined };
}

function optionsOf({ stream_options: options }: WireRequest): Readonly<Record<string, unknown>> {
  return isObject(options) ? options : {};
}

function withCapIn(field: CapField, wire: WireRequest): WireRequest {
  if (field === OLDER && typeof wire[OLDER] === 'number' && wire[NEWER] === undefined) {
    return wire;
  }
  const { [OLDER]: older, [NEWER]: newer, ...request } = wire;
  const cap = newer ?? older;
  return { ...(request as WireRequest), ...(typeof cap === 'number' && { [field]: cap }) };
}

/** A refused value of the cap does not mean that the field is unknown. */
function refusesCap(field: CapField, error: unknown): boolean {
  const json: unknown = JSON.parse(refusalIn(error, [400]) || 'null');
  const { code, param, message } = isObject(json) && isObject(json.error) ? json.error : {};
  const isNamed = code === 'unsupported_parameter' && param === field;
  return isNamed || (typeof message === 'string' && message.includes(`Unsupported parameter: '${field}'`));
}

const CAP_FIELDS = [OLDER, NEWER, 'max_output_tokens'];
const ABOUT_A_CAP = /max_(?:completion_|output_)?tokens|context (?:length|window)|output tokens/i;
const TOO_SMALL = /too (?:small|low|short)|must be positive|budget_tokens/i;
const LEAST =
  /(?:at least|minimum(?: value)?(?: of| is)?|>=|(?:greater|more|larger|higher) than(?: or equal to)?) *(\d{1,9})\b/gi;
const LARGEST = /at most (\d{1,9})\b/i;

/** The operator may not have set the model's output bound: a model that finds the cap too large is asked without it. */
export class OpenCaps {
  private readonly largest = remembered<number>();

  async asking<Answer>(request: WireRequest, ask: Attempt<Answer>): Promise<Answer> {
    const capped = withCaps(request, (cap) => Math.min(cap, this.largest.get(request.model) ?? cap));
    try {
      return await ask(capped);
    } catch (error) {
      const refusal = refusalIn(error, [400, 422]);
      if (refusal === null || !ABOUT_A_CAP.test(refusal) || findsTooSmall(refusal, capped)) {
        throw error;
      }
      const answer = await ask(withCaps(request, () => undefined));
      const largest = Number(LARGEST.exec(refusal)?.[1]);
      if (largest > 0) {
        this.largest.set(request.model, largest);
      }
      return answer;
    }
  }
}

/** Without such a cap the answer could cost more than the balance that set it. Ranges are told of large ones, too. */
function findsTooSmall(refusal: string, capped: WireRequest): boolean {
  const cap = Math.max(...CAP_FIELDS.map((field) => Number(capped[field] ?? 0)));
  return TOO_SMALL.test(refusal) || [...refusal.matchAll(LEAST)].some(([, least]) => Number(least) > cap);
}

function withCaps(request: WireRequest, changed: (cap: number) => number | undefined): WireRequest {
  const caps = CAP_FIELDS.flatMap((field) => {
    const cap = request[field];
    return typeof cap === 'number' ? [[field, changed(cap)] as const] : [];
  });
  return { ...request, ...Object.fromEntries(caps) };
}

/** JSON text, the only kept body of a refusal; empty for none, null for another error or status. */
function refusalIn(error: unknown, statuses: readonly number[]): string | null {
  const failure = error instanceof FailedAttempt ? error.failure : null;
  const isMeant = failure instanceof UpstreamRefused && statuses.includes(failure.status);
  return isMeant ? (failure.options.body ?? '') : null;
}

/** The most reliable first. With `text` the schema is only in the prompt. */
const FORMATS = ['json_schema', 'json_object', 'text'] as const;
export type ResponseFormat = (typeof FORMATS)[number];

/** Remembered for an hour. A request refused for its format has cost nothing, and is made in the next format. */
export class ResponseFormats {
  private readonly known = remembered<ResponseFormat>();

  /** A refusal of a caller's schema is not remembered. */
  async asking<Answer>(
    request: WireRequest,
    isCallersSchema: boolean,
    attempt: (request: WireRequest, format: ResponseFormat) => Promise<Answer>,
  ): Promise<Answer> {
    const { model } = request;
    const first = this.known.get(model) ?? FORMATS[0];
    const asked = async (format: ResponseFormat): Promise<Answer> => {
      const answer = await attempt(inFormat(format, request), format);
      // Only success with a weaker format proves that the stronger one was at fault.
      if (format !== first && !isCallersSchema) {
        this.known.set(model, format);
      }
      return answer;
    };
    for (const format of FORMATS.slice(FORMATS.indexOf(first), -1)) {
      try {
        return await asked(format);
      } catch (error) {
        if (!refusesFormat(error)) {
          throw error;
        }
      }
    }
    return asked('text');
  }

  ignored(model: string, format: ResponseFormat): void {
    if (format === 'json_schema') {
      this.known.set(model, 'json_object');
    }
  }
}

function inFormat(format: ResponseFormat, request: WireRequest): WireRequest {
  const { response_format: asked, messages, ...rest } = request;
  if (format === 'json_schema') {
    return request;
  }
  const schema = isObject(asked) && isObject(asked.json_schema) ? asked.json_schema.schema : {};
  return {
    ...(rest as WireRequest),
    messages: withSchema(messages as readonly ChatMessage[], schema),
    ...(format === 'json_object' && { response_format: { type: 'json_object' } }),
  };
}

function withSchema([first, ...others]: readonly ChatMessage[], schema: unknown): ChatMessage[] {
  const instruction = `The answer is one JSON value that has the form of this JSON Schema:\n${JSON.stringify(schema)}`;
  const task = typeof first?.content === 'string' ? first.content : '';
  return first ? [{ ...first, content: `${task}\n\n${instruction}` }, ...others] : [];
}

const FAULTS_OF_REQUEST = [400, 404, 415, 422];
/** Some servers fail over a schema that they cannot turn into a grammar. */
const FAULTS_OF_SERVER = [500, 501];
const NAMES_FORMAT =
  /response.?format|json.?(?:schema|object|mode|validat)|structured.?output|guided|grammar|\bschema\b|\bstrict\b|generate json/i;
const NAMES_OTHER =
  /context|too (?:long|large|many)|max_\w*tokens|content.{0,3}(?:filter|policy|management)|moderat|safety|quota|billing|\bmodel\b.{0,80}(?:not found|not exist|unknown)/i;

function refusesFormat(error: unknown): boolean {
  const reported = error instanceof FailedAttempt ? error.reported : undefined;
  const { status = null, body = '' } = reported ?? {};
  if (status === null || ![...FAULTS_OF_REQUEST, ...FAULTS_OF_SERVER].includes(status)) {
    return false;
  }
  if (NAMES_FORMAT.test(body)) {
    return true;
  }
  return (status === 400 || status === 422 || status === 501) && !NAMES_OTHER.test(body);
}
