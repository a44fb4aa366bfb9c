import { Column, Entity, PrimaryColumn } from 'typeorm';

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
