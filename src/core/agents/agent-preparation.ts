import { Injectable } from '@nestjs/common';
import type { ChatWithAgentRequest, GenerateWithAgentRequest } from '../../../generated/types';
import { Configuration } from '../../config/configuration';
import { AgentTools } from '../../core/agents/tools/agent-tools';
import type { ChatMessage } from '../../core/models/chat-completion';
import { ANY_MODEL } from '../../core/models/models';
import type { AgentRun } from './agent-run';
import type { AgentRecord } from './agent.entity';
import { AgentsService } from './agents.service';

export type AgentRequest = GenerateWithAgentRequest | ChatWithAgentRequest;

/**
 * Decides what a request of an agent means. What its price was worked out from is what runs: an agent that is changed in
 * between must not ask for more than was reserved.
 */
@Injectable()
export class AgentPreparation {
  /** By the body that the pipeline hands to the price step and the controller alike. */
  private readonly prepared = new WeakMap<AgentRequest, Promise<AgentRun>>();

  constructor(
    private readonly agents: AgentsService,
    private readonly tools: AgentTools,
    private readonly configuration: Configuration,
  ) {}

  /** The same run for the same body. @throws NotFound */
  prepare(accountId: string, body: AgentRequest): Promise<AgentRun> {
    let run = this.prepared.get(body);
    if (!run) {
      run = this.decide(accountId, body);
      this.prepared.set(body, run);
    }
    return run;
  }

  private async decide(accountId: string, body: AgentRequest): Promise<AgentRun> {
    const { agent_id: agentId } = body;
    const agent = typeof agentId === 'string' ? await this.agents.get(accountId, agentId) : null;
    return {
      accountId,
      agent,
      model: body.model ?? agent?.model ?? ANY_MODEL,
      messages: messagesOf(body, agent),
      tools: (agent?.tools ?? []).filter((name) => this.tools.has(name)),
      temperature: body.temperature ?? agent?.temperature ?? null,
      outputTokensMax: body.max_tokens ?? agent?.maxTokens ?? this.configuration.defaultOutputTokensMax,
      allowDegraded: body.allow_degraded ?? false,
    };
  }
}

function messagesOf(body: AgentRequest, agent: AgentRecord | null): ChatMessage[] {
  const [systemPrompt, messages] =
    'prompt' in body
      ? [body.system_prompt ?? agent?.systemPrompt, [{ role: 'user', content: body.prompt }]]
      : [agent?.systemPrompt, body.messages];
  return systemPrompt ? [{ role: 'system', content: systemPrompt }, ...messages] : messages;
}
