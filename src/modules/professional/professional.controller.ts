import {
  professionalApi,
  type AnalyzeProfessionalCall,
  type GenerateProfessionalCall,
  type OptimizeProfessionalCall,
  type ProfessionalApi,
} from '../../../generated/contract';
import type { OptimizedText, ProfessionalAnalysis, ProfessionalDocument } from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { ProfessionalService } from './professional.service';

@Serves(professionalApi)
export class ProfessionalController implements ProfessionalApi {
  constructor(private readonly professional: ProfessionalService) {}

  analyzeProfessional(call: AnalyzeProfessionalCall): Promise<ProfessionalAnalysis> {
    return this.professional.analyze(call);
  }

  generateProfessional(call: GenerateProfessionalCall): Promise<ProfessionalDocument> {
    return this.professional.generate(call);
  }

  optimizeProfessional(call: OptimizeProfessionalCall): Promise<OptimizedText> {
    return this.professional.optimize(call);
  }
}
