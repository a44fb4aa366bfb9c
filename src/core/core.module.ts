import { Module, type DynamicModule } from '@nestjs/common';
import { AccessModule, type AccessOptions } from './access/access.module';
import { AgentRunsModule } from './agents/agents.module';
import { EventsModule } from './events/events.module';
import type { EventDocument } from './events/outbox/event-document';
import { KnowledgeModule } from './knowledge/knowledge.module';
import { ModelsModule } from './models/models.module';
import { MoneyModule } from './money/money.module';
import type { ConfirmationRules } from './money/payments/confirmation-rules';
import type { PriceList } from './money/pricing/price-list';
import { RealtimeModule } from './realtime/realtime.module';
import { TextModule } from './text/text.module';
import { WorkModule } from './work/work.module';

export interface CoreOptions extends AccessOptions {
  prices: PriceList;
  confirmationRules: ConfirmationRules;
  eventDocument: EventDocument;
}

/** The modules of core, in an order in which each imports only from those before it. */
@Module({})
export class CoreModule {
  static with(options: CoreOptions): DynamicModule {
    return {
      module: CoreModule,
      imports: [
        EventsModule.with(options.eventDocument),
        AccessModule.with(options),
        MoneyModule.with(options.prices, options.confirmationRules),
        TextModule,
        ModelsModule,
        KnowledgeModule,
        AgentRunsModule,
        WorkModule,
        RealtimeModule,
      ],
    };
  }
}
