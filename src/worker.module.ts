import { Module, type DynamicModule } from '@nestjs/common';
import { CoreModule, type CoreOptions } from './core/core.module';
import { DeliveryWorkersModule } from './core/events/deliveries/delivery-workers.module';
import { InfrastructureModule, type InfrastructureOptions } from './infrastructure/infrastructure.module';
import { UpkeepModule } from './upkeep/upkeep.module';

/** What a process of role `worker` runs: the background jobs, and no route. */
@Module({})
export class WorkerModule {
  static with(options: InfrastructureOptions & CoreOptions): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        InfrastructureModule.with(options),
        CoreModule.with(options),
        DeliveryWorkersModule,
        UpkeepModule,
      ],
    };
  }
}
