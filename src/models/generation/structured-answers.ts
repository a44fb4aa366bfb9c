import { Injectable } from '@nestjs/common';
import { believedTokens, cacheUse, type TokenUse, wholeTokens } from '../../ledger/money';
import { objectsOf } from '../../runtime/json';
import { TokenCounter } from '../../text/token-counter';
import {
  AnswerCutOff,
  AnswerLacksForm,
  ModelNotConfigured,
  ModelRefused,
  UnsupportedModelParameter,
  UpstreamFailure,
  UpstreamRefused,
} from '../errors';
import type {
  CallProgress,
  ChatRequest,
  ChatResponse,
  ContentPart,
  Engine,
  ModelAnswer,
} from '../model-provider';
import { ANY_MODEL, type ModelRoute, Models } from '../models';
import { estimateRequestTokens } from '../request-tokens';
import { reportedUse } from '../usage';
import { producedByMessage, saidByModel } from '../message-text';
import { isCallersSchema, type JsonSchema, judgeAnswer, judgeValue } from './answer-schema';
import { askedSchema, cutAnswer, FaultTally } from './output-schema';
import type { Prompt, Correction } from './prompt';

export interface StructuredQuestion<Value> {
  readonly prompt: Prompt;
  readonly media?: readonly ContentPart[];
  /** At most 64 letters, digits, `_` and `-`. */
  readonly name: string;
  /** OpenAI's strict mode wants every property required and `additionalProperties` false. */
  readonly schema: JsonSchema;
  /** Returns faults as sentences for the model. A value that was cut off has fewer items and shorter texts. */
  readonly check?: (value: never, isCut: boolean) => readonly string[];
  readonly read: (value: never, tally: FaultTally) => Value;
}

export interface OutputRoom {
  readonly answerTokensMax: number;
  /** Of both requests together. It bounds the second request after an answer that was cut off. */
  readonly outputTokensMax: number;
  /** The service has chosen the room: a model may be too small for it, and the caller is not to blame. */
  readonly isOutputOpen: boolean;
}

const ROOM_GROWTH = 2;

/** @param outputTokensMax null for the service's default, at most what the models write, which may grow once */
export function outputRoom(
  route: ModelRoute,
  outputTokensMax: number | null,
  answerTokensDefault: number,
): OutputRoom {
  if (outputTokensMax !== null) {
    return { answerTokensMax: outputTokensMax, outputTokensMax, isOutputOpen: false };
  }
  const largest = Math.min(...route.stops.map(({ model }) => model.outputTokensMax ?? Infinity));
  const answerTokensMax = Math.min(answerTokensDefault, largest);
  const again = Math.min(ROOM_GROWTH * answerTokensMax, largest);
  return { answerTokensMax, outputTokensMax: answerTokensMax + again, isOutputOpen: true };
}

export interface AskingTerms extends OutputRoom {
  readonly route: ModelRoute;
  readonly signal?: AbortSignal;
  readonly follow?: (request: ChatRequest) => CallProgress;
  readonly used?: (use: TokenUse) => void;
}

interface StructuredAnswer<Value> {
  readonly value: Value;
  readonly isCut: boolean;
  readonly dropped: number;
  readonly usage: TokenUse;
  readonly model: string;
  readonly engine: Engine;
}

/** With fewer output tokens left a second answer would be cut off, so none is asked for. */
const SECOND_OUTPUT_TOKENS_MIN = 16;
/** In UTF-16 units: enough of an answer for the model to see what it meant. */
const SHOWN_LENGTH_MAX = 20_000;
/** The most tokens that a second request adds to the first, beside the answer it shows. */
export const REPAIR_TOKENS_MAX = 4_500;

/** A faulty answer is asked for once more with its faults, one cut off with twice the room; never a third time. */
@Injectable()
export class StructuredAnswers {
  constructor(
    private readonly models: Models,
    private readonly counter: TokenCounter,
  ) {}

  /** @throws ModelNotConfigured, ModelRefused, AnswerCutOff, AnswerLacksForm, what Models.chat and countAll throw */
  async ask<Value>(
    question: StructuredQuestion<Value>,
    terms: AskingTerms,
  ): Promise<StructuredAnswer<Value>> {
    const first = await this.attempt(question, terms, {
      tokensMax: Math.min(terms.answerTokensMax, terms.outputTokensMax),
    });
    const second = first.outcome === 'good' ? null : secondTry(first, terms);
    if (second === null) {
      return answerOf(question, terms, [first]);
    }
    try {
      return answerOf(question, terms, [first, await this.attempt(question, terms, second)]);
    } catch (error) {
      // A refused second request is not the caller's fault: the first was accepted.
      if (error instanceof UpstreamRefused || (error instanceof UpstreamFailure && first.usable !== null)) {
        return answerOf(question, terms, [first]);
      }
      throw error;
    }
  }

  /** The most that the question may use. Throws what TokenCounter.countAll throws. */
  async estimate(
    question: StructuredQuestion<unknown>,
    terms: Pick<AskingTerms, 'answerTokensMax' | 'outputTokensMax' | 'signal'>,
  ): Promise<TokenUse> {
    const request = requestOf(question, { tokensMax: terms.answerTokensMax });
    const asked = await estimateRequestTokens(request, this.counter, { signal: terms.signal });
    // The second request repeats the first and may show its answer.
    const inputTokens = 2 * asked + terms.answerTokensMax + REPAIR_TOKENS_MAX;
    return { inputTokens, outputTokens: terms.outputTokensMax };
  }

  private async attempt<Value>(
    question: StructuredQuestion<Value>,
    { signal, route, follow, isOutputOpen }: AskingTerms,
    asking: Asking,
  ): Promise<Attempt<Value>> {
    const request = requestOf(question, asking);
    const ownFormat = { isCallersSchema: isCallersSchema(question.schema) };
    const answer = await this.models
      .chat(request, { signal, ownCap: true, ownFormat, isOutputOpen, route, progress: follow?.(request) })
      .catch((error: unknown): ModelAnswer<ChatResponse> => {
        // The embedded provider refuses every schema, because it only quotes: no model is configured.
        throw error instanceof UnsupportedModelParameter ? new ModelNotConfigured() : error;
      });
    const { response, engine } = answer;
    const said = saidIn(response);
    const { producedTokens, ...use } = await this.distrustedUse(response, request, signal);
    const judged = judge(question, said);
    if (judged.outcome === 'faulty' && ignoresSchema(said.text, question.schema)) {
      answer.ignoresFormat?.();
    }
    const { tokensMax } = asking;
    return { ...said, ...judged, use, producedTokens, tokensMax, model: response.model, engine };
  }

  /** Reported use within the request's cap. `producedTokens`, at least those counted, bounds a second request. */
  private async distrustedUse(
    response: ChatResponse,
    request: ChatRequest,
    signal?: AbortSignal,
  ): Promise<TokenUse & { readonly producedTokens: number }> {
    const outputTokensMax = request.max_completion_tokens ?? 0;
    const reported = reportedUse(response.usage);
    const [choice] = objectsOf(response.choices);
    const produced = await this.counter.countAll(producedByMessage(choice?.message), signal);
    const counted = Math.min(produced, outputTokensMax);
    const claimed = wholeTokens(reported.outputTokens);
    const outputTokens = claimed === null ? counted : believedTokens(claimed, outputTokensMax);
    const inputTokens =
      wholeTokens(reported.inputTokens) ?? (await estimateRequestTokens(request, this.counter, { signal }));
    const cached = cacheUse(reported, inputTokens);
    return { ...cached, inputTokens, outputTokens, producedTokens: Math.max(outputTokens, counted) };
  }
}

interface Asking {
  readonly tokensMax: number;
  readonly second?: Correction;
}

function requestOf(
  { prompt, media, name, schema }: StructuredQuestion<unknown>,
  { tokensMax, second }: Asking,
): ChatRequest {
  const isCallers = isCallersSchema(schema);
  const asked = { name, strict: !isCallers, schema: isCallers ? schema : askedSchema(schema) };
  return {
    model: ANY_MODEL,
    messages: prompt.messages('json', { media, second }),
    max_completion_tokens: tokensMax,
    response_format: { type: 'json_schema', json_schema: asked },
  };
}

/** `unsupported`: the form is right, but nothing it quotes stands in the material. */
type Outcome = 'good' | 'unsupported' | 'cut' | 'faulty' | 'refused';

interface Judged<Value> {
  readonly outcome: Outcome;
  readonly faults: readonly string[];
  /** Given where no better answer comes. */
  readonly usable: { readonly value: Value; readonly dropped: number } | null;
}

interface Attempt<Value> extends Said, Judged<Value> {
  readonly use: TokenUse;
  readonly producedTokens: number;
  readonly tokensMax: number;
  readonly model: string;
  readonly engine: Engine;
}

function judge<Value>(question: StructuredQuestion<Value>, { text, isCut, refusal }: Said): Judged<Value> {
  if (refusal !== null) {
    return { outcome: 'refused', faults: [], usable: null };
  }
  const { schema, check } = question;
  const verdict = judgeAnswer(text, schema, check && ((value: never) => check(value, false)));
  if ('value' in verdict) {
    const { usable, faults } = read(question, verdict.value);
    return { outcome: faults.length > 0 ? 'unsupported' : 'good', faults, usable };
  }
  if (!isCut) {
    return { outcome: 'faulty', faults: verdict.faults, usable: null };
  }
  const rest = cutAnswer(text, schema);
  const isFit = judgeValue(rest, schema, check && ((value: never) => check(value, true))).length === 0;
  return { outcome: 'cut', faults: [], usable: isFit ? read(question, rest).usable : null };
}

function read<Value>(question: StructuredQuestion<Value>, output: unknown) {
  const tally = new FaultTally();
  const value = question.read(output as never, tally);
  return { usable: { value, dropped: tally.dropped }, faults: tally.faultsOfAll };
}

function ignoresSchema(text: string, schema: JsonSchema): boolean {
  return !isCallersSchema(schema) && 'faults' in judgeAnswer(text, askedSchema(schema));
}

function secondTry(
  first: Attempt<unknown>,
  { outputTokensMax, answerTokensMax }: AskingTerms,
): Asking | null {
  const left = outputTokensMax - first.producedTokens;
  if (first.outcome === 'cut') {
    const tokensMax = Math.min(ROOM_GROWTH * first.tokensMax, left);
    return tokensMax > first.tokensMax ? { tokensMax, second: { note: CUT_NOTE, material: {} } } : null;
  }
  const tokensMax = Math.min(answerTokensMax, left);
  if (first.outcome === 'refused' || tokensMax < SECOND_OUTPUT_TOKENS_MIN) {
    return null;
  }
  const material = {
    // Some servers refuse empty texts.
    former_answer: first.text.slice(0, SHOWN_LENGTH_MAX) || '(no answer)',
    faults: first.faults.map((fault) => `- ${fault}`).join('\n'),
  };
  return { tokensMax, second: { note: MEND_NOTE, material } };
}

const CUT_NOTE = 'You have answered before, at a length at which the answer was cut off. Keep it short.';
const MEND_NOTE =
  'You have answered before: `former_answer` is your answer, and `faults` says what is wrong with it. Do the same task again without these faults.';

/** An absurd count of cached tokens leaves those of the other requests alone. */
export function usesTogether(uses: readonly TokenUse[]): TokenUse {
  const cached = uses.map((use) => cacheUse(use, use.inputTokens));
  const sum = (name: keyof TokenUse, parts: readonly Partial<TokenUse>[]) =>
    parts.reduce((total, part) => total + (part[name] ?? 0), 0);
  const inputTokens = sum('inputTokens', uses);
  const together = {
    cachedTokens: sum('cachedTokens', cached),
    cacheWriteTokens: sum('cacheWriteTokens', cached),
  };
  return { inputTokens, outputTokens: sum('outputTokens', uses), ...cacheUse(together, inputTokens) };
}

function answerOf<Value>(
  question: StructuredQuestion<Value>,
  { used, isOutputOpen }: AskingTerms,
  attempts: readonly [Attempt<Value>, ...Attempt<Value>[]],
): StructuredAnswer<Value> {
  const usage = usesTogether(attempts.map(({ use }) => use));
  const last = attempts.at(-1) ?? attempts[0];
  used?.(usage);
  if (last.refusal !== null) {
    throw new ModelRefused(last.model, last.refusal);
  }
  const given = attempts.findLast(({ usable }) => usable !== null);
  if (!given?.usable) {
    throw faultOf(last, isOutputOpen);
  }
  const { model, outcome, usable } = given;
  const engine = { ...given.engine, prompt: question.prompt.id };
  return { ...usable, isCut: outcome === 'cut', usage, model, engine };
}

function faultOf(
  { outcome, model, faults, tokensMax }: Attempt<unknown>,
  isOutputOpen: boolean,
): AnswerLacksForm | AnswerCutOff {
  if (outcome === 'cut') {
    const what = `The model's answer was cut off at ${tokensMax} tokens, before it could be used.`;
    return isOutputOpen ? new AnswerLacksForm(model, [], what) : new AnswerCutOff(model, tokensMax);
  }
  return new AnswerLacksForm(model, faults);
}

interface Said {
  readonly text: string;
  readonly isCut: boolean;
  /** In the model's own words; null where it did not refuse. */
  readonly refusal: string | null;
}

function saidIn(response: ChatResponse): Said {
  const [choice] = objectsOf(response.choices);
  const { text, refusal } = saidByModel(choice?.message);
  const finish = choice?.finish_reason;
  return {
    text,
    isCut: finish === 'length',
    refusal: refusal !== '' ? refusal : finish === 'content_filter' ? text : null,
  };
}
