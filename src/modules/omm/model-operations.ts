import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Call } from '../../../generated/contract';
import type {
  GenerateFromInputsRequest,
  OmmGenerated,
  OmmParameters,
  OmmProcessed,
  OmmResult,
  OmmTask,
  ProcessInputsRequest,
} from '../../../generated/types';
import { Configuration } from '../../config/configuration';
import { plansOf } from '../../contract/answered-module';
import { type Estimate, Estimates, planOf } from '../../contract/operation';
import { Unprocessable } from '../../errors/api-errors';
import { type TokenUse, usageFields } from '../../ledger/money';
import { ModelNotConfigured } from '../../models/errors';
import { pricedRoute } from '../../models/extra-costs';
import { type OutputOf, schema } from '../../models/generation/output-schema';
import { languageOf, PromptFile } from '../../models/generation/prompt';
import { REPAIR_TOKENS_MAX, type StructuredQuestion } from '../../models/generation/structured-answers';
import {
  type AnswerTask,
  type AnswerTerms,
  chargedText,
  mapQuestion,
  TypedAnswers,
} from '../../models/generation/typed-answers';
import { ANY_MODEL, type ModelRoute, Models } from '../../models/models';
import { InputFiles, judgePictures } from '../../models/multimodal/input-files';
import {
  type Input,
  judgeInputs,
  namesOf,
  type ReadInput,
  type ReceivedInput,
  ImagesForModel,
} from '../../models/multimodal/inputs';
import { TextThreads } from '../../text/text-threads';
import { TokenCounter } from '../../text/token-counter';
import {
  judgeParameters,
  processingQuestion,
  requireText,
  RULE_METHODS,
  ruleResult,
  shownInputs,
  TASKS_OF_MODELS,
} from './processing';

/** More than the prompt, schema and framing have, and more than the framing of each input. */
const PROMPT_TOKENS_MAX = 1_500;
const INPUT_TOKENS_MAX = 60;
/** The repair repeats the question. */
const QUESTIONS_MAX = 2;
/** A picture's content does not affect its price. */
const PICTURE_PART = { type: 'image_url', image_url: { url: 'data:image/png;base64,' } };

class OmmPlan {
  constructor(readonly terms: AnswerTerms) {}
}

interface InputsRequest {
  readonly inputs?: readonly Input[];
  readonly max_input_tokens: number;
  readonly max_tokens?: number | null;
  readonly model?: string | null;
  readonly allow_degraded?: boolean;
}

interface PlannedWork {
  readonly names?: readonly string[];
  readonly texts?: readonly string[];
  readonly needsModel?: boolean;
  readonly isForRules?: boolean;
}

/** Files are read and addresses fetched after the reservation, so that only callers with credit cause work. */
@Injectable()
export class OmmEstimates {
  constructor(
    private readonly models: Models,
    private readonly files: InputFiles,
    private readonly answers: TypedAnswers,
    private readonly counter: TokenCounter,
    private readonly configuration: Configuration,
  ) {}

  async estimate(request: InputsRequest, work: PlannedWork, signal: AbortSignal): Promise<Estimate> {
    const { inputs = [], max_input_tokens: inputTokensMax } = request;
    const { names = namesOf(inputs), texts = [], needsModel = false, isForRules = false } = work;
    judgeInputs(inputs, names, { allowLoopback: this.configuration.allowLoopbackInputs });
    const route = isForRules
      ? null
      : await this.models.route('chat', request.model ?? ANY_MODEL, request.allow_degraded ?? false);
    const upstreams = route && this.models.parted(route).upstreams;
    if (needsModel && upstreams === null) {
      // A file of a wrong type is reported before a missing model.
      await judgePictures(inputs, names);
      throw new ModelNotConfigured();
    }
    const given = inputs.filter(isText).map(({ content }) => content ?? '');
    const hasFiles = inputs.some((input) => !isText(input) && input.type !== 'image');
    const read =
      (await this.counter.countAll([...texts, ...given], signal)) + (hasFiles ? inputTokensMax : 0);
    const asked = request.max_tokens ?? null;
    const terms = this.answers.terms(route, asked, this.configuration.defaultOutputTokensMax);
    const { outputTokensMax } = terms;
    const boundedInput = hasFiles
      ? { tokens: inputTokensMax, times: upstreams === null ? 1 : QUESTIONS_MAX }
      : null;
    const plans = plansOf(terms, (given) => new OmmPlan(given));
    const bound = { boundedInput, outputTokensMax, choices: 1, ...plans };
    if (upstreams === null) {
      return { ...bound, inputTokens: read, model: null };
    }
    const question =
      PROMPT_TOKENS_MAX + INPUT_TOKENS_MAX * inputs.length + read + this.seen(inputs, upstreams);
    const inputTokens = QUESTIONS_MAX * question + terms.answerTokensMax + REPAIR_TOKENS_MAX;
    return { ...bound, inputTokens, model: upstreams.model.id };
  }

  async read(
    received: readonly ReceivedInput[],
    inputTokensMax: number,
    signal: AbortSignal,
  ): Promise<ReadInput[]> {
    const inputs: ReadInput[] = [];
    for (const input of received) {
      inputs.push(await this.files.read(input, signal));
    }
    const texts = inputs.filter(({ isCounted }) => !isCounted).map(({ file }) => file?.text ?? '');
    const tokens = await this.counter.countAll(texts, signal);
    if (tokens > inputTokensMax) {
      throw new Unprocessable(
        `The files have ${tokens} tokens, and max_input_tokens allows ${inputTokensMax}. Nothing was charged.`,
      );
    }
    return inputs;
  }

  private seen(inputs: readonly Input[], route: ModelRoute): number {
    const pictures = inputs.filter(({ type }) => type === 'image' || type === 'url').length;
    const { imageTokensMax } = this.configuration;
    const request = { messages: [{ role: 'user', content: [PICTURE_PART] }] };
    const { partTokens } = pricedRoute(route, request, { imageTokensMax });
    return pictures * (partTokens.get('image') ?? imageTokensMax);
  }
}

function isText({ type, content }: Input): boolean {
  return type === 'text' && content !== undefined;
}

const PLACE = /\{\{\s*([a-z][a-z0-9_]{0,63})\s*\}\}/g;
const INPUT_PLACE = /^input_([1-9][0-9]?)$/;
const FILLED_LENGTH_MAX = 400_000;

function placesIn(prompt: string): ReadonlySet<string> {
  return new Set([...prompt.matchAll(PLACE)].map(([, name = '']) => name));
}

function filled(prompt: string, values: ReadonlyMap<string, string>): string {
  const length = [...prompt.matchAll(PLACE)].reduce(
    (sum, [place, name = '']) => sum + (values.get(name) ?? '').length - place.length,
    prompt.length,
  );
  if (length > FILLED_LENGTH_MAX) {
    throw new Unprocessable(
      `The prompt with its places filled has more than ${FILLED_LENGTH_MAX} characters.`,
    );
  }
  return prompt.replace(PLACE, (_, name: string) => values.get(name) ?? '');
}

function inputOf(name: string): number | null {
  const match = INPUT_PLACE.exec(name);
  return match ? Number(match[1]) - 1 : null;
}

const PROMPT = new PromptFile('input-writing');
const SCHEMA = schema.object({ text: schema.text });
type Written = OutputOf<typeof SCHEMA>;

@Injectable()
export class ModelOperations implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly bounds: OmmEstimates,
    private readonly files: InputFiles,
    private readonly pictures: ImagesForModel,
    private readonly threads: TextThreads,
    private readonly answers: TypedAnswers,
    private readonly models: Models,
    private readonly counter: TokenCounter,
  ) {}

  onModuleInit(): void {
    this.estimates.register('generateFromInputs', ({ body, signal }) => {
      const request = body as GenerateFromInputsRequest;
      if (request.output_type !== 'text') {
        throw new Unprocessable(
          `output_type: nothing here makes ${request.output_type === 'image' ? 'pictures' : 'sounds'}, only texts.`,
        );
      }
      const values = valuesOf(request);
      judgePlaces(request, values);
      const texts = [filled(request.prompt, values)];
      return this.bounds.estimate(request, { texts, needsModel: !canBeFilled(request) }, signal);
    });
    this.estimates.register('processInputs', ({ body, signal }) => {
      const request = body as ProcessInputsRequest;
      const { inputs, task, parameters = {} } = request;
      judgeParameters(task, parameters);
      const needsModel = RULE_METHODS[task] === undefined || inputs.some(({ type }) => type === 'image');
      const mayNeedModel = needsModel || inputs.some(({ type }) => type === 'url');
      const isForRules = !mayNeedModel && !TASKS_OF_MODELS.includes(task);
      return this.bounds.estimate(request, { texts: parameters.labels, needsModel, isForRules }, signal);
    });
  }

  async generate(call: Call<'generateFromInputs'>): Promise<OmmGenerated> {
    const { body, signal } = call;
    const { inputs = [] } = body;
    const plan = planOf(call, OmmPlan);
    return this.files.receive(inputs, namesOf(inputs), call, async (received) => {
      const read = await this.bounds.read(received, body.max_input_tokens, signal);
      const question = this.hasUpstream(plan.terms) ? await this.writingQuestion(body, read, signal) : null;
      const task = taskOf(body, read, question);
      const answer = await this.answers.answer(task, plan.terms, call);
      const { value, isCut: truncated, model } = answer;
      return { output_type: 'text', text: value.text, truncated, model, usage: usageFields(answer) };
    });
  }

  /** Inputs' texts are material, so that they cannot give orders. */
  private async writingQuestion(
    request: GenerateFromInputsRequest,
    read: readonly ReadInput[],
    signal: AbortSignal,
  ): Promise<StructuredQuestion<Written>> {
    const values = new Map(valuesOf(request));
    read.forEach(({ index }) => values.set(`input_${index + 1}`, `(input ${index})`));
    const { inputs, material } = shownInputs(read);
    const pictures = read.filter(({ file }) => file === null);
    const media = await this.pictures.parts(pictures, signal);
    const asked = filled(request.prompt, values);
    return {
      prompt: PROMPT.fill({
        choices: { inputs, language: languageOf(asked, 'the language of the request') },
        material: { request: asked, ...material },
      }),
      media,
      name: 'omm_text',
      schema: SCHEMA,
      read: (output: Written) => output,
    };
  }

  async process(call: Call<'processInputs'>): Promise<OmmProcessed> {
    const { body, signal } = call;
    const { inputs, task, parameters = {} } = body;
    const plan = planOf(call, OmmPlan);
    return this.files.receive(inputs, namesOf(inputs), call, async (received) => {
      const read = await this.bounds.read(received, body.max_input_tokens, signal);
      const planned = await this.task(read, task, parameters, this.hasUpstream(plan.terms), signal);
      const answer = await this.answers.answer(planned, plan.terms, call);
      const { value, isCut, dropped, model, ...use } = answer;
      const isOfOne = planned.question === null || TASKS_OF_MODELS.includes(task);
      const found = isOfOne ? [] : value.filter((_, place) => read[place]?.file);
      const used = found.length === 0 ? use : await this.withRuled(use, found, read, call);
      return { task, results: value, truncated: isCut, dropped, model, usage: usageFields(used) };
    });
  }

  /** What rules found beside the model is paid for as well. */
  private async withRuled(
    use: TokenUse,
    found: readonly OmmResult[],
    inputs: readonly ReadInput[],
    { meter, signal }: Call<'processInputs'>,
  ): Promise<TokenUse> {
    const texts = inputs.flatMap(({ file }) => (file === null ? [] : [file.text]));
    const counter = this.counter.withFallback();
    const inputTokens = use.inputTokens + (await counter.countAll(texts, signal));
    const outputTokens = use.outputTokens + (await counter.count(chargedText(found), signal));
    return meter.report({
      ...use,
      inputTokens: Math.max(use.inputTokens, Math.min(inputTokens, meter.inputTokens)),
      outputTokens: Math.max(use.outputTokens, Math.min(outputTokens, meter.outputTokensMax)),
    });
  }

  private async task(
    read: readonly ReadInput[],
    task: OmmTask,
    parameters: OmmParameters,
    hasUpstream: boolean,
    signal: AbortSignal,
  ): Promise<AnswerTask<OmmResult[]>> {
    const isOfModels = TASKS_OF_MODELS.includes(task);
    const asked = isOfModels ? read : read.filter(({ file }) => file === null);
    const byRules = read.filter((input) => !asked.includes(input));
    const method = RULE_METHODS[task];
    const canDoWithout = method !== undefined && read.every(({ file }) => file !== null);
    if (!canDoWithout && !hasUpstream) {
      throw new ModelNotConfigured();
    }
    asked.forEach(({ file, name }) => file && requireText(file.text, name));
    const ruled = await this.ruled(byRules, task, parameters, signal);
    const pictures = asked.filter(({ file }) => file === null);
    const media = hasUpstream ? await this.pictures.parts(pictures, signal) : [];
    const question =
      hasUpstream && asked.length > 0
        ? mapQuestion(processingQuestion(asked, media, task, parameters), (results) =>
            [...results, ...ruled].sort((one, other) => one.index - other.index),
          )
        : null;
    return {
      question,
      embedded: canDoWithout
        ? { method, answer: (until) => this.ruled(read, task, parameters, until) }
        : null,
      reads: read.map(({ file }) => file?.text ?? ''),
    };
  }

  private async ruled(
    inputs: readonly ReadInput[],
    task: OmmTask,
    parameters: OmmParameters,
    signal: AbortSignal,
  ): Promise<OmmResult[]> {
    const results: OmmResult[] = [];
    for (const input of inputs) {
      results.push(await ruleResult(input, task, parameters, { threads: this.threads, signal }));
    }
    return results;
  }

  private hasUpstream({ route }: OmmPlan['terms']): boolean {
    return route !== null && this.models.parted(route).upstreams !== null;
  }
}

function taskOf(
  request: GenerateFromInputsRequest,
  read: readonly ReadInput[],
  question: StructuredQuestion<Written> | null,
): AnswerTask<Written> {
  const values = new Map(valuesOf(request));
  read.forEach(({ index, file }) => values.set(`input_${index + 1}`, file?.text ?? ''));
  const isForTexts = canBeFilled(request) && read.every(({ file }) => file !== null);
  if (question === null && !isForTexts) {
    throw new ModelNotConfigured();
  }
  const answer = () => Promise.resolve({ text: filled(request.prompt, values) });
  return {
    question,
    embedded: isForTexts ? { method: 'template', answer } : null,
    reads: [request.prompt, ...values.values()],
  };
}

function valuesOf({ variables = [] }: GenerateFromInputsRequest): ReadonlyMap<string, string> {
  return new Map(variables.map(({ name, value }) => [name, value]));
}

function canBeFilled({ prompt, inputs = [] }: GenerateFromInputsRequest): boolean {
  const names = placesIn(prompt);
  return (
    names.size > 0 && inputs.every(({ type }, index) => type !== 'image' && names.has(`input_${index + 1}`))
  );
}

function judgePlaces(
  { prompt, inputs = [], variables = [] }: GenerateFromInputsRequest,
  values: ReadonlyMap<string, string>,
): void {
  const places = placesIn(prompt);
  for (const name of places) {
    const input = inputOf(name);
    if (input === null ? !values.has(name) : input >= inputs.length) {
      throw new Unprocessable(`prompt: the place {{${name}}} has nothing to be filled with.`);
    }
  }
  for (const [index, { name }] of variables.entries()) {
    if (!places.has(name) || inputOf(name) !== null) {
      throw new Unprocessable(`variables.${index}: the prompt has no place for ${name}.`);
    }
    if (variables.findIndex((other) => other.name === name) < index) {
      throw new Unprocessable(`variables.${index}: ${name} is given twice.`);
    }
  }
}
