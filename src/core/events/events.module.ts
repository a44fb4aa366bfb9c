import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import { DeliveryQueues, FAST_QUEUE, SLOW_QUEUE } from './deliveries/delivery-queues';
import { EventMetrics } from './deliveries/event-metrics';
import { EventRelay } from './deliveries/event-relay';
import { RelayRepository } from './deliveries/relay.repository';
import { EventDocument } from './outbox/event-document';
import { Outbox } from './outbox/outbox';

const SERVICES = [EventMetrics, EventRelay, Outbox];

/** The outbox, the webhooks of all accounts, and the deliveries to them. */
@Module({})
export class EventsModule {
  static with(document: EventDocument): DynamicModule {
    return {
      module: EventsModule,
      global: true,
      imports: [BullModule.registerQueue({ name: FAST_QUEUE }, { name: SLOW_QUEUE })],
      providers: [
        ...SERVICES,
        DeliveryQueues,
        RelayRepository,
        { provide: EventDocument, useValue: document },
      ],
      exports: [...SERVICES, EventDocument],
    };
  }
}
