import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { API_GROUPS } from './api-groups';
import { CoreModule, type CoreOptions } from './core/core.module';
import { DeliveryWorkersModule } from './core/events/deliveries/delivery-workers.module';
import { DocumentWorkersModule } from './core/knowledge/documents/document-workers.module';
import { PaymentWorkersModule } from './core/money/payments/payment-workers.module';
import { TaskWorkersModule } from './core/work/tasks/task-workers.module';
import { InfrastructureModule, type InfrastructureOptions } from './infrastructure/infrastructure.module';
import { PipelineModule } from './pipeline/pipeline.module';
import { SocketsModule } from './pipeline/socket/sockets.module';
import { UpkeepModule } from './upkeep/upkeep.module';

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
        ...API_GROUPS,
        ...extraModules,
        SocketsModule,
        ...(options.configuration.role === 'api'
          ? []
          : [
              DeliveryWorkersModule,
              DocumentWorkersModule,
              PaymentWorkersModule,
              TaskWorkersModule,
              UpkeepModule,
            ]),
      ],
    };
  }
}
