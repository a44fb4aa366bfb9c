import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Deliveries } from './deliveries/deliveries.repository';
import { WebhooksHealthRepository } from './deliveries/webhooks-health.repository';
import { EventDocument } from './outbox/event-document';
import { Outbox } from './outbox/outbox';
import { PublicAddresses } from './webhooks/public-addresses';
import { WebhookAddresses } from './webhooks/webhook-addresses';
import { Webhook } from './webhooks/webhook.entity';
import { Webhooks } from './webhooks/webhooks.repository';

const SERVICES = [Deliveries, Outbox, Webhooks, WebhooksHealthRepository];

/** The outbox, the webhooks of all accounts, and the deliveries to them. */
@Module({})
export class EventsModule {
  static with(document: EventDocument): DynamicModule {
    return {
      module: EventsModule,
      global: true,
      imports: [TypeOrmModule.forFeature([Webhook])],
      providers: [
        ...SERVICES,
        { provide: EventDocument, useValue: document },
        { provide: WebhookAddresses, useClass: PublicAddresses },
      ],
      exports: [...SERVICES, EventDocument, WebhookAddresses],
    };
  }
}
