import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { CoreModule, type CoreOptions } from './core/core.module';
import { DeliveryWorkersModule } from './core/events/deliveries/delivery-workers.module';
import { InfrastructureModule, type InfrastructureOptions } from './infrastructure/infrastructure.module';
import { AccountModule } from './modules/account/account.module';
import { AdminModule } from './modules/admin/admin.module';
import { AgentsModule } from './modules/agents/agents.module';
import { AuthModule } from './modules/auth/auth.module';
import { HealthModule } from './modules/health/health.module';
import { HubModule } from './modules/hub/hub.module';
import { KeysModule } from './modules/keys/keys.module';
import { MemoryModule } from './modules/memory/memory.module';
import { MonitoringModule } from './modules/monitoring/monitoring.module';
import { PaymentsModule } from './modules/payments/payments.module';
import { PricingModule } from './modules/pricing/pricing.module';
import { SupportModule } from './modules/support/support.module';
import { V1Module } from './modules/v1/v1.module';
import { WebhooksModule } from './modules/webhooks/webhooks.module';
import { PipelineModule } from './pipeline/pipeline.module';
import { UpkeepModule } from './upkeep/upkeep.module';

/** The API groups, in the order of the document. */
const GROUPS = [
  AuthModule,
  KeysModule,
  PaymentsModule,
  PricingModule,
  AccountModule,
  SupportModule,
  MonitoringModule,
  HubModule,
  MemoryModule,
  AgentsModule,
  V1Module,
  WebhooksModule,
  AdminModule,
  HealthModule,
];

@Module({})
export class AppModule {
  static with(
    options: InfrastructureOptions & CoreOptions,
    extraModules: ModuleMetadata['imports'] = [],
  ): DynamicModule {
    return {
      module: AppModule,
      imports: [
        InfrastructureModule.with(options),
        CoreModule.with(options),
        PipelineModule,
        ...GROUPS,
        ...extraModules,
        ...(options.configuration.role === 'api' ? [] : [DeliveryWorkersModule, UpkeepModule]),
      ],
    };
  }
}
