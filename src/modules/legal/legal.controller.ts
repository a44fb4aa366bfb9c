import {
  legalApi,
  type AnalyzeLegalCall,
  type CompareLegalCall,
  type ExtractLegalCall,
  type LegalApi,
  type SummarizeLegalCall,
} from '../../../generated/contract';
import type { LegalAnalysis, LegalComparison, LegalFacts, LegalSummary } from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { LegalService } from './legal.service';

@Serves(legalApi)
export class LegalController implements LegalApi {
  constructor(private readonly legal: LegalService) {}

  summarizeLegal(call: SummarizeLegalCall): Promise<LegalSummary> {
    return this.legal.summarize(call);
  }

  analyzeLegal(call: AnalyzeLegalCall): Promise<LegalAnalysis> {
    return this.legal.analyze(call);
  }

  extractLegal(call: ExtractLegalCall): Promise<LegalFacts> {
    return this.legal.extract(call);
  }

  compareLegal(call: CompareLegalCall): Promise<LegalComparison> {
    return this.legal.compare(call);
  }
}
