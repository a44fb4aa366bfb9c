import { Module } from '@nestjs/common';
import { AnalysisService } from './analysis.service';
import { BatchService } from './batch.service';
import { Capabilities } from './capabilities';
import { GenerationService } from './generation.service';
import { OmmController } from './omm.controller';
import { OmmEstimates } from './omm-estimates';
import { ProcessingRules } from './processing-rules';
import { ProcessingService } from './processing.service';
import { RuleAnswers } from './rule-answers';
import { TransformationService } from './transformation.service';

@Module({
  controllers: [OmmController],
  providers: [
    AnalysisService,
    BatchService,
    Capabilities,
    GenerationService,
    OmmEstimates,
    ProcessingRules,
    ProcessingService,
    RuleAnswers,
    TransformationService,
  ],
})
export class OmmModule {}
