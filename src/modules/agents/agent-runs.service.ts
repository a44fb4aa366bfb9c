import { Injectable } from '@nestjs/common';
import type { CallContext, Meter } from '../../contract/call';
import { AgentTools } from '../../core/agent-tools/agent-tools';
import { UpstreamFailed } from '../../core/errors/upstream-errors';
import type { ChatResponse } from '../../core/models/chat-completion';
import type { ModelAnswer } from '../../core/models/model-provider';
import { Models } from '../../core/models/models';
import { TokenCounter } from '../../core/models/tokens/token-counter';
import { AgentMemories } from './agent-memories';
import type { AgentRun } from './agent-run';
import { AgentSteps, type StepAnswer, type TakenStep } from './agent-steps';

/** What a run uses of its call. */
export type MeteredCall = Pick<CallContext, 'signal' | 'setHeader' | 'setEngine'> & { meter: Meter };

/** Calls the model until it answers, and runs the tools that it asks for in between. */
@Injectable()
export class AgentRuns {
  constructor(
    private readonly models: Models,
    private readonly memories: AgentMemories,
    private readonly tools: AgentTools,
    private readonly tokens: TokenCounter,
  ) {}

  /** The steps that led to the answer, which the last of them holds. @throws what Models.chat throws, and tools do */
  async answer(run: AgentRun, call: MeteredCall): Promise<TakenStep[]> {
    const steps = await this.begin(run, call);
    while (!steps.isOver) {
      const answer = await this.models.chat(steps.next(), { signal: call.signal });
      await steps.take(stepAnswer(answer), call.signal);
      call.setEngine(answer.engine);
      call.setHeader('X-Model-Used', answer.response.model);
    }
    call.meter.report(steps.use);
    return steps.taken;
  }

  private async begin(run: AgentRun, { signal, meter }: MeteredCall): Promise<AgentSteps> {
    const messages = await this.memories.recall(run, signal);
    return new AgentSteps(run, messages, meter.outputTokensMax, this.tools, this.tokens);
  }
}

function stepAnswer({ response, engine }: ModelAnswer<ChatResponse>): StepAnswer {
  const [choice] = response.choices;
  if (typeof choice?.message !== 'object') {
    throw new UpstreamFailed(engine.provider, 'sent an answer without a message');
  }
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = response.usage;
  return {
    model: response.model,
    finishReason: choice.finish_reason,
    message: choice.message,
    use: { inputTokens, outputTokens },
  };
}
