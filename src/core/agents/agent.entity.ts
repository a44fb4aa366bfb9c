import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What an account has set for its chats: instructions, a model, tools, memories. */
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

/** What its owner sets of an agent. */
export type AgentFields = Omit<AgentRecord, 'id' | 'accountId' | 'createdAt' | 'updatedAt'>;
