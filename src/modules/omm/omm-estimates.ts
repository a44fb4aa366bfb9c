import { Injectable } from '@nestjs/common';
import { Configuration } from '../../config/configuration';
import { plansOf } from '../../contract/answered-module';
import type { CallContext, Estimate, Meter } from '../../contract/operation';
import { Unprocessable } from '../../errors/api-errors';
import { usageFields } from '../../ledger/money';
import { ModelNotConfigured } from '../../models/errors';
import { pricedRoute } from '../../models/extra-costs';
import { REPAIR_TOKENS_MAX } from '../../models/generation/structured-answers';
import { type AnswerTerms, TypedAnswers } from '../../models/generation/typed-answers';
import { ANY_MODEL, type ModelRoute, Models } from '../../models/models';
import { InputFiles, judgePictures } from '../../models/multimodal/input-files';
import {
  type Input,
  judgeInputs,
  namesOf,
  type ReadInput,
  type ReceivedInput,
} from '../../models/multimodal/inputs';
import { TokenCounter } from '../../text/token-counter';

/** More than our own prompt, schema and framing have, and more than what is said of each input. */
const PROMPT_TOKENS_MAX = 1_500;
const INPUT_TOKENS_MAX = 60;
/** The repair repeats the question. */
const QUESTIONS_MAX = 2;
/** Any picture: what it holds doesn't matter to its price. */
const PICTURE_PART = { type: 'image_url', image_url: { url: 'data:image/png;base64,' } };

export class OmmPlan {
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

type RuleCall = Pick<CallContext, 'signal' | 'setEngine'> & { readonly meter: Meter };

/** Files are read and addresses fetched only after the reservation, so that nobody without credit makes us work. */
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
      // Who sends a file under a wrong type has to hear that, not that a model is wanting.
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
    // The repair adds the first answer.
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

  /** The use of an answer for which no model is ever asked. */
  async reportRule(call: RuleCall, method: string, read: readonly string[], written: string) {
    const { meter, signal } = call;
    const used = meter.report({
      inputTokens: Math.min(await this.counter.countAll(read, signal), meter.inputTokens),
      outputTokens: Math.min(await this.counter.count(written, signal), meter.outputTokensMax),
    });
    call.setEngine({ provider: 'embedded', method, quality: 'basic' });
    return { model: `embedded-${method}-1`, usage: usageFields(used) };
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
