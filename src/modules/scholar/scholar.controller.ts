import {
  scholarApi,
  type AnalyzeScholarCall,
  type CiteScholarCall,
  type ResearchScholarCall,
  type ScholarApi,
  type SummarizeScholarCall,
} from '../../../generated/contract';
import type {
  ScholarAnalysis,
  ScholarCitations,
  ScholarResearch,
  ScholarSummary,
} from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { ResearchService } from './research.service';
import { ScholarService } from './scholar.service';

@Serves(scholarApi)
export class ScholarController implements ScholarApi {
  constructor(
    private readonly scholar: ScholarService,
    private readonly research: ResearchService,
  ) {}

  researchScholar(call: ResearchScholarCall): Promise<ScholarResearch> {
    return this.research.research(call);
  }

  citeScholar(call: CiteScholarCall): Promise<ScholarCitations> {
    return this.scholar.cite(call);
  }

  summarizeScholar(call: SummarizeScholarCall): Promise<ScholarSummary> {
    return this.scholar.summarize(call);
  }

  analyzeScholar(call: AnalyzeScholarCall): Promise<ScholarAnalysis> {
    return this.scholar.analyze(call);
  }
}
