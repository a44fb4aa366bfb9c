import type { TokenUse } from '../../money/pricing/price-list';
import type { JsonObject } from '../../../infrastructure/json/json-object';
import { usageOf } from '../use/reported-use';
import { mediaByModel } from '../said-by-model';
import { readChunk, type ReadChoice } from './read-chunk';
import type { ServerSentEvent } from './server-sent-event';
import type {
  ProducedPiece,
  StreamDialect,
  StreamOrigin,
  StreamReading,
  UnstreamedAnswer,
} from './stream-dialect';

const END = '[DONE]';
const END_READING: StreamReading = Object.freeze({
  json: null,
  texts: [],
  usage: undefined,
  isUsageAlone: false,
  choices: [],
  isEnd: true,
});

/**
 * What the streams of chats and of completions have in common: chunks whose choices have an index and a finish reason,
 * usage in a chunk without choices, and `[DONE]` at the end. Source: OpenAI's API reference, "Streaming".
 */
export abstract class ChunkDialect implements StreamDialect {
  readonly usagePath = ['usage'];
  readonly end = `data: ${END}\n\n`;
  protected abstract readonly object: string;

  abstract unstreamed(): UnstreamedAnswer;

  /** The texts that a choice of a chunk adds to the answer. */
  protected abstract textsOf(choice: JsonObject): string[];

  read({ content }: ServerSentEvent): StreamReading {
    if (content.kind === 'done') {
      return END_READING;
    }
    if (content.kind !== 'chunk' && content.kind !== 'error') {
      throw new SyntaxError('a chunk is no object');
    }
    const { usage, choices } = readChunk(content.json);
    return {
      json: content.json,
      texts: choices.flatMap((choice) => this.piecesOf(choice)),
      media: choices.map(({ json }) => mediaByModel(json.delta)),
      usage,
      isUsageAlone: usage !== undefined && choices.length === 0,
      choices,
      isEnd: false,
    };
  }

  usageEvent({ id, created, model }: StreamOrigin, use: TokenUse, costUsd: string): string {
    const usage = JSON.stringify({
      id,
      object: this.object,
      created,
      model,
      choices: [],
      usage: usageOf(use),
    });
    // The cost is written as its decimal text: JSON.stringify would write a small number with an exponent.
    return `data: ${usage.slice(0, -2)},"cost":${costUsd}}}\n\n`;
  }

  failureEvent(body: string): string {
    return `data: ${body}\n\n`;
  }

  private piecesOf({ index, json }: ReadChoice): ProducedPiece[] {
    return this.textsOf(json)
      .filter((text) => text !== '')
      .map((text) => ({ choice: index, text }));
  }
}
