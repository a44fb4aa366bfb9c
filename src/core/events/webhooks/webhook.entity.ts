import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Subscription } from '../outbox/event-types';

/** Where the events of an account are sent to, and how that goes. */
@Entity('webhooks')
export class Webhook {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') accountId!: string;
  @Column('text') url!: string;
  /** Host and port of the URL, `hooks.example.com:443`. */
  @Column('text') receiver!: string;
  @Column('text', { array: true }) events!: Subscription[];
  @Column('text', { nullable: true }) description!: string | null;
  /** Deliveries are signed with it, so it is stored as it is and not as a hash. */
  @Column('text') secret!: string;
  /** Deliveries are signed with it as well until its time has passed. */
  @Column('text', { nullable: true }) previousSecret!: string | null;
  @Column('timestamptz', { nullable: true }) previousSecretUntil!: Date | null;
  @Column('boolean') isActive!: boolean;
  /** Why the service switched the webhook off; null where it did not. */
  @Column('text', { nullable: true }) disabledReason!: string | null;
  /** The first failed attempt since the last successful one; null where there is none. */
  @Column('timestamptz', { nullable: true }) failingSince!: Date | null;
  @Column('timestamptz', { nullable: true }) lastDeliveredAt!: Date | null;
  @Column('timestamptz') createdAt!: Date;
}
