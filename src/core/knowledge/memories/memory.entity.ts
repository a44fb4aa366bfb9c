import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A value that an account stored under a key of a namespace. */
@Entity('memories')
export class MemoryRecord {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') accountId!: string;
  @Column('text') namespace!: string;
  @Column('text') key!: string;
  @Column('text') value!: string;
  @Column('jsonb') metadata!: Record<string, unknown>;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
}
