import {
  agentsApi,
  type AgentsApi,
  type ChatWithAgentCall,
  type CreateAgentCall,
  type DeleteAgentCall,
  type GenerateWithAgentCall,
  type GetAgentCall,
  type ListAgentsCall,
  type UpdateAgentCall,
} from '../../../generated/contract';
import type { Agent, AgentChat, AgentList, AgentText } from '../../../generated/types';
import { planOf } from '../../contract/estimates';
import { Serves } from '../../contract/serves.decorator';
import type { StreamedAnswer } from '../../core/models/streams/streamed-answer';
import { AgentRuns } from '../../core/agents/agent-runs';
import { PlannedRun } from './agent-estimates';
import { toAgent, toAgentChange, toAgentFields } from './agents.mapper';
import { AgentsService } from './agents.service';
import { toAgentChat, toAgentText } from './answers.mapper';

@Serves(agentsApi)
export class AgentsController implements AgentsApi {
  constructor(
    private readonly agents: AgentsService,
    private readonly runs: AgentRuns,
  ) {}

  async createAgent({ account, body, idempotencyId }: CreateAgentCall): Promise<Agent> {
    return toAgent(await this.agents.create(account.id, toAgentFields(body), idempotencyId));
  }

  async listAgents({ account, query }: ListAgentsCall): Promise<AgentList> {
    const { items, isTruncated, total } = await this.agents.list(account.id, query);
    return {
      agents: items.map(toAgent),
      total,
      limit: isTruncated ? items.length : query.limit,
      offset: query.offset,
      truncated: isTruncated,
    };
  }

  async getAgent({ account, params }: GetAgentCall): Promise<Agent> {
    return toAgent(await this.agents.get(account.id, params.agent_id));
  }

  async updateAgent({ account, params, body }: UpdateAgentCall): Promise<Agent> {
    return toAgent(await this.agents.update(account.id, params.agent_id, toAgentChange(body)));
  }

  async deleteAgent({ account, params }: DeleteAgentCall): Promise<void> {
    await this.agents.remove(account.id, params.agent_id);
  }

  async generateWithAgent(call: GenerateWithAgentCall): Promise<AgentText> {
    const { run } = planOf(call, PlannedRun);
    return toAgentText(run, await this.runs.answer(run, call));
  }

  async chatWithAgent(call: ChatWithAgentCall): Promise<AgentChat | StreamedAnswer> {
    const { run } = planOf(call, PlannedRun);
    if (call.body.stream) {
      return this.runs.stream(run, call, (steps) => toAgentChat(run, steps));
    }
    return toAgentChat(run, await this.runs.answer(run, call));
  }
}
