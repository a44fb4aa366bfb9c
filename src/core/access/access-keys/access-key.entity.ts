import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigintColumn } from '../../../infrastructure/database/columns';

const nullableBigint = { ...bigintColumn, nullable: true } as const;

/** An access key. The columns that count what it has spent are not mapped here: only SQL reads and writes them. */
@Entity('access_keys')
export class AccessKey {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') accountId!: string;
  @Column('text') name!: string;
  @Column('text') preview!: string;
  @Column('bytea') secretHash!: Buffer;
  @Column('boolean') isActive!: boolean;
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  @Column('timestamptz', { nullable: true }) lastUsedAt!: Date | null;
  @Column('timestamptz') createdAt!: Date;
  @Column(nullableBigint) dailyLimitNano!: bigint | null;
  @Column(nullableBigint) monthlyLimitNano!: bigint | null;
  @Column(nullableBigint) perRequestLimitNano!: bigint | null;
  @Column('text') timezone!: string;
}
