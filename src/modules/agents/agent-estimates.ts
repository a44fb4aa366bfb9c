import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Estimates, type Estimate, type EstimatedCall } from '../../contract/estimates';
import { AgentTools } from '../../core/agents/tools/agent-tools';
import { Models } from '../../core/models/models';
import { estimateRequestTokens } from '../../core/models/tokens/estimate-request-tokens';
import { TokenCounter } from '../../core/text/tokens/token-counter';
import { AgentPreparation, type AgentRequest } from './agent-preparation';
import {
  MEMORY_TOKENS_MAX,
  RESULT_TOKENS_MAX,
  STEP_FRAMING_TOKENS_MAX,
  stepsMax,
  type AgentRun,
} from './agent-run';

/** Tells the price step the worst case of a run, so that an agent that is not there costs nothing. */
@Injectable()
export class AgentEstimates implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly preparation: AgentPreparation,
    private readonly tools: AgentTools,
    private readonly models: Models,
    private readonly tokens: TokenCounter,
  ) {}

  onModuleInit(): void {
    for (const operationId of ['generateWithAgent', 'chatWithAgent']) {
      this.estimates.register(operationId, (call) => this.estimate(call));
    }
  }

  /** @throws NotFound, and what Models.resolve and TokenCounter.countAll throw */
  async estimate({ account, body, signal }: EstimatedCall): Promise<Estimate> {
    const run = await this.preparation.prepare(account.id, body as AgentRequest);
    const { id } = await this.models.resolve('chat', run.model, run.allowDegraded);
    const steps = stepsMax(run);
    return {
      inputTokens: inputTokensMax(run, await this.firstInput(run, signal)),
      outputTokensMax: steps * run.outputTokensMax,
      choices: steps,
      model: id,
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
