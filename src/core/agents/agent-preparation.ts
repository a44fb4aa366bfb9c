import { Injectable } from '@nestjs/common';
import { Configuration } from '../../config/configuration';
import type { ChatMessage } from '../models/chat-completion';
import { ANY_MODEL, Models } from '../models/models';
import type { AgentRun } from './agent-run';
import { AgentsRepository } from './agents.repository';
import { AgentTools } from './tools/agent-tools';

/**
 * What a client asks of an agent, or of a model without an agent. Where a member is null, the agent's own setting
 * holds; where there is no agent or it has no such setting, the service's default does.
 */
export interface RunRequest {
  readonly agentId: string | null;
  /** Replaces the agent's own system prompt; an empty text means that there is none. */
  readonly systemPrompt: string | null;
  readonly messages: readonly ChatMessage[];
  readonly model: string | null;
  readonly temperature: number | null;
  /** For each step of the run. */
  readonly outputTokensMax: number | null;
  readonly allowDegraded: boolean;
}

/** Completes a request with the agent's settings and the service's defaults. */
@Injectable()
export class AgentPreparation {
  constructor(
    private readonly agents: AgentsRepository,
    private readonly tools: AgentTools,
    private readonly models: Models,
    private readonly configuration: Configuration,
  ) {}

  /**
   * The run that a request means. Its price is worked out from this object, and the same object has to be run: an agent
   * that is read again may have been changed, and could ask for more than was reserved.
   * @throws NotFound where the account has no agent of that id, and what Models.route throws
   */
  async prepare(accountId: string, request: RunRequest): Promise<AgentRun> {
    const agent = request.agentId === null ? null : await this.agents.get(accountId, request.agentId);
    const systemPrompt = request.systemPrompt ?? agent?.systemPrompt;
    const instructions = systemPrompt ? [{ role: 'system', content: systemPrompt }] : [];
    const model = request.model ?? agent?.model ?? ANY_MODEL;
    return {
      accountId,
      agent,
      model,
      route: await this.models.route('chat', model, request.allowDegraded),
      messages: [...instructions, ...request.messages],
      tools: (agent?.tools ?? []).filter((name) => this.tools.has(name)),
      temperature: request.temperature ?? agent?.temperature ?? null,
      outputTokensMax:
        request.outputTokensMax ?? agent?.maxTokens ?? this.configuration.defaultOutputTokensMax,
      allowDegraded: request.allowDegraded,
    };
  }
}
