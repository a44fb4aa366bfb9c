import type { ValidationDetail } from '../../errors/api-errors';
import { isGiven } from '../../runtime/json';
import { EMBEDDED_CHAT_MODEL } from '../../text/extractive-answer';
import { ModelInputTooLarge, UnsupportedModelParameter } from '../errors';
import type {
  ChatRequest,
  CompletionRequest,
  ContentPart,
  EmbeddingRequest,
  ModelDescription,
} from '../model-provider';

export const EMBEDDED_EMBEDDING_MODEL = 'embedded-hash-384';
export const EMBEDDED_DIMENSIONS_MAX = 384;

/** Unix time in seconds. */
const CREATED = 1_763_683_200;
const MESSAGES_MAX = 1_000;
const TEXT_LENGTH_MAX = 400_000;
const EMBEDDING_INPUTS_MAX = 2_048;

/** Of what is answered without a model, unless the caller names another number. */
export const EMBEDDED_OUTPUT_TOKENS_MAX = 1_024;

const OF_EMBEDDED = { created: CREATED, ownedBy: 'embedded', outputTokensMax: EMBEDDED_OUTPUT_TOKENS_MAX };

/** Their names say what they are, so that nobody takes them for a language model. */
export const EMBEDDED_MODELS: readonly ModelDescription[] = [
  { id: EMBEDDED_CHAT_MODEL, aliases: ['embedded'], operations: ['chat', 'complete'], ...OF_EMBEDDED },
  { id: EMBEDDED_EMBEDDING_MODEL, operations: ['embed'], ...OF_EMBEDDED },
];

/** @throws ModelInputTooLarge; the bound is for all texts together, in UTF-16 units */
export function limitText(field: string, texts: readonly string[]): void {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > TEXT_LENGTH_MAX) {
    refuseTooLarge(field, `At most ${TEXT_LENGTH_MAX} characters in all.`);
  }
}

function refuseTooLarge(field: string, message: string): never {
  throw new ModelInputTooLarge({ field, message });
}

type Harmless = (value: unknown) => boolean;

const STOPS_MAX = 16;

const isFalse: Harmless = (value) => value === false;
const isOne: Harmless = (value) => value === 1;
const isNone: Harmless = (value) => value === 'none';
const isEmpty: Harmless = (value) => typeof value === 'object' && Object.keys(value ?? {}).length === 0;
const isFewTexts: Harmless = (value) => [value].flat().length <= STOPS_MAX && [value].flat().every(isText);
const never: Harmless = () => false;

const CHAT_PARAMETERS: Record<string, Harmless> = {
  tools: isEmpty,
  tool_choice: isNone,
  functions: isEmpty,
  function_call: isNone,
  response_format: (value) => (value as { type?: unknown }).type === 'text',
  logprobs: isFalse,
  top_logprobs: never,
  logit_bias: isEmpty,
  n: isOne,
  stream: isFalse,
  stop: isFewTexts,
  modalities: (value) => Array.isArray(value) && value.every((modality) => modality === 'text'),
  audio: never,
  web_search_options: never,
};

const COMPLETION_PARAMETERS: Record<string, Harmless> = {
  prompt: (value) =>
    typeof value === 'string' || (Array.isArray(value) && value.length === 1 && isText(value[0])),
  suffix: (value) => value === '',
  echo: isFalse,
  best_of: isOne,
  logprobs: never,
  logit_bias: isEmpty,
  n: isOne,
  stream: isFalse,
  stop: isFewTexts,
};

const EMBEDDING_PARAMETERS: Record<string, Harmless> = {
  input: (value) =>
    isFilledText(value) || (Array.isArray(value) && value.length > 0 && value.every(isFilledText)),
  encoding_format: (value) => value === 'float' || value === 'base64',
  dimensions: (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= EMBEDDED_DIMENSIONS_MAX,
};

const REASONS: Record<string, string> = {
  stop: `A text or at most ${STOPS_MAX} of them.`,
  prompt: 'The embedded model takes one prompt, as text.',
  input: 'The embedded model takes a non-empty text or an array of them, no tokens.',
  encoding_format: 'Either float or base64.',
  dimensions: `The embedded model has up to ${EMBEDDED_DIMENSIONS_MAX} dimensions.`,
};
const REASON_DEFAULT = 'The embedded model cannot honour this; an upstream model can.';

/** @throws ModelInputTooLarge for more messages than can be ranked, UnsupportedModelParameter */
export function refuseChatParameters(request: ChatRequest): void {
  if (request.messages.length > MESSAGES_MAX) {
    refuseTooLarge('messages', `At most ${MESSAGES_MAX} messages.`);
  }
  refuseFields([...refusedFields(request, CHAT_PARAMETERS), ...refusedParts(request)]);
}

export function refuseCompletionParameters(request: CompletionRequest): void {
  refuseFields(refusedFields(request, COMPLETION_PARAMETERS));
}

/** @throws UnsupportedModelParameter, ModelInputTooLarge */
export function embeddingTexts(request: EmbeddingRequest): string[] {
  refuseFields(refusedFields(request, EMBEDDING_PARAMETERS));
  const texts = [request.input].flat().map(String);
  if (texts.length > EMBEDDING_INPUTS_MAX) {
    refuseTooLarge('input', `At most ${EMBEDDING_INPUTS_MAX} inputs.`);
  }
  limitText('input', texts);
  return texts;
}

function refusedFields(request: Readonly<Record<string, unknown>>, parameters: Record<string, Harmless>) {
  return Object.entries(parameters)
    .filter(([field, harmless]) => isGiven(request[field]) && !harmless(request[field]))
    .map(([field]) => ({ field, message: REASONS[field] ?? REASON_DEFAULT }));
}

function refusedParts({ messages }: ChatRequest): ValidationDetail[] {
  return messages.flatMap(({ content }, message) =>
    (Array.isArray(content) ? content : []).flatMap(({ type }: ContentPart, index) => {
      const field = `messages[${message}].content[${index}]`;
      const isText = type === 'text' || type === 'refusal';
      return isText ? [] : [{ field, message: `No ${type} parts. ${REASON_DEFAULT}` }];
    }),
  );
}

function refuseFields(refused: readonly ValidationDetail[]): void {
  if (refused.length > 0) {
    throw new UnsupportedModelParameter(refused);
  }
}

function isFilledText(value: unknown): boolean {
  return isText(value) && value !== '';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
