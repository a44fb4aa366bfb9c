import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExpiredMemories } from './expired-memories';
import { MemoriesRepository } from './memories.repository';
import { MemoryController } from './memory.controller';
import { MemoryRecord } from './memory.entity';
import { MemoryService } from './memory.service';

@Module({
  imports: [TypeOrmModule.forFeature([MemoryRecord])],
  controllers: [MemoryController],
  providers: [MemoryService, MemoriesRepository, ExpiredMemories],
})
export class MemoryModule {}
