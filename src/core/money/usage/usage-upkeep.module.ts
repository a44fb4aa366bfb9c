import { Module } from '@nestjs/common';
import { UsagePartitions } from './usage-partitions.repository';
import { UsageDays } from './usage-days.repository';
import { UsageUpkeep } from './usage-upkeep';

/** Keeps the usage log in shape in a process of role `all` or `worker`. */
@Module({ providers: [UsageUpkeep, UsagePartitions, UsageDays], exports: [UsageUpkeep] })
export class UsageUpkeepModule {}
