import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Deliveries } from './deliveries/deliveries.repository';
import { DeliveryQueues, FAST_QUEUE, SLOW_QUEUE } from './deliveries/delivery-queues';
import { EventFigures } from './deliveries/event-figures';
import { EventMetrics } from './deliveries/event-metrics';
import { EventRelay } from './deliveries/event-relay';
import { RelayRepository } from './deliveries/relay.repository';
import { WebhooksHealthRepository } from './deliveries/webhooks-health.repository';
import { CallTraces } from './outbox/call-traces';
import { EventDocument } from './outbox/event-document';
import { EventRetention } from './outbox/event-retention';
import { EventSubscriptions } from './outbox/event-subscriptions';
import { Outbox } from './outbox/outbox';
import { UnawaitedWrites } from './outbox/unawaited-writes';
import { WebhookAddresses } from './webhooks/webhook-addresses';
import { Webhook } from './webhooks/webhook.entity';
import { Webhooks } from './webhooks/webhooks.repository';

const SERVICES = [
  CallTraces,
  Deliveries,
  EventMetrics,
  EventRelay,
  EventRetention,
  EventSubscriptions,
  Outbox,
  UnawaitedWrites,
  WebhookAddresses,
  Webhooks,
  WebhooksHealthRepository,
];

/** The outbox, the webhooks of all accounts, and the deliveries to them. */
@Module({})
export class EventsModule {
  static with(document: EventDocument): DynamicModule {
    return {
      module: EventsModule,
      global: true,
      imports: [
        BullModule.registerQueue({ name: FAST_QUEUE }, { name: SLOW_QUEUE }),
        TypeOrmModule.forFeature([Webhook]),
      ],
      providers: [
        ...SERVICES,
        DeliveryQueues,
        EventFigures,
        RelayRepository,
        { provide: EventDocument, useValue: document },
      ],
      exports: [...SERVICES, EventDocument],
    };
  }
}
