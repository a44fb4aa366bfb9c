import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MemoriesRepository } from './memories.repository';
import { MemoryController } from './memory.controller';
import { MemoryRecord } from './memory.entity';
import { MemoryService } from './memory.service';

@Module({
  imports: [TypeOrmModule.forFeature([MemoryRecord])],
  controllers: [MemoryController],
  providers: [MemoryService, MemoriesRepository],
})
export class MemoryModule {}
