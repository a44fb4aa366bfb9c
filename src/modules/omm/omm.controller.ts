import {
  ommApi,
  type AnalyzeInputsCall,
  type GenerateFromInputsCall,
  type OmmApi,
  type ProcessInputsCall,
  type RunOmmBatchCall,
  type TransformInputCall,
} from '../../../generated/contract';
import type {
  Health,
  OmmAnalysis,
  OmmBatch,
  OmmGenerated,
  OmmModels,
  OmmProcessed,
  OmmTransformed,
} from '../../../generated/types';
import { API_VERSION } from '../../contract/api-version';
import { Serves } from '../../contract/serves.decorator';
import { Clock } from '../../infrastructure/clock/clock';
import { AnalysisService } from './analysis.service';
import { BatchService } from './batch.service';
import { Capabilities } from './capabilities';
import { GenerationService } from './generation.service';
import { ProcessingService } from './processing.service';
import { TransformationService } from './transformation.service';

@Serves(ommApi)
export class OmmController implements OmmApi {
  constructor(
    private readonly clock: Clock,
    private readonly processing: ProcessingService,
    private readonly analysis: AnalysisService,
    private readonly generation: GenerationService,
    private readonly transformation: TransformationService,
    private readonly batches: BatchService,
    private readonly capabilities: Capabilities,
  ) {}

  async getOmmHealth(): Promise<Health> {
    return Promise.resolve({ status: 'ok', version: API_VERSION, timestamp: this.clock.now().toISOString() });
  }

  processInputs(call: ProcessInputsCall): Promise<OmmProcessed> {
    return this.processing.process(call);
  }

  analyzeInputs(call: AnalyzeInputsCall): Promise<OmmAnalysis> {
    return this.analysis.analyze(call);
  }

  generateFromInputs(call: GenerateFromInputsCall): Promise<OmmGenerated> {
    return this.generation.generate(call);
  }

  transformInput(call: TransformInputCall): Promise<OmmTransformed> {
    return this.transformation.transform(call);
  }

  runOmmBatch(call: RunOmmBatchCall): Promise<OmmBatch> {
    return this.batches.run(call);
  }

  listOmmModels(): Promise<OmmModels> {
    return this.capabilities.list();
  }
}
