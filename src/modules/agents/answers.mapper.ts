import type { AgentChat, AgentStep, AgentText, AgentUsage } from '../../../generated/types';
import { saidByModel } from '../../core/models/said-by-model';
import type { TokenUse } from '../../core/money/pricing/price-list';
import type { AgentRun } from '../../core/agents/agent-run';
import type { TakenStep } from '../../core/agents/agent-steps';

export function toAgentText(run: AgentRun, steps: readonly TakenStep[]): AgentText {
  const { message, ...rest } = toAgentChat(run, steps);
  return { text: message.content, ...rest };
}

export function toAgentChat(run: AgentRun, steps: readonly TakenStep[]): AgentChat {
  const last = steps.at(-1);
  if (!last) {
    throw new Error('a run ended without a step');
  }
  return {
    message: { role: 'assistant', content: textOf(last) },
    model: last.model,
    agent_id: run.agent?.id ?? null,
    finish_reason: last.finishReason,
    usage: toUsage({
      inputTokens: steps.reduce((sum, { use }) => sum + use.inputTokens, 0),
      outputTokens: steps.reduce((sum, { use }) => sum + use.outputTokens, 0),
    }),
    steps: steps.map(toAgentStep),
  };
}

function toUsage({ inputTokens, outputTokens }: TokenUse): AgentUsage {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

function toAgentStep({ model, finishReason, toolCalls, use }: TakenStep): AgentStep {
  return {
    model,
    finish_reason: finishReason,
    tool_calls: toolCalls.map(({ name, arguments: text, text: result, isError }) => ({
      name,
      arguments: text,
      result,
      is_error: isError,
    })),
    usage: toUsage(use),
  };
}

/** What the model says; a model that refuses to answer says so in the field `refusal` instead. */
function textOf({ message }: TakenStep): string {
  const { text, refusal } = saidByModel(message);
  return text || refusal;
}
