import { Module, type DynamicModule } from '@nestjs/common';
import { API_GROUPS } from './api-groups';
import { CoreModule, type CoreOptions } from './core/core.module';
import { DeliveryWorkersModule } from './core/events/deliveries/delivery-workers.module';
import { DocumentWorkersModule } from './core/knowledge/documents/document-workers.module';
import { PaymentWorkersModule } from './core/money/payments/payment-workers.module';
import { TaskWorkersModule } from './core/work/tasks/task-workers.module';
import { InfrastructureModule, type InfrastructureOptions } from './infrastructure/infrastructure.module';
import { CallsModule } from './pipeline/calls.module';
import { UpkeepModule } from './upkeep/upkeep.module';

/** What a process of role `worker` runs: the background jobs, and the operations that tasks name, without their routes. */
@Module({})
export class WorkerModule {
  static with(options: InfrastructureOptions & CoreOptions): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        InfrastructureModule.with(options),
        CoreModule.with(options),
        CallsModule,
        ...API_GROUPS,
        DeliveryWorkersModule,
        DocumentWorkersModule,
        PaymentWorkersModule,
        TaskWorkersModule,
        UpkeepModule,
      ],
    };
  }
}
