import { Module } from '@nestjs/common';
import { ResearchService } from './research.service';
import { ScholarController } from './scholar.controller';
import { ScholarService } from './scholar.service';

@Module({
  controllers: [ScholarController],
  providers: [ScholarService, ResearchService],
})
export class ScholarModule {}
