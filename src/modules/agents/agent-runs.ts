import { Injectable } from '@nestjs/common';
import { UpstreamFailed } from '../../models/errors';
import { AnswerSoFar } from '../../models/measured-answer';
import { producedByMessage } from '../../models/message-text';
import type { CallProgress, ModelAnswer } from '../../models/model-provider';
import { Models } from '../../models/models';
import { reportedUse, useOf } from '../../models/usage';
import type { ChatChoice, ChatRequest, ChatResponse } from '../../models/wire-format';
import { Clock } from '../../runtime/clock';
import { isObject } from '../../runtime/json';
import { TokenCounter } from '../../text/token-counter';
import { AgentMemories, type AgentRun, type RunCall } from './agent-run';
import {
  AgentSteps,
  AgentStream,
  type StepAnswer,
  stepInputTokens,
  stepOutputTokens,
  type TakenStep,
} from './agent-steps';
import { AgentTools } from './agent-tools';

/** Calls the model and runs the tools that it asks for, again and again, until it answers without asking for any. */
@Injectable()
export class AgentRuns {
  constructor(
    private readonly models: Models,
    private readonly memories: AgentMemories,
    private readonly tools: AgentTools,
    private readonly tokens: TokenCounter,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs all steps and reports their use to the call's meter. The last of the steps returned holds the answer. Throws
   * UpstreamFailed for an answer without a message, and what AgentMemories.recall, Models.chat, AgentSteps.take throw.
   */
  async answer(run: AgentRun, call: RunCall): Promise<TakenStep[]> {
    const steps = await this.begin(run, call);
    const { signal } = call;
    while (!steps.isOver) {
      const request = steps.next();
      const progress = this.watched(steps, request, call);
      const answer = await this.models.chat(request, { signal, ownCap: true, route: run.route, progress });
      const counted = () => progress.dropped();
      await steps.take(await this.stepAnswer(request, answer), signal, counted);
      call.setEngine(answer.engine);
      call.setHeader('X-Model-Used', answer.response.model);
    }
    call.meter.report(steps.use);
    return steps.taken;
  }

  /**
   * The same run as a stream of chat chunks; resolves when the first step has begun to answer. Whoever sends the stream
   * reports its use. Throws what AgentMemories.recall and Models.streamChat throw.
   * @param whole turns the steps into the JSON body that the same call would get without streaming
   */
  async stream(
    run: AgentRun,
    call: RunCall,
    whole: (steps: readonly TakenStep[]) => object,
  ): Promise<AgentStream> {
    const { signal } = call;
    const ask = (request: ChatRequest, progress?: CallProgress) =>
      this.models.streamChat(
        { ...request, stream: true, stream_options: { include_usage: true } },
        { signal, ownCap: true, route: run.route, progress },
      );
    const steps = await this.begin(run, call);
    const request = steps.next();
    const stream = await ask(request, this.watched(steps, request, call));
    call.setEngine(stream.engine);
    call.setHeader('X-Model-Used', stream.model);
    const created = Math.floor(this.clock.now().getTime() / 1000);
    return new AgentStream({ steps, whole, request, stream, ask, counter: this.tokens, signal, created });
  }

  private async begin(run: AgentRun, { signal, meter }: RunCall): Promise<AgentSteps> {
    const messages = await this.memories.recall(run, signal);
    return new AgentSteps(run, messages, meter.outputTokensMax, this.tools, this.tokens);
  }

  /**
   * Has the call ask the run what it has used, should its caller go away: all steps that have answered, and what an
   * upstream has done for the present one.
   */
  private watched(steps: AgentSteps, request: ChatRequest, { meter }: RunCall): AnswerSoFar {
    const progress = new AnswerSoFar(this.tokens, async () => ({
      inputTokens: await stepInputTokens(request, this.tokens.patient()),
      outputTokensMax: request.max_completion_tokens ?? Infinity,
    }));
    meter.watch({
      useSoFar: () => {
        const part = progress.useSoFar();
        if (part) {
          return steps.useWith(() => part);
        }
        return steps.hasAnswered ? Promise.resolve(steps.use) : null;
      },
    });
    return progress;
  }

  private async stepAnswer(
    request: ChatRequest,
    { response, engine }: ModelAnswer<ChatResponse>,
  ): Promise<StepAnswer> {
    const choices = (response as Partial<ChatResponse>).choices ?? [];
    const [choice] = choices as Partial<ChatChoice>[];
    if (!isObject(choice?.message)) {
      throw new UpstreamFailed(engine.provider, 'sent an answer without a message');
    }
    const { message, finish_reason: finishReason = null } = choice as ChatChoice;
    const patient = this.tokens.patient();
    const use = await useOf(reportedUse(response.usage), {
      inputTokens: () => stepInputTokens(request, patient),
      outputTokens: async () => stepOutputTokens(request, await patient.countAll(producedByMessage(message))),
    });
    return { model: response.model, finishReason, message, use };
  }
}
