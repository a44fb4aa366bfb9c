import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ChatWithAgentRequest, GenerateWithAgentRequest } from '../../../generated/types';
import { Configuration } from '../../config/configuration';
import { type Estimate, type EstimatedCall, Estimates } from '../../contract/operation';
import type { ChatMessage } from '../../models/model-provider';
import { ANY_MODEL, type ModelRoute, Models } from '../../models/models';
import { estimateRequestTokens } from '../../models/request-tokens';
import { MemoriesRepository } from '../../retrieval/memories.repository';
import { Clock } from '../../runtime/clock';
import { fitToTokens, TokenCounter } from '../../text/token-counter';
import { AgentTools } from './agent-tools';
import { type AgentEntity, Agents } from './agents.repository';

export interface AgentRun {
  readonly accountId: string;
  readonly agent: AgentEntity | null;
  readonly model: string;
  /** Every step asks these providers in order. The first one's model sets the run's price. */
  readonly route: ModelRoute;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly string[];
  readonly temperature: number | null;
  readonly outputTokensMax: number;
  readonly allowDegraded: boolean;
}

const STEPS_MAX = 5;
export const RESULT_TOKENS_MAX = 2_000;
/** Further tool calls of a step are neither run nor sent back to the model. */
export const TOOL_CALLS_PER_STEP_MAX = 8;
const STEP_FRAMING_TOKENS_MAX = 400;
const MEMORY_TOKENS_MAX = 4_000;

export function stepsMax(run: Pick<AgentRun, 'tools'>): number {
  return run.tools.length > 0 ? STEPS_MAX : 1;
}

type RunRequest = GenerateWithAgentRequest | ChatWithAgentRequest;

/** The run that was priced. The handler runs this one, because the agent may have changed since. */
export class PlannedRun {
  constructor(readonly run: AgentRun) {}
}

/** Estimates the most that a run may use before the reservation: a call of a missing agent fails for free. */
@Injectable()
export class AgentEstimates implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly agents: Agents,
    private readonly tools: AgentTools,
    private readonly models: Models,
    private readonly tokens: TokenCounter,
    private readonly configuration: Configuration,
  ) {}

  onModuleInit(): void {
    for (const operationId of ['generateWithAgent', 'chatWithAgent']) {
      this.estimates.register(operationId, (call) => this.estimate(call));
    }
  }

  async estimate({ account, body, signal }: EstimatedCall): Promise<Estimate> {
    const run = await this.runOf(account.id, body as RunRequest);
    const steps = stepsMax(run);
    return {
      inputTokens: inputTokensMax(run, await this.firstInput(run, signal)),
      outputTokensMax: steps * run.outputTokensMax,
      choices: steps,
      model: run.route.model.id,
      plan: new PlannedRun(run),
    };
  }

  private async runOf(accountId: string, request: RunRequest): Promise<AgentRun> {
    const { agent_id: agentId = null } = request;
    const agent = agentId === null ? null : await this.agents.get(accountId, agentId);
    const isPrompt = 'prompt' in request;
    const systemPrompt = (isPrompt ? request.system_prompt : null) ?? agent?.systemPrompt;
    const instructions = systemPrompt ? [{ role: 'system', content: systemPrompt }] : [];
    const messages = isPrompt ? [{ role: 'user', content: request.prompt }] : request.messages;
    const model = request.model ?? agent?.model ?? ANY_MODEL;
    const allowDegraded = request.allow_degraded ?? false;
    const route = await this.models.route('chat', model, allowDegraded);
    return {
      accountId,
      agent,
      model,
      route,
      messages: [...instructions, ...messages],
      tools: (agent?.tools ?? []).filter((name) => this.tools.has(name)),
      temperature: request.temperature ?? agent?.temperature ?? null,
      outputTokensMax:
        request.max_tokens ??
        agent?.maxTokens ??
        Math.min(this.configuration.defaultOutputTokensMax, route.model.outputTokensMax ?? Infinity),
      allowDegraded,
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

/** Every step reads what the first did, and the outputs and results of all steps before it. */
function inputTokensMax(run: AgentRun, firstInputTokens: number): number {
  const steps = stepsMax(run);
  const grownBy = run.outputTokensMax + RESULT_TOKENS_MAX + STEP_FRAMING_TOKENS_MAX;
  return steps * firstInputTokens + ((steps * (steps - 1)) / 2) * grownBy;
}

const QUERY_LENGTH_MAX = 10_000;
/** In UTF-16 units: this much of one memory fills all the tokens. */
const VALUE_LENGTH_MAX = 8 * MEMORY_TOKENS_MAX;
const HEADING = 'Stored memories that may help with the last message:';

@Injectable()
export class AgentMemories {
  constructor(
    private readonly memories: MemoriesRepository,
    private readonly tokens: TokenCounter,
    private readonly clock: Clock,
  ) {}

  async recall(run: AgentRun, signal: AbortSignal): Promise<ChatMessage[]> {
    const query = run.messages.findLast(({ role }) => role === 'user')?.content;
    if (!run.agent?.memoryEnabled || typeof query !== 'string') {
      return [...run.messages];
    }
    const { memoryNamespace: namespace, memoryTopK: limit } = run.agent;
    const { items: found } = await this.memories.search(
      run.accountId,
      { namespace, metadata: null },
      { query: query.slice(0, QUERY_LENGTH_MAX), limit, now: this.clock.now() },
    );
    if (found.length === 0) {
      return [...run.messages];
    }
    const known = found.map(({ memory: { key, value } }) => `${key}\n${value.slice(0, VALUE_LENGTH_MAX)}`);
    const text = [HEADING, ...known].join('\n\n');
    const content = await fitToTokens(text, MEMORY_TOKENS_MAX, this.tokens, signal);
    // After the system prompt, which may explain them, and before the conversation.
    const position = run.messages[0]?.role === 'system' ? 1 : 0;
    return run.messages.toSpliced(position, 0, { role: 'system', content });
  }
}
