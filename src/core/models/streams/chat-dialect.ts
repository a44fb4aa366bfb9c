import type { JsonObject } from '../../../infrastructure/json/json-object';
import { ChunkDialect } from './chunk-dialect';
import { MergedChunks } from './merged-chunks';
import { producedByMessage } from '../said-by-model';
import type { UnstreamedAnswer } from './stream-dialect';

/** Reads and writes the chunks of a streamed chat. */
class ChatDialect extends ChunkDialect {
  protected readonly object = 'chat.completion.chunk';

  protected textsOf(choice: JsonObject): string[] {
    return producedByMessage(choice.delta);
  }

  unstreamed(): UnstreamedAnswer {
    return new MergedChunks('chat.completion', ({ delta, message, ...choice }) => ({
      ...choice,
      message: { role: 'assistant', content: null, ...(message as JsonObject), ...(delta as JsonObject) },
    }));
  }
}

/** The dialect of all streams of chats. */
export const CHAT_DIALECT = new ChatDialect();
