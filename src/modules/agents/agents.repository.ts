import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AccountRows } from '../../accounts/account-rows';
import { AccountDatabases } from '../../database/account-databases';
import { limitMetadata } from '../../runtime/json';
import { Clock } from '../../runtime/clock';
import { createdId } from '../../runtime/ids';

@Entity('agents')
export class AgentEntity {
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

export type AgentFields = Omit<AgentEntity, 'id' | 'accountId' | 'createdAt' | 'updatedAt'>;

@Injectable()
export class Agents extends AccountRows<AgentEntity> {
  constructor(
    databases: AccountDatabases,
    private readonly clock: Clock,
  ) {
    super(databases, AgentEntity, {
      name: 'agent',
      plural: 'agents',
      countMax: 1000,
      // Numbers, ids, times, tools and the names of the members take less than 600 bytes.
      size: {
        storedBytes: 'coalesce(octet_length(system_prompt), 0)',
        jsonBytes: `coalesce(octet_length(to_json(system_prompt)::text), 0) + octet_length(to_json(name)::text)
          + coalesce(octet_length(to_json(model)::text), 0) + octet_length(to_json(memory_namespace)::text)
          + octet_length(metadata::text) + 600`,
      },
    });
  }

  /** @param idempotencyId a retry of a creation finds the first try's agent */
  async create(accountId: string, fields: AgentFields, idempotencyId: string | null): Promise<AgentEntity> {
    limitMetadata(fields.metadata, 'metadata');
    const now = this.clock.now();
    const agent = { ...fields, id: createdId(idempotencyId), accountId, createdAt: now, updatedAt: now };
    return this.transaction(accountId, (manager) => this.insertOnce(manager, agent, fields));
  }

  async change(accountId: string, id: string, change: Partial<AgentFields>): Promise<AgentEntity> {
    return this.update(accountId, id, () => {
      limitMetadata(change.metadata ?? {}, 'metadata');
      return { ...change, updatedAt: this.clock.now() };
    });
  }
}
