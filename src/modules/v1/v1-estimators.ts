import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Configuration } from '../../config/configuration';
import { type Estimate, type EstimatedCall, Estimates } from '../../contract/estimates';
import { type ValidationDetail, ValidationFailed } from '../../errors/api-errors';
import { pricedRoute, type PricedRoute } from '../../models/extra-costs';
import {
  type ChatRequest,
  completionChoices,
  type CompletionRequest,
  type EmbeddingRequest,
  type ModelOperation,
  outputTokensMax,
  promptCount,
} from '../../models/model-provider';
import { type ModelRoute, Models } from '../../models/models';
import { estimateRequestTokens, TOKENS_PER_MESSAGE, TOKENS_PER_NAME } from '../../models/request-tokens';
import type { ResponseRequest } from '../../models/responses/response-object';
import { TokenCounter } from '../../text/token-counter';

/** The request that an operation was priced by. The handler asks the model exactly this. */
abstract class Plan<Request> {
  constructor(
    /** With its output capped to what is reserved and without the fields that no price covers. */
    readonly request: Request,
    /** The call is priced by the first one's model. */
    readonly route: ModelRoute,
  ) {}
}

export class ChatPlan extends Plan<ChatRequest> {
  constructor(
    request: ChatRequest,
    route: ModelRoute,
    /** Whether the service, not the client, chose the field that holds the cap on output. */
    readonly ownCap: boolean,
    readonly choices: number,
  ) {
    super(request, route);
  }
}

export class CompletionPlan extends Plan<CompletionRequest> {
  constructor(
    request: CompletionRequest,
    route: ModelRoute,
    /** With `best_of` a model makes more than the client gets, which are paid for too. */
    readonly choices: number,
  ) {
    super(request, route);
  }
}

export class ResponsePlan extends Plan<ResponseRequest> {}

export class EmbeddingPlan extends Plan<EmbeddingRequest> {}

const REASONS: Record<string, string> = {
  previous_response_id: 'must be left out: responses are not stored; send the earlier items as input',
  conversation: 'must be left out: conversations are not stored; send the earlier items as input',
  background: 'must be false: responses are not stored, so nobody could fetch this one later',
};

/** @throws ValidationFailed for a request that refers to a stored response, or that has to be stored itself */
function refuseStoredState(request: ResponseRequest): void {
  const details: ValidationDetail[] = Object.entries(REASONS)
    .filter(([field]) => Boolean(request[field]))
    .map(([field, message]) => ({ field, message }));
  if (details.length > 0) {
    throw new ValidationFailed(details);
  }
}

const CAPS = ['max_tokens', 'max_completion_tokens'] as const;

type CappedFields = Partial<Pick<ChatRequest, (typeof CAPS)[number]>>;

/** The cap stands in the field that the client used, since not every model knows both, and else in `max_tokens`. */
export function cappedRequest<Request extends CappedFields & object>(
  request: Request,
  outputTokensMaxDefault: number,
): Request {
  const cap = outputTokensMax(request, outputTokensMaxDefault);
  const given = fieldsGiven(request);
  const fields = given.length > 0 ? given : (['max_tokens'] as const);
  const capped = fields.map((field) => [field, Math.min(request[field] ?? cap, cap)] as const);
  return { ...request, ...Object.fromEntries(capped) };
}

function isOwnCap(request: CappedFields): boolean {
  return fieldsGiven(request).length === 0;
}

function fieldsGiven(request: CappedFields) {
  return CAPS.filter((field) => typeof request[field] === 'number');
}

/** Some servers read how much to produce in these, and the reservation goes by `max_tokens` and `n` alone. */
const OTHER_CAPS = new Set([
  ...['n_predict', 'num_predict', 'max_new_tokens', 'max_gen_toks', 'max_length', 'min_tokens', 'n_cmpl'],
]);
/** In completions this field belongs to the API and is priced; in a chat it would make unpriced output. */
const BEST_OF = 'best_of';

function withoutUnpricedFields<Request extends object>(
  request: Request,
  { knowsBestOf = false }: { knowsBestOf?: boolean } = {},
): Request {
  const isKept = (name: string) => !OTHER_CAPS.has(name) && (name !== BEST_OF || knowsBestOf);
  return Object.fromEntries(Object.entries(request).filter(([name]) => isKept(name))) as Request;
}

const PROMPTS_MAX = 100;
const INPUTS_MAX = 2_048;

/** Plans what a model will be asked, and estimates from the plan whose price holds and the most it may use. */
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
    this.estimates.register('createEmbedding', (call) => this.embedding(call));
  }

  private async chat(call: EstimatedCall): Promise<Estimate> {
    const sent = call.body as ChatRequest;
    const { route, surcharge, partTokens } = await this.route('chat', sent);
    const request = this.capped(withoutUnpricedFields(sent));
    // To count a megabyte of tools takes a second, for nothing where whoever would be asked honours none.
    if (route.stops.length === 1 && Array.isArray(sent.tools)) {
      route.stops[0].provider.refuseChat(request);
    }
    const choices = typeof sent.n === 'number' ? sent.n : 1;
    return {
      inputTokens: await this.inputTokens(call, partTokens),
      outputTokensMax: choices * this.tokensPerChoice(sent),
      choices,
      model: route.model.id,
      surcharge,
      plan: new ChatPlan(request, route, isOwnCap(sent), choices),
    };
  }

  /** With `echo` the prompt is repeated before each of its completions, and a provider may count it as output. */
  private async completion(call: EstimatedCall): Promise<Estimate> {
    const sent = call.body as CompletionRequest;
    const prompts = promptCount(sent.prompt);
    refuseMoreThan(PROMPTS_MAX, 'prompt', prompts);
    const { route, surcharge, partTokens } = await this.route('complete', sent);
    const request = this.capped(withoutUnpricedFields(sent, { knowsBestOf: true }));
    const inputTokens = await this.inputTokens(call, partTokens);
    const choices = completionChoices(sent);
    const outputTokensFixed = sent.echo === true ? (choices / prompts) * inputTokens : 0;
    return {
      inputTokens,
      outputTokensMax: choices * this.tokensPerChoice(sent) + outputTokensFixed,
      outputTokensFixed,
      choices,
      model: route.model.id,
      surcharge,
      plan: new CompletionPlan(request, route, prompts * (typeof sent.n === 'number' ? sent.n : 1)),
    };
  }

  private async response(call: EstimatedCall): Promise<Estimate> {
    const sent = call.body as ResponseRequest;
    refuseStoredState(sent);
    const { route, surcharge, partTokens } = await this.route('chat', sent, { hasStoredPrompts: true });
    const tokensMax = sent.max_output_tokens ?? this.configuration.defaultOutputTokensMax;
    const request = { ...withoutUnpricedFields(sent), max_output_tokens: tokensMax };
    return {
      inputTokens: (await this.inputTokens(call, partTokens)) + framing(sent),
      outputTokensMax: tokensMax,
      choices: 1,
      model: route.model.id,
      surcharge,
      plan: new ResponsePlan(request, route),
    };
  }

  private async embedding(call: EstimatedCall): Promise<Estimate> {
    const sent = call.body as EmbeddingRequest;
    refuseMoreThan(INPUTS_MAX, 'input', promptCount(sent.input));
    const { route, surcharge, partTokens } = await this.route('embed', sent);
    const request = withoutUnpricedFields(sent);
    return {
      inputTokens: await this.inputTokens(call, partTokens),
      outputTokensMax: 0,
      choices: 1,
      model: route.model.id,
      surcharge,
      plan: new EmbeddingPlan(request, route),
    };
  }

  private async route(
    operation: ModelOperation,
    request: Readonly<Record<string, unknown>> & { readonly model: string },
    options: { hasStoredPrompts?: boolean } = {},
  ): Promise<PricedRoute> {
    const { imageTokensMax } = this.configuration;
    const route = await this.models.route(operation, request.model, request.allow_degraded === true);
    return pricedRoute(route, request, { imageTokensMax, ...options });
  }

  private inputTokens(
    { body, signal }: EstimatedCall,
    partTokens: ReadonlyMap<string, number>,
  ): Promise<number> {
    const { imageTokensMax } = this.configuration;
    return estimateRequestTokens(body, this.counter, { signal, imageTokensMax, partTokens });
  }

  private tokensPerChoice(request: Pick<ChatRequest, 'max_tokens' | 'max_completion_tokens'>): number {
    return outputTokensMax(request, this.configuration.defaultOutputTokensMax);
  }

  private capped<Request extends Partial<ChatRequest>>(request: Request): Request {
    return cappedRequest(request, this.configuration.defaultOutputTokensMax);
  }
}

/** The document allows arrays long enough for a prompt of tokens. An array of texts must be much shorter. */
function refuseMoreThan(countMax: number, field: string, count: number): void {
  if (count > countMax) {
    throw new ValidationFailed([{ field, message: `must not have more than ${countMax} items` }]);
  }
}

/** Each item of the input may become a message, and so may the instructions. */
function framing({ input }: ResponseRequest): number {
  const messages = 1 + (typeof input === 'string' ? 1 : input.length);
  return messages * (TOKENS_PER_MESSAGE + TOKENS_PER_NAME);
}
