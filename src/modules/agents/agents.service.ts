import { Injectable } from '@nestjs/common';
import type { ListAgentsQuery } from '../../../generated/types';
import { NotFound } from '../../core/errors/request-errors';
import { limitMetadata } from '../../core/knowledge/memories/limit-metadata';
import { openPeriod } from '../../core/money/usage/period';
import { Clock } from '../../infrastructure/clock/clock';
import type { BoundedPage } from '../../infrastructure/database/bounded-page';
import { idOf, isId, newId } from '../../infrastructure/ids/ids';
import type { AgentFields, AgentRecord } from '../../core/agents/agent.entity';
import { AgentsRepository } from '../../core/agents/agents.repository';

/** The agents of an account. */
@Injectable()
export class AgentsService {
  constructor(
    private readonly agents: AgentsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @param idempotencyId the same for every try of one creation: a further try finds the agent of the first. Null where
   * there is only one, which is the default
   * @throws ValidationFailed for too much metadata, Conflict when the account has 1,000 agents
   */
  async create(
    accountId: string,
    fields: AgentFields,
    idempotencyId: string | null = null,
  ): Promise<AgentRecord> {
    limitMetadata(fields.metadata, 'metadata');
    const id = idempotencyId === null ? newId() : idOf(idempotencyId);
    const now = this.clock.now();
    return this.agents.insert({ ...fields, id, accountId, createdAt: now, updatedAt: now });
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

  /** @throws NotFound where the account has no agent of that id, ValidationFailed as `create` does */
  async update(accountId: string, id: string, change: Partial<AgentFields>): Promise<AgentRecord> {
    await this.get(accountId, id);
    limitMetadata(change.metadata ?? {}, 'metadata');
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
}
