import { Injectable } from '@nestjs/common';
import { Column, DataSource, Entity, PrimaryColumn, type Repository } from 'typeorm';
import { holdCap } from '../../accounts/accounts';
import { boundedPage, type BoundedPage, pageOf } from '../../database/bounded-statements';
import { NotFound } from '../../errors/api-errors';
import { isId } from '../../runtime/ids';

/** A stored agent: the instructions, model, tools and memories that an account has set for its runs. */
@Entity('agents')
export class AgentRecord {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') accountId!: string;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) systemPrompt!: string | null;
  @Column('text', { nullable: true }) model!: string | null;
  @Column('double precision', { nullable: true }) temperature!: number | null;
  @Column('integer', { nullable: true }) maxTokens!: number | null;
  @Column('text', { array: true }) tools!: string[];
  @Column('boolean') memoryEnabled!: boolean;
  @Column('text') memoryNamespace!: string;
  @Column('integer') memoryTopK!: number;
  @Column('jsonb') metadata!: Record<string, unknown>;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
}

/** The fields of an agent that its owner sets. */
export type AgentFields = Omit<AgentRecord, 'id' | 'accountId' | 'createdAt' | 'updatedAt'>;

const AGENTS_PER_ACCOUNT_MAX = 1000;

/** Which of an account's agents are wanted, and in what order; null means no condition. */
interface AgentPage {
  createdFrom: Date | null;
  createdBefore: Date | null;
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

  /**
   * Returns the stored agent: the one that the account has under this id already, if it has one.
   * @throws Conflict when the account has 1,000 agents
   */
  async insert(agent: AgentRecord): Promise<AgentRecord> {
    const { accountId, id } = agent;
    return this.database.transaction(async (manager) => {
      const stored = await manager.findOneBy(AgentRecord, { accountId, id });
      if (stored) {
        return stored;
      }
      await holdCap(manager, AgentRecord, { accountId, countMax: AGENTS_PER_ACCOUNT_MAX, things: 'agents' });
      await manager.save(AgentRecord, agent);
      return agent;
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

  /**
   * A page of the account's agents in the period, which ends where its JSON would exceed 1 MiB, and how many there are
   * in all.
   */
  async list(accountId: string, page: AgentPage): Promise<BoundedPage<AgentRecord> & { total: number }> {
    const chosen = [accountId, page.createdFrom, page.createdBefore];
    const [count]: { total: string }[] = await this.database.query(COUNT, chosen);
    const rows: (AgentRecord & { listed: number })[] = await this.database.query(
      pageInOrder(page.sort, page.order),
      [...chosen, page.limit, page.offset],
    );
    return { ...pageOf<AgentRecord>(rows), total: Number(count?.total) };
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
      if (!agent) {
        return null;
      }
      // Not by `save`: it compares the metadata with the stored ones by their own `hasOwnProperty`, if they have one.
      const changed: object = { ...change, updatedAt: now };
      await manager.update(AgentRecord, { accountId, id }, changed);
      return { ...agent, ...change, updatedAt: now };
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

/** Numbers, ids, times, tools and the names of the members take less than 600 bytes. */
const SIZE = {
  storedBytes: 'coalesce(octet_length(system_prompt), 0)',
  jsonBytes: `coalesce(octet_length(to_json(system_prompt)::text), 0) + octet_length(to_json(name)::text)
    + coalesce(octet_length(to_json(model)::text), 0) + octet_length(to_json(memory_namespace)::text)
    + octet_length(metadata::text) + 600`,
};

const CHOSEN = `account_id = $1 AND created_at >= coalesce($2::timestamptz, '-infinity')
  AND created_at < coalesce($3::timestamptz, 'infinity')`;

const COUNT = `SELECT count(*) AS total FROM agents WHERE ${CHOSEN}`;

function pageInOrder(sort: AgentPage['sort'], order: AgentPage['order']): string {
  const direction = order === 'asc' ? 'ASC' : 'DESC';
  const sorted = `${sort} ${direction}, id ${direction}`;
  const rows = `SELECT * FROM agents WHERE ${CHOSEN} ORDER BY ${sorted} LIMIT $4 OFFSET $5`;
  return boundedPage({ ...SIZE, rows, order: sorted, columns: COLUMNS });
}
