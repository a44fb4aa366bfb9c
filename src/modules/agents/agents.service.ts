import { Injectable } from '@nestjs/common';
import type { ListAgentsQuery } from '../../../generated/types';
import { AgentTools } from '../../core/agents/tools/agent-tools';
import { NotFound, Unprocessable } from '../../core/errors/request-errors';
import { limitMetadata } from '../../core/knowledge/memories/limit-metadata';
import { openPeriod } from '../../core/money/usage/period';
import { Clock } from '../../infrastructure/clock/clock';
import type { BoundedPage } from '../../infrastructure/database/bounded-page';
import { isId, newId } from '../../infrastructure/ids/ids';
import type { AgentFields, AgentRecord } from '../../core/agents/agent.entity';
import { AgentsRepository } from '../../core/agents/agents.repository';

/** The agents of an account. */
@Injectable()
export class AgentsService {
  constructor(
    private readonly agents: AgentsRepository,
    private readonly tools: AgentTools,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws ValidationFailed for too much metadata, Unprocessable for a tool that this service does not have, Conflict
   * when the account has 1,000 agents
   */
  async create(accountId: string, fields: AgentFields): Promise<AgentRecord> {
    this.check(fields);
    const now = this.clock.now();
    const agent = { ...fields, id: newId(), accountId, createdAt: now, updatedAt: now };
    await this.agents.insert(agent);
    return agent;
  }

  /** @throws Unprocessable when the period would end before it starts */
  async list(
    accountId: string,
    query: ListAgentsQuery,
  ): Promise<BoundedPage<AgentRecord> & { total: number }> {
    const { start, end } = openPeriod(query);
    return this.agents.list(accountId, { ...query, createdFrom: start, createdBefore: end });
  }

  /** @throws NotFound where the account has no agent of that id */
  async get(accountId: string, id: string): Promise<AgentRecord> {
    return this.agents.get(accountId, id);
  }

  /** @throws NotFound where the account has no agent of that id, ValidationFailed and Unprocessable as `create` does */
  async update(accountId: string, id: string, change: Partial<AgentFields>): Promise<AgentRecord> {
    await this.get(accountId, id);
    this.check(change);
    const agent = await this.agents.update(accountId, id, change, this.clock.now());
    if (!agent) {
      throw new NotFound('agent');
    }
    return agent;
  }

  /** @throws NotFound where the account has no agent of that id */
  async remove(accountId: string, id: string): Promise<void> {
    if (!isId(id) || !(await this.agents.remove(accountId, id))) {
      throw new NotFound('agent');
    }
  }

  private check({ metadata, tools }: Partial<AgentFields>): void {
    limitMetadata(metadata ?? {}, 'metadata');
    const missing = (tools ?? []).filter((name) => !this.tools.has(name));
    if (missing.length > 0) {
      throw new Unprocessable(`This service has no tool ${missing.join(', ')} yet.`);
    }
  }
}
