import { Global, Module } from '@nestjs/common';
import { CallTraces } from './call-traces';
import { EventSubscriptions, UnawaitedWrites } from './event-subscriptions';
import { EventRetention, Outbox } from './outbox';

const SERVICES = [CallTraces, EventRetention, EventSubscriptions, Outbox, UnawaitedWrites];

@Global()
@Module({ providers: SERVICES, exports: SERVICES })
export class EventsModule {}
