import { Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { ExpiredMemories } from './expired-memories';
import { Sweeper } from './sweeper';
import { UsageUpkeep } from './usage-upkeep';

/** All that is due by the clock and not by a call. A process of role `api` leaves it to others. */
@Module({
  imports: [ScheduleModule.forRoot()],
  providers: [ExpiredMemories, Sweeper, UsageUpkeep],
})
export class UpkeepModule {}
