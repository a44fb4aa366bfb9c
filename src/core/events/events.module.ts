import { Global, Module } from '@nestjs/common';
import { EventRetention } from './outbox/event-retention';
import { EventSubscriptions } from './outbox/event-subscriptions';
import { Outbox } from './outbox/outbox';
import { UnawaitedWrites } from './outbox/unawaited-writes';

const SERVICES = [EventRetention, EventSubscriptions, Outbox, UnawaitedWrites];

/** The outbox, the webhooks of all accounts, and the deliveries to them. */
@Global()
@Module({ providers: SERVICES, exports: SERVICES })
export class EventsModule {}
