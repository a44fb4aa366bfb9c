import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { GenerateFromInputsCall } from '../../../generated/contract';
import type { GenerateFromInputsRequest, OmmGenerated } from '../../../generated/types';
import { Estimates, planOf } from '../../contract/estimates';
import { Unprocessable } from '../../core/errors/request-errors';
import type { AnswerQuestion, AnswerTask } from '../../core/models/generation/answer-task';
import { TypedAnswers } from '../../core/models/generation/typed-answers';
import { ModelNotConfigured } from '../../core/models/model-errors';
import { Models } from '../../core/models/models';
import type { ReadInput } from '../../core/models/multimodal/input';
import { InputFiles } from '../../core/models/multimodal/input-files';
import { namesOf } from '../../core/models/multimodal/judge-inputs';
import { ShownPictures } from '../../core/models/multimodal/shown-pictures';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import { OmmEstimates, OmmPlan } from './omm-estimates';
import { PromptPlaces } from './prompt-places';
import { shownInputs } from './shown-inputs';

interface Written {
  readonly text: string;
}

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['text'],
  properties: { text: { type: 'string', minLength: 1 } },
};

/** Has texts written from a prompt and inputs. */
@Injectable()
export class GenerationService implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly bounds: OmmEstimates,
    private readonly files: InputFiles,
    private readonly pictures: ShownPictures,
    private readonly answers: TypedAnswers,
    private readonly models: Models,
  ) {}

  onModuleInit(): void {
    this.estimates.register('generateFromInputs', ({ body, signal }) => {
      const request = body as GenerateFromInputsRequest;
      if (request.output_type !== 'text') {
        throw new Unprocessable(
          `output_type: nothing here makes ${request.output_type === 'image' ? 'pictures' : 'sounds'}, only texts.`,
        );
      }
      const { inputs = [] } = request;
      const values = valuesOf(request);
      const filled = judgedPlaces(request, values).fill(values);
      return this.bounds.estimate(
        {
          inputs,
          names: namesOf(inputs),
          texts: [filled],
          inputTokensMax: request.max_input_tokens,
          outputTokensMax: request.max_tokens ?? null,
          model: { name: request.model ?? null, allowsStandIn: request.allow_degraded ?? false },
          needsModel: !canBeFilled(request),
        },
        signal,
      );
    });
  }

  /** Throws what InputFiles.receive and TypedAnswers.answer throw. */
  async generate(call: GenerateFromInputsCall): Promise<OmmGenerated> {
    const { body, signal } = call;
    const { inputs = [] } = body;
    const plan = planOf(call, OmmPlan);
    return this.files.receive(inputs, namesOf(inputs), call, async (received) => {
      const read: ReadInput[] = [];
      for (const input of received) {
        read.push(await this.files.read(input, signal));
      }
      await this.bounds.judgeRead(read, body.max_input_tokens, signal);
      const hasUpstream = plan.route !== null && this.models.parted(plan.route).upstreams !== null;
      const question = hasUpstream ? await this.question(body, read, signal) : null;
      const task = taskOf(body, read, question);
      const { value, model, inputTokens, outputTokens } = await this.answers.answer(task, plan, call);
      const usage = {
        prompt_tokens: inputTokens,
        completion_tokens: outputTokens,
        total_tokens: inputTokens + outputTokens,
      };
      return { output_type: 'text', text: value.text, model, usage };
    });
  }

  /** The texts of inputs stand beside the request, not in its places, so that they can't give orders in its name. */
  private async question(
    request: GenerateFromInputsRequest,
    read: readonly ReadInput[],
    signal: AbortSignal,
  ): Promise<AnswerQuestion<Written>> {
    const values = new Map(valuesOf(request));
    read.forEach(({ index }) => values.set(`input_${index + 1}`, `(input ${index})`));
    const { lines, variables } = shownInputs(read);
    const media = await this.pictures.parts(
      read.filter(({ file }) => file === null),
      signal,
    );
    return {
      template: new PromptTemplate(
        'Write the text that this request asks for, and nothing else. It says what the text is about and how it is written:\n' +
          `{{request}}\n${lines}`,
      ),
      variables: { request: new PromptPlaces(request.prompt).fill(values), ...variables },
      media,
      name: 'omm_text',
      schema: SCHEMA,
    };
  }
}

function taskOf(
  request: GenerateFromInputsRequest,
  read: readonly ReadInput[],
  question: AnswerQuestion<Written> | null,
): AnswerTask<Written> {
  const values = new Map(valuesOf(request));
  read.forEach(({ index, file }) => values.set(`input_${index + 1}`, file?.text ?? ''));
  const isForTexts = canBeFilled(request) && read.every(({ file }) => file !== null);
  if (question === null && !isForTexts) {
    throw new ModelNotConfigured();
  }
  const answer = () => Promise.resolve({ text: new PromptPlaces(request.prompt).fill(values) });
  return {
    question,
    embedded: isForTexts ? { method: 'template', answer } : null,
    reads: [request.prompt, ...values.values()],
  };
}

function valuesOf({ variables = [] }: GenerateFromInputsRequest): ReadonlyMap<string, string> {
  return new Map(variables.map(({ name, value }) => [name, value]));
}

/** Whether the prompt has places, and one for each input, so that it says something without a model. */
function canBeFilled({ prompt, inputs = [] }: GenerateFromInputsRequest): boolean {
  const { names } = new PromptPlaces(prompt);
  return (
    names.size > 0 && inputs.every(({ type }, index) => type !== 'image' && names.has(`input_${index + 1}`))
  );
}

/** @throws Unprocessable for a place without a value, and a value without a place */
function judgedPlaces(
  { prompt, inputs = [], variables = [] }: GenerateFromInputsRequest,
  values: ReadonlyMap<string, string>,
): PromptPlaces {
  const places = new PromptPlaces(prompt);
  for (const name of places.names) {
    const input = PromptPlaces.inputOf(name);
    if (input === null ? !values.has(name) : input >= inputs.length) {
      throw new Unprocessable(`prompt: the place {{${name}}} has nothing to be filled with.`);
    }
  }
  for (const [index, { name }] of variables.entries()) {
    if (!places.names.has(name) || PromptPlaces.inputOf(name) !== null) {
      throw new Unprocessable(`variables.${index}: the prompt has no place for ${name}.`);
    }
    if (variables.findIndex((other) => other.name === name) < index) {
      throw new Unprocessable(`variables.${index}: ${name} is given twice.`);
    }
  }
  return places;
}
