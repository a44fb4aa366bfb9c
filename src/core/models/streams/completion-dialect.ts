import type { JsonObject } from '../../../infrastructure/json/json-object';
import { ChunkDialect } from './chunk-dialect';
import { MergedChunks } from './merged-chunks';
import type { UnstreamedAnswer } from './stream-dialect';

/** Reads and writes the chunks of a streamed legacy completion, which have the same `object` as a whole answer. */
class CompletionDialect extends ChunkDialect {
  protected readonly object = 'text_completion';

  protected textsOf({ text }: JsonObject): string[] {
    return typeof text === 'string' ? [text] : [];
  }

  unstreamed(): UnstreamedAnswer {
    return new MergedChunks('text_completion', (choice) => ({ text: '', ...choice }));
  }
}

/** The dialect of all streams of completions. */
export const COMPLETION_DIALECT = new CompletionDialect();
