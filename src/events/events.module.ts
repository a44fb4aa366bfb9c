import { Global, Module } from '@nestjs/common';
import { CallTraces } from './call-traces';
import { EventSubscriptions, BackgroundEventWriter } from './event-subscriptions';
import { EventRetention, Outbox } from './outbox';

const SERVICES = [CallTraces, EventRetention, EventSubscriptions, Outbox, BackgroundEventWriter];

@Global()
@Module({ providers: SERVICES, exports: SERVICES })
export class EventsModule {}
