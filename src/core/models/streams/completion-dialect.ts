import type { JsonObject } from '../../../infrastructure/json/json-object';
import { ChunkDialect } from './chunk-dialect';
import { MergedChunks } from './merged-chunks';
import type { UnstreamedAnswer } from './stream-dialect';

/** Chunks of a legacy completion: `text_completion`, like the whole answer. */
class CompletionDialect extends ChunkDialect {
  protected readonly object = 'text_completion';

  protected textsOf({ text }: JsonObject): string[] {
    return typeof text === 'string' ? [text] : [];
  }

  unstreamed(): UnstreamedAnswer {
    return new MergedChunks('text_completion', (choice) => ({ text: '', ...choice }));
  }
}

export const COMPLETION_DIALECT = new CompletionDialect();
