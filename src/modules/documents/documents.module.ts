import { Module } from '@nestjs/common';
import { DocumentsController } from './documents.controller';
import { DocumentsService } from './documents.service';
import { ExtractionService } from './extraction.service';
import { ProcessEstimates } from './process-estimates';

@Module({
  controllers: [DocumentsController],
  providers: [DocumentsService, ExtractionService, ProcessEstimates],
})
export class DocumentsModule {}
