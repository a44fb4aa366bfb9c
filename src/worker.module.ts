import { Module, type DynamicModule } from '@nestjs/common';
import { CoreModule, type CoreOptions } from './core/core.module';
import { UsageUpkeepModule } from './core/money/usage/usage-upkeep.module';
import { SweeperModule } from './core/money/ledger/sweeper.module';
import { ExpiredMemoriesModule } from './core/knowledge/memories/expired-memories.module';
import { InfrastructureModule, type InfrastructureOptions } from './infrastructure/infrastructure.module';

/** What a process of role `worker` runs: everything that is due in the background, and no route. */
@Module({})
export class WorkerModule {
  static with(options: InfrastructureOptions & CoreOptions): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        InfrastructureModule.with(options),
        CoreModule.with(options),
        SweeperModule,
        ExpiredMemoriesModule,
        UsageUpkeepModule,
      ],
    };
  }
}
