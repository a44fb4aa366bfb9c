import { Module } from '@nestjs/common';
import { IndexEstimates } from './index-estimates';
import { RagAnswerEstimates } from './rag-answer-estimates';
import { RagController } from './rag.controller';
import { RagGeneration } from './rag-generation.service';
import { RagService } from './rag.service';

@Module({
  controllers: [RagController],
  providers: [IndexEstimates, RagAnswerEstimates, RagGeneration, RagService],
})
export class RagModule {}
