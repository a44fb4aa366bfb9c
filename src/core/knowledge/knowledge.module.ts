import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MemoriesRepository } from './memories/memories.repository';
import { MemoryRecord } from './memories/memory.entity';

/** What accounts store to find it again later. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([MemoryRecord])],
  providers: [MemoriesRepository],
  exports: [MemoriesRepository],
})
export class KnowledgeModule {}
