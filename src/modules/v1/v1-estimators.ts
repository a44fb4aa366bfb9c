import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Configuration } from '../../config/configuration';
import { type Estimate, type EstimatedCall, Estimates } from '../../contract/operation';
import { type ValidationDetail, ValidationFailed } from '../../errors/api-errors';
import { pricedRoute, type PricedRequestOptions, type PricedRoute } from '../../models/extra-costs';
import {
  type ChatRequest,
  completionChoices,
  type CompletionRequest,
  type EmbeddingRequest,
  type ModelOperation,
  promptCount,
} from '../../models/model-provider';
import { type ModelRoute, Models } from '../../models/models';
import { estimateRequestTokens, TOKENS_PER_MESSAGE, TOKENS_PER_NAME } from '../../models/request-tokens';
import { asChat, type MessageRequest } from '../../models/messages/request-to-chat';
import type { ResponseInputItem, ResponseRequest } from '../../models/responses/request-to-chat';
import { TokenCounter } from '../../text/token-counter';

export class PricedPlan<Request> {
  constructor(
    /** Output capped to the reservation, without fields that no price covers. */
    readonly request: Request,
    readonly route: ModelRoute,
    readonly ownCap = false,
    /** What the client gets. With `best_of` a model makes more, which are paid for too. */
    readonly choices = 1,
  ) {}
}

const REASONS: Record<string, string> = {
  previous_response_id: 'must be left out: responses are not stored; send the earlier items as input',
  conversation: 'must be left out: conversations are not stored; send the earlier items as input',
  background: 'must be false: responses are not stored, so nobody could fetch this one later',
};

const ITEM_REASON =
  'must be the item itself: responses are not stored, so no item is found by its id. With the AI SDK set ' +
  'providerOptions.openai.store to false, and it sends the items';
const DETAILS_MAX = 10;

function referencedItems({ input }: ResponseRequest): ValidationDetail[] {
  const items = typeof input === 'string' ? [] : input;
  return items
    .flatMap((item, index) =>
      item.type === 'item_reference' && !isReasoningReference(item) ? [`input[${index}]`] : [],
    )
    .slice(0, DETAILS_MAX)
    .map((field) => ({ field, message: ITEM_REASON }));
}

function isReasoningReference({ type, id }: ResponseInputItem): boolean {
  return type === 'item_reference' && typeof id === 'string' && id.startsWith('rs_');
}

/** The AI SDK refers to earlier reasoning in each step of a tool run. Chats cannot hold it, and models do without. */
function withoutReasoningReferences(request: ResponseRequest): ResponseRequest {
  const { input } = request;
  return typeof input === 'string' || !input.some(isReasoningReference)
    ? request
    : { ...request, input: input.filter((item) => !isReasoningReference(item)) };
}

function refuseStoredState(request: ResponseRequest): void {
  const details: ValidationDetail[] = Object.entries(REASONS)
    .filter(([field]) => Boolean(request[field]))
    .map(([field, message]) => ({ field, message }))
    .concat(referencedItems(request));
  if (details.length > 0) {
    throw new ValidationFailed(details);
  }
}

const CHAT_CAPS = ['max_tokens', 'max_completion_tokens'] as const;
const RESPONSE_CAPS = ['max_output_tokens'] as const;

type CapField = (typeof CHAT_CAPS | typeof RESPONSE_CAPS)[number];
type CappedFields = { readonly [Field in CapField]?: number | null };

interface Output {
  readonly tokensMax: number;
  readonly isOpen: boolean;
}

function outputOf(request: CappedFields, fields: readonly CapField[], modelTokensMax: number): Output {
  const field = fieldsGiven(request, fields).at(-1);
  return field === undefined
    ? { tokensMax: modelTokensMax, isOpen: true }
    : { tokensMax: request[field] as number, isOpen: false };
}

/** In the field that the client used, since not every model knows both, else in the first of `fields`. */
export function cappedRequest<Request extends CappedFields & object>(
  request: Request,
  tokensMaxDefault: number,
  fields: readonly CapField[] = CHAT_CAPS,
): Request {
  const given = fieldsGiven(request, fields);
  const { tokensMax: cap } = outputOf(request, fields, tokensMaxDefault);
  const capped: Record<string, unknown> = { ...request };
  // JSON leaves out undefined members, and deleting one makes an object slow.
  fields.filter((field) => field in request).forEach((field) => (capped[field] = undefined));
  given.forEach((field) => (capped[field] = Math.min(request[field] as number, cap)));
  if (given.length === 0) {
    capped[fields[0] as CapField] = cap;
  }
  return capped as Request;
}

function fieldsGiven(request: CappedFields, fields: readonly CapField[]): CapField[] {
  return fields.filter((field) => typeof request[field] === 'number');
}

/** Some servers take these as output bounds, and the reservation only covers `max_tokens` and `n`. */
const OTHER_CAPS = [
  ...['n_predict', 'num_predict', 'max_new_tokens', 'max_gen_toks', 'max_length', 'min_tokens', 'n_cmpl'],
];
/** In completions `best_of` is priced; in a chat it would make unpriced output. */
const UNPRICED_IN_CHATS = [...OTHER_CAPS, 'best_of'];
const UNPRICED_IN_MESSAGES = [...UNPRICED_IN_CHATS, 'n'];

function withoutUnpricedFields<Request extends object>(
  request: Request,
  unpriced: readonly string[] = UNPRICED_IN_CHATS,
): Request {
  if (!unpriced.some((name) => name in request)) {
    return request;
  }
  const { ...kept } = request as Record<string, unknown>;
  unpriced.forEach((name) => delete kept[name]);
  return kept as Request;
}

const PROMPTS_MAX = 100;
const INPUTS_MAX = 2_048;

@Injectable()
export class V1Estimators implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly models: Models,
    private readonly counter: TokenCounter,
    private readonly configuration: Configuration,
  ) {}

  onModuleInit(): void {
    this.estimates.register('createChatCompletion', (call) => this.chat(call));
    this.estimates.register('createCompletion', (call) => this.completion(call));
    this.estimates.register('createResponse', (call) => this.response(call));
    this.estimates.register('createMessage', (call) => this.message(call));
    this.estimates.register('createEmbedding', (call) => this.embedding(call));
  }

  private async chat(call: EstimatedCall): Promise<Estimate> {
    const sent = call.body as ChatRequest;
    const priced = await this.route('chat', sent);
    const { route } = priced;
    const output = outputOf(sent, CHAT_CAPS, this.tokensMaxOf(route));
    const choices = typeof sent.n === 'number' ? sent.n : 1;
    const plan = (tokensMax: number) =>
      new PricedPlan(cappedRequest(withoutUnpricedFields(sent), tokensMax), route, output.isOpen, choices);
    // Counting a megabyte of tools takes a second, in vain where the only provider refuses tools.
    if (route.stops.length === 1 && Array.isArray(sent.tools)) {
      route.stops[0].provider.refuseChat(plan(output.tokensMax).request);
    }
    return {
      inputTokens: await this.inputTokens(call, priced),
      outputTokensMax: choices * output.tokensMax,
      choices,
      ...planned(priced, output, plan),
    };
  }

  /** With `echo` the prompt is repeated before each of its completions, and a provider may count it as output. */
  private async completion(call: EstimatedCall): Promise<Estimate> {
    const sent = call.body as CompletionRequest;
    const prompts = promptCount(sent.prompt);
    refuseMoreThan(PROMPTS_MAX, 'prompt', prompts);
    const priced = await this.route('complete', sent);
    const { route } = priced;
    const output = outputOf(sent, CHAT_CAPS, this.tokensMaxOf(route));
    const shown = prompts * (typeof sent.n === 'number' ? sent.n : 1);
    const wire = withoutUnpricedFields(sent, OTHER_CAPS);
    const plan = (tokensMax: number) =>
      new PricedPlan(cappedRequest(wire, tokensMax), route, output.isOpen, shown);
    const inputTokens = await this.inputTokens(call, priced);
    const choices = completionChoices(sent);
    const outputTokensFixed = sent.echo === true ? (choices / prompts) * inputTokens : 0;
    return {
      inputTokens,
      outputTokensMax: choices * output.tokensMax + outputTokensFixed,
      outputTokensFixed,
      choices,
      ...planned(priced, output, plan),
    };
  }

  private async response(call: EstimatedCall): Promise<Estimate> {
    refuseStoredState(call.body as ResponseRequest);
    const sent = withoutReasoningReferences(call.body as ResponseRequest);
    const priced = await this.route('chat', sent, { hasStoredPrompts: true });
    const output = outputOf(sent, RESPONSE_CAPS, this.tokensMaxOf(priced.route));
    const wire = withoutUnpricedFields(sent);
    const plan = (tokensMax: number) =>
      new PricedPlan(cappedRequest(wire, tokensMax, RESPONSE_CAPS), priced.route, output.isOpen);
    return {
      inputTokens: (await this.inputTokens(call, priced)) + framing(sent),
      outputTokensMax: output.tokensMax,
      choices: 1,
      ...planned(priced, output, plan),
    };
  }

  private async message(call: EstimatedCall): Promise<Estimate> {
    const request = call.body as MessageRequest;
    const { inputTokens, ...priced } = await this.messageInput(request, call.signal);
    const output = { tokensMax: request.max_tokens, isOpen: false };
    const wire = withoutUnpricedFields(request, UNPRICED_IN_MESSAGES);
    const plan = () => new PricedPlan(wire, priced.route);
    return { inputTokens, outputTokensMax: output.tokensMax, choices: 1, ...planned(priced, output, plan) };
  }

  async messageInput(
    request: MessageRequest,
    signal: AbortSignal,
  ): Promise<PricedRoute & { readonly inputTokens: number }> {
    const chat = asChat(request);
    const asked = { ...chat, allow_degraded: request.allow_degraded };
    const priced = await this.route('chat', asked, { message: request });
    const inputTokens = await this.inputTokens({ body: chat, signal }, priced);
    return { ...priced, inputTokens };
  }

  private async embedding(call: EstimatedCall): Promise<Estimate> {
    const sent = call.body as EmbeddingRequest;
    refuseMoreThan(INPUTS_MAX, 'input', promptCount(sent.input));
    const priced = await this.route('embed', sent);
    const inputTokens = await this.inputTokens(call, priced);
    const plan = () => new PricedPlan(withoutUnpricedFields(sent), priced.route);
    return { inputTokens, outputTokensMax: 0, choices: 1, ...planned(priced, NO_OUTPUT, plan) };
  }

  private async route(
    operation: ModelOperation,
    request: Readonly<Record<string, unknown>> & { readonly model: string },
    options: Omit<PricedRequestOptions, 'imageTokensMax'> = {},
  ): Promise<PricedRoute> {
    const { imageTokensMax } = this.configuration;
    const route = await this.models.route(operation, request.model, request.allow_degraded === true);
    return pricedRoute(route, request, { imageTokensMax, ...options });
  }

  private inputTokens(
    { body, signal }: Pick<EstimatedCall, 'body' | 'signal'>,
    { partTokens }: PricedRoute,
  ): Promise<number> {
    const { imageTokensMax } = this.configuration;
    return estimateRequestTokens(body, this.counter, { signal, imageTokensMax, partTokens });
  }

  private tokensMaxOf({ model }: ModelRoute): number {
    return model.outputTokensMax ?? this.configuration.v1OutputTokensMax;
  }
}

const NO_OUTPUT: Output = { tokensMax: 0, isOpen: false };

function planned(
  { route, surcharge }: PricedRoute,
  { tokensMax, isOpen }: Output,
  plan: (tokensMax: number) => object,
): Pick<Estimate, 'model' | 'surcharge' | 'plan' | 'planFor'> {
  return {
    model: route.model.id,
    surcharge,
    plan: plan(tokensMax),
    ...(isOpen && { planFor: plan }),
  };
}

/** The document allows arrays long enough for a prompt of tokens; arrays of texts must be much shorter. */
function refuseMoreThan(countMax: number, field: string, count: number): void {
  if (count > countMax) {
    throw new ValidationFailed([{ field, message: `must not have more than ${countMax} items` }]);
  }
}

/** Each input item may become a message, and so may the instructions. */
function framing({ input }: ResponseRequest): number {
  const messages = 1 + (typeof input === 'string' ? 1 : input.length);
  return messages * (TOKENS_PER_MESSAGE + TOKENS_PER_NAME);
}
