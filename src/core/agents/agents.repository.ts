import { Injectable } from '@nestjs/common';
import { DataSource, type Repository } from 'typeorm';
import { holdCap } from '../access/accounts/account-cap';
import { NotFound } from '../errors/request-errors';
import { isId } from '../../infrastructure/ids/ids';
import { AgentRecord, type AgentFields } from './agent.entity';

const AGENTS_PER_ACCOUNT_MAX = 1000;
/** A page ends when its system prompts pass this sum: a hundred of the longest ones would fill a process's memory. */
const PAGE_BYTES_MAX = 4 * 1024 * 1024;

/** Which page of an account's agents is wanted, and in what order. */
export interface AgentPage {
  limit: number;
  offset: number;
  sort: 'created_at' | 'updated_at' | 'name';
  order: 'asc' | 'desc';
}

/** The agents in Postgres. */
@Injectable()
export class AgentsRepository {
  private readonly repository: Repository<AgentRecord>;

  constructor(private readonly database: DataSource) {
    this.repository = database.getRepository(AgentRecord);
  }

  /** @throws Conflict when the account has 1,000 agents */
  async insert(agent: AgentRecord): Promise<void> {
    const { accountId } = agent;
    await this.database.transaction(async (manager) => {
      await holdCap(manager, AgentRecord, { accountId, countMax: AGENTS_PER_ACCOUNT_MAX, things: 'agents' });
      await manager.save(AgentRecord, agent);
    });
  }

  /** @throws NotFound where the account has no agent of that id, and for a text that is no id */
  async get(accountId: string, id: string): Promise<AgentRecord> {
    const agent = isId(id) ? await this.repository.findOneBy({ accountId, id }) : null;
    if (!agent) {
      throw new NotFound('agent');
    }
    return agent;
  }

  /** A page of the account's agents, and how many it has in all. A page ends when its system prompts pass 4 MiB. */
  async list(accountId: string, page: AgentPage): Promise<{ agents: AgentRecord[]; total: number }> {
    const total = await this.repository.countBy({ accountId });
    const agents: AgentRecord[] = await this.database.query(pageInOrder(page.sort, page.order), [
      accountId,
      page.limit,
      page.offset,
    ]);
    return { agents, total };
  }

  /** Changes the given fields while the row is locked. Returns the agent as it is then; null where there is none. */
  async update(
    accountId: string,
    id: string,
    change: Partial<AgentFields>,
    now: Date,
  ): Promise<AgentRecord | null> {
    return this.database.transaction(async (manager) => {
      const agent = await manager.findOne(AgentRecord, {
        where: { accountId, id },
        lock: { mode: 'for_no_key_update' },
      });
      return agent && manager.save(AgentRecord, { ...agent, ...change, updatedAt: now });
    });
  }

  /** Returns whether there was such an agent. */
  async remove(accountId: string, id: string): Promise<boolean> {
    return (await this.repository.delete({ accountId, id })).affected === 1;
  }
}

const COLUMNS = `id, account_id AS "accountId", name, system_prompt AS "systemPrompt", model, temperature,
  max_tokens AS "maxTokens", tools, memory_enabled AS "memoryEnabled", memory_namespace AS "memoryNamespace",
  memory_top_k AS "memoryTopK", metadata, created_at AS "createdAt", updated_at AS "updatedAt"`;

function pageInOrder(sort: AgentPage['sort'], order: AgentPage['order']): string {
  const direction = order === 'asc' ? 'ASC' : 'DESC';
  const sorted = `${sort} ${direction}, id ${direction}`;
  const size = 'coalesce(octet_length(system_prompt), 0)';
  return `
    SELECT ${COLUMNS} FROM (
      SELECT *, sum(${size}) OVER (ORDER BY ${sorted}) - ${size} AS bytes_before
      FROM (SELECT * FROM agents WHERE account_id = $1 ORDER BY ${sorted} LIMIT $2 OFFSET $3) AS listed
    ) AS measured
    WHERE bytes_before < ${PAGE_BYTES_MAX} ORDER BY ${sorted}`;
}
