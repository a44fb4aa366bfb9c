import { Global, Module } from '@nestjs/common';
import { Outbox } from './outbox/outbox';

const SERVICES = [Outbox];

/** The outbox, the webhooks of all accounts, and the deliveries to them. */
@Global()
@Module({ providers: SERVICES, exports: SERVICES })
export class EventsModule {}
