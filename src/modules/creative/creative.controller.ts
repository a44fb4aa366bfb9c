import {
  creativeApi,
  type BrainstormCreativeCall,
  type CreativeApi,
  type EnhanceCreativeCall,
  type GenerateCreativeCall,
} from '../../../generated/contract';
import type { Brainstorm, CreativeText, Enhancement } from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { CreativeService } from './creative.service';

@Serves(creativeApi)
export class CreativeController implements CreativeApi {
  constructor(private readonly creative: CreativeService) {}

  generateCreative(call: GenerateCreativeCall): Promise<CreativeText> {
    return this.creative.generate(call);
  }

  enhanceCreative(call: EnhanceCreativeCall): Promise<Enhancement> {
    return this.creative.enhance(call);
  }

  brainstormCreative(call: BrainstormCreativeCall): Promise<Brainstorm> {
    return this.creative.brainstorm(call);
  }
}
