import { legalApi, type LegalApi, type SummarizeLegalCall } from '../../../generated/contract';
import type { LegalSummary } from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { LegalService } from './legal.service';

@Serves(legalApi)
export class LegalController implements LegalApi {
  constructor(private readonly legal: LegalService) {}

  summarizeLegal(call: SummarizeLegalCall): Promise<LegalSummary> {
    return this.legal.summarize(call);
  }
}
