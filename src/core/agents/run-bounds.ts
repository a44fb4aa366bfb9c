import { Injectable } from '@nestjs/common';
import { estimateRequestTokens } from '../models/tokens/estimate-request-tokens';
import { TokenCounter } from '../text/tokens/token-counter';
import {
  MEMORY_TOKENS_MAX,
  RESULT_TOKENS_MAX,
  STEP_FRAMING_TOKENS_MAX,
  stepsMax,
  type AgentRun,
} from './agent-run';
import { AgentTools } from './tools/agent-tools';

/** The most that all steps of a run may use together. */
export interface RunBound {
  readonly inputTokens: number;
  readonly outputTokensMax: number;
  readonly steps: number;
  /** The id of the model that will be asked first. */
  readonly model: string;
}

/** Works out the most that a run may use, which is reserved before it begins. */
@Injectable()
export class RunBounds {
  constructor(
    private readonly tools: AgentTools,
    private readonly tokens: TokenCounter,
  ) {}

  /** The bound of one run, in tokens. Throws what TokenCounter.countAll throws. */
  async of(run: AgentRun, signal: AbortSignal): Promise<RunBound> {
    const steps = stepsMax(run);
    return {
      inputTokens: inputTokensMax(run, await this.firstInput(run, signal)),
      outputTokensMax: steps * run.outputTokensMax,
      steps,
      model: run.route.model.id,
    };
  }

  private async firstInput(run: AgentRun, signal: AbortSignal): Promise<number> {
    const { messages } = run;
    const tools = this.tools.definitions(run.tools);
    const request = tools.length > 0 ? { messages, tools } : { messages };
    const memories = run.agent?.memoryEnabled ? MEMORY_TOKENS_MAX + STEP_FRAMING_TOKENS_MAX : 0;
    return (await estimateRequestTokens(request, this.tokens, { signal })) + memories;
  }
}

/** Every step reads what the first one did, and the outputs and results of all steps before it. */
function inputTokensMax(run: AgentRun, firstInputTokens: number): number {
  const steps = stepsMax(run);
  const grownBy = run.outputTokensMax + RESULT_TOKENS_MAX + STEP_FRAMING_TOKENS_MAX;
  return steps * firstInputTokens + ((steps * (steps - 1)) / 2) * grownBy;
}
