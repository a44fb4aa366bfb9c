import { Module } from '@nestjs/common';
import { CallPartitions } from './call-partitions.repository';
import { UsageDays } from './usage-days.repository';
import { UsageUpkeep } from './usage-upkeep';

/** Keeps the usage log in shape in a process of role `all` or `worker`. */
@Module({ providers: [UsageUpkeep, CallPartitions, UsageDays], exports: [UsageUpkeep] })
export class UsageUpkeepModule {}
