import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ProcessInputsCall } from '../../../generated/contract';
import type {
  OmmParameters,
  OmmProcessed,
  OmmResult,
  OmmTask,
  ProcessInputsRequest,
} from '../../../generated/types';
import { Estimates, planOf } from '../../contract/estimates';
import { Unprocessable } from '../../core/errors/request-errors';
import type { AnswerTask } from '../../core/models/generation/answer-task';
import { TypedAnswers } from '../../core/models/generation/typed-answers';
import { ModelNotConfigured } from '../../core/models/model-errors';
import { Models, type ModelRoute } from '../../core/models/models';
import type { ReadInput } from '../../core/models/multimodal/input';
import { InputFiles } from '../../core/models/multimodal/input-files';
import { namesOf } from '../../core/models/multimodal/judge-inputs';
import { ShownPictures } from '../../core/models/multimodal/shown-pictures';
import { OmmEstimates, OmmPlan } from './omm-estimates';
import { processingQuestion } from './processing-question';
import { ProcessingRules, requireText, RULE_METHODS } from './processing-rules';

/** Of these, and of every task with a picture, a model is asked where there is one. */
const TASKS_OF_MODELS: readonly OmmTask[] = ['describe', 'summarize', 'extract', 'classify'];
const TASK_OF_PARAMETER: Record<keyof OmmParameters, OmmTask> = {
  sentences: 'summarize',
  count: 'keywords',
  labels: 'classify',
};

/** Does one task with the inputs of a call. */
@Injectable()
export class ProcessingService implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly bounds: OmmEstimates,
    private readonly files: InputFiles,
    private readonly pictures: ShownPictures,
    private readonly rules: ProcessingRules,
    private readonly answers: TypedAnswers,
    private readonly models: Models,
  ) {}

  onModuleInit(): void {
    this.estimates.register('processInputs', ({ body, signal }) => {
      const request = body as ProcessInputsRequest;
      const { inputs, task, parameters = {} } = request;
      judgeParameters(task, parameters);
      const isForRules = RULE_METHODS[task] !== undefined;
      return this.bounds.estimate(
        {
          inputs,
          names: namesOf(inputs),
          texts: parameters.labels ?? [],
          inputTokensMax: request.max_input_tokens,
          outputTokensMax: request.max_tokens ?? null,
          model: { name: request.model ?? null, allowsStandIn: request.allow_degraded ?? false },
          needsModel: !isForRules || inputs.some(({ type }) => type === 'image'),
        },
        signal,
      );
    });
  }

  /** Throws what InputFiles.receive, TypedAnswers.answer and the rules throw. */
  async process(call: ProcessInputsCall): Promise<OmmProcessed> {
    const { body, signal } = call;
    const { inputs, task, parameters = {} } = body;
    const plan = planOf(call, OmmPlan);
    return this.files.receive(inputs, namesOf(inputs), call, async (received) => {
      const read: ReadInput[] = [];
      for (const input of received) {
        read.push(await this.files.read(input, signal));
      }
      await this.bounds.judgeRead(read, body.max_input_tokens, signal);
      const planned = await this.task(read, task, parameters, plan.route, signal);
      const { value, model, inputTokens, outputTokens } = await this.answers.answer(planned, plan, call);
      const usage = {
        prompt_tokens: inputTokens,
        completion_tokens: outputTokens,
        total_tokens: inputTokens + outputTokens,
      };
      return { task, results: value, model, usage };
    });
  }

  private async task(
    read: readonly ReadInput[],
    task: OmmTask,
    parameters: OmmParameters,
    route: ModelRoute | null,
    signal: AbortSignal,
  ): Promise<AnswerTask<OmmResult[]>> {
    const isOfModels = TASKS_OF_MODELS.includes(task);
    const asked = isOfModels ? read : read.filter(({ file }) => file === null);
    const byRules = read.filter((input) => !asked.includes(input));
    const method = RULE_METHODS[task];
    const canDoWithout = method !== undefined && read.every(({ file }) => file !== null);
    const hasUpstream = route !== null && this.models.parted(route).upstreams !== null;
    if (!canDoWithout && !hasUpstream) {
      throw new ModelNotConfigured();
    }
    asked.forEach(({ file, name }) => file && requireText(file.text, name));
    const ruled = await this.ruled(byRules, task, parameters, signal);
    const question =
      hasUpstream && asked.length > 0 ? await this.question(asked, task, parameters, signal) : null;
    return {
      question: question && {
        ...question,
        read: (told: never) => [...(question.read?.(told) ?? []), ...ruled].sort(byIndex),
      },
      embedded: canDoWithout
        ? { method, answer: (until) => this.ruled(read, task, parameters, until) }
        : null,
      reads: read.map(({ file }) => file?.text ?? ''),
    };
  }

  private async question(
    asked: readonly ReadInput[],
    task: OmmTask,
    parameters: OmmParameters,
    signal: AbortSignal,
  ) {
    const media = await this.pictures.parts(
      asked.filter(({ file }) => file === null),
      signal,
    );
    return processingQuestion(asked, media, task, parameters);
  }

  private async ruled(
    inputs: readonly ReadInput[],
    task: OmmTask,
    parameters: OmmParameters,
    signal: AbortSignal,
  ): Promise<OmmResult[]> {
    const results: OmmResult[] = [];
    for (const input of inputs) {
      results.push(await this.rules.result(input, task, parameters, signal));
    }
    return results;
  }
}

/** @throws Unprocessable for parameters of another task, a task that lacks its own, and for speech */
function judgeParameters(task: OmmTask, parameters: OmmParameters): void {
  for (const [name, owner] of Object.entries(TASK_OF_PARAMETER)) {
    if (parameters[name as keyof OmmParameters] !== undefined && owner !== task) {
      throw new Unprocessable(`parameters.${name}: belongs to the task ${owner}.`);
    }
  }
  if (task === 'classify' && parameters.labels === undefined) {
    throw new Unprocessable('parameters.labels: the task classify needs them.');
  }
  if (task === 'transcribe') {
    // No upstream is asked for speech, and no input carries any.
    throw new Unprocessable('Nothing here hears: no input carries sound, and no model is asked for speech.');
  }
}

function byIndex(one: OmmResult, other: OmmResult): number {
  return one.index - other.index;
}
