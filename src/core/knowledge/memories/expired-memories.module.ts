import { Module } from '@nestjs/common';
import { ExpiredMemories } from './expired-memories';

/** Deletes expired memories in a process of role `all` or `worker`. */
@Module({ providers: [ExpiredMemories], exports: [ExpiredMemories] })
export class ExpiredMemoriesModule {}
