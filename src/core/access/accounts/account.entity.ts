import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The rate numbers of an enterprise account; null means no limit in that window. */
export interface AccountRateLimits {
  requests_per_second: number | null;
  requests_per_minute: number | null;
  requests_per_hour: number | null;
  requests_per_day: number | null;
}

@Entity('accounts')
export class Account {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') email!: string;
  @Column('text') username!: string;
  @Column('text') passwordHash!: string;
  @Column('text') role!: 'user' | 'admin';
  @Column('text') tier!: string;
  @Column('jsonb', { nullable: true }) rateLimits!: AccountRateLimits | null;
  @Column('boolean') isActive!: boolean;
  @Column('boolean') isEmailVerified!: boolean;
  @Column('integer') tokenVersion!: number;
  @Column('timestamptz') createdAt!: Date;
}
