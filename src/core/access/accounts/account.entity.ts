import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many calls an enterprise account may make in each span of time; null means no limit in that span. */
export interface AccountRateLimits {
  requests_per_second: number | null;
  requests_per_minute: number | null;
  requests_per_hour: number | null;
  requests_per_day: number | null;
}

/** An account. Disabling it (`isActive`), like a new password, raises `tokenVersion`, which ends its older tokens. */
@Entity('accounts')
export class Account {
  @PrimaryColumn('uuid') id!: string;
  /** In normal form (email-address.ts), but for a few older accounts whose normal form another account has. */
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
