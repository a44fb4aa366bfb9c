import { Module } from '@nestjs/common';
import { ExpiredMemories } from './expired-memories';
import { MemoriesRepository } from './memories.repository';

/** Deletes expired memories in a process of role `all` or `worker`. */
@Module({ providers: [ExpiredMemories, MemoriesRepository], exports: [ExpiredMemories] })
export class ExpiredMemoriesModule {}
