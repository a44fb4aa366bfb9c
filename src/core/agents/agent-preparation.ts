import { Injectable } from '@nestjs/common';
import { Configuration } from '../../config/configuration';
import type { ChatMessage } from '../models/chat-completion';
import { ANY_MODEL } from '../models/models';
import type { AgentRun } from './agent-run';
import { AgentsRepository } from './agents.repository';
import { AgentTools } from './tools/agent-tools';

/** What somebody asks of an agent, or of a model alone. What is null the agent decides, and the service where there is none. */
export interface RunRequest {
  readonly agentId: string | null;
  /** Stands in place of the agent's own, also where it is empty. */
  readonly systemPrompt: string | null;
  readonly messages: readonly ChatMessage[];
  readonly model: string | null;
  readonly temperature: number | null;
  /** Of one step. */
  readonly outputTokensMax: number | null;
  readonly allowDegraded: boolean;
}

/** Decides what a request of an agent means. */
@Injectable()
export class AgentPreparation {
  constructor(
    private readonly agents: AgentsRepository,
    private readonly tools: AgentTools,
    private readonly configuration: Configuration,
  ) {}

  /**
   * The run that its price is worked out from, and that has to run then: an agent which is changed in between must not
   * ask for more than was reserved.
   * @throws NotFound
   */
  async prepare(accountId: string, request: RunRequest): Promise<AgentRun> {
    const agent = request.agentId === null ? null : await this.agents.get(accountId, request.agentId);
    const systemPrompt = request.systemPrompt ?? agent?.systemPrompt;
    const instructions = systemPrompt ? [{ role: 'system', content: systemPrompt }] : [];
    return {
      accountId,
      agent,
      model: request.model ?? agent?.model ?? ANY_MODEL,
      messages: [...instructions, ...request.messages],
      tools: (agent?.tools ?? []).filter((name) => this.tools.has(name)),
      temperature: request.temperature ?? agent?.temperature ?? null,
      outputTokensMax:
        request.outputTokensMax ?? agent?.maxTokens ?? this.configuration.defaultOutputTokensMax,
      allowDegraded: request.allowDegraded,
    };
  }
}
