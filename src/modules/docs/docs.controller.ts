import {
  docsApi,
  type DocsApi,
  type GenerateDocsCall,
  type ImproveDocsCall,
  type StructureDocsCall,
} from '../../../generated/contract';
import type { DocsImprovement, DocsStructure, GeneratedDocs } from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { DocsService } from './docs.service';

@Serves(docsApi)
export class DocsController implements DocsApi {
  constructor(private readonly docs: DocsService) {}

  generateDocs(call: GenerateDocsCall): Promise<GeneratedDocs> {
    return this.docs.generate(call);
  }

  improveDocs(call: ImproveDocsCall): Promise<DocsImprovement> {
    return this.docs.improve(call);
  }

  structureDocs(call: StructureDocsCall): Promise<DocsStructure> {
    return this.docs.structure(call);
  }
}
