import {
  advancedApi,
  type AdvancedApi,
  type AnalyzeAdvancedCall,
  type GenerateAdvancedCall,
  type OptimizeAdvancedCall,
  type ProcessAdvancedCall,
} from '../../../generated/contract';
import type {
  ContentAnalysis,
  GeneratedContent,
  OptimizedContent,
  ProcessedContent,
} from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { AdvancedService } from './advanced.service';

@Serves(advancedApi)
export class AdvancedController implements AdvancedApi {
  constructor(private readonly advanced: AdvancedService) {}

  processAdvanced(call: ProcessAdvancedCall): Promise<ProcessedContent> {
    return this.advanced.process(call);
  }

  analyzeAdvanced(call: AnalyzeAdvancedCall): Promise<ContentAnalysis> {
    return this.advanced.analyze(call);
  }

  generateAdvanced(call: GenerateAdvancedCall): Promise<GeneratedContent> {
    return this.advanced.generate(call);
  }

  optimizeAdvanced(call: OptimizeAdvancedCall): Promise<OptimizedContent> {
    return this.advanced.optimize(call);
  }
}
