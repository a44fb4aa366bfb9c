import { Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { Books } from './books';
import { DesertedPaymentsUpkeep } from './deserted-payments';
import { ExpiredMemories } from './expired-memories';
import { OldEvents } from './old-events';
import { OldRoomEvents } from './old-room-events';
import { OldTasks } from './old-tasks';
import { PaymentSchedule } from './payment-schedule';
import { Sweeper } from './sweeper';
import { UsageSpikes } from './usage-spikes';
import { UsageUpkeep } from './usage-upkeep';

/** The work that a timer starts and no call does. A process of role `api` leaves it to other processes. */
@Module({
  imports: [ScheduleModule.forRoot()],
  providers: [
    Books,
    DesertedPaymentsUpkeep,
    ExpiredMemories,
    OldEvents,
    OldRoomEvents,
    OldTasks,
    PaymentSchedule,
    Sweeper,
    UsageSpikes,
    UsageUpkeep,
  ],
})
export class UpkeepModule {}
