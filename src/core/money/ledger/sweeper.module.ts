import { Module } from '@nestjs/common';
import { Sweeper } from './sweeper';

/** Runs the sweeper in a process of role `all` or `worker`. */
@Module({ providers: [Sweeper], exports: [Sweeper] })
export class SweeperModule {}
