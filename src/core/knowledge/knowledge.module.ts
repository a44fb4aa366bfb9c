import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MemoriesRepository } from './memories/memories.repository';
import { MemoryRecord } from './memories/memory.entity';

/** What accounts have stored to be found again. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([MemoryRecord])],
  providers: [MemoriesRepository],
  exports: [MemoriesRepository],
})
export class KnowledgeModule {}
