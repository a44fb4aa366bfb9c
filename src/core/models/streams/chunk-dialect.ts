import type { TokenUse } from '../../money/pricing/price-list';
import { isObject, objectsOf, type JsonObject } from '../json/json-object';
import { usageOf } from './reported-use';
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
  finished: [],
  isEnd: true,
});

/**
 * What chunks of chats and of completions have in common: choices with an index and a finish reason, usage in a chunk
 * without choices, and `[DONE]`. Source: OpenAI's API reference, "Streaming".
 */
export abstract class ChunkDialect implements StreamDialect {
  readonly usagePath = ['usage'];
  readonly end = `data: ${END}\n\n`;
  protected abstract readonly object: string;

  abstract unstreamed(): UnstreamedAnswer;

  /** The texts that a choice of a chunk adds. */
  protected abstract textsOf(choice: JsonObject): string[];

  read({ data }: ServerSentEvent): StreamReading {
    if (data.trim() === END) {
      return END_READING;
    }
    const json: unknown = JSON.parse(data);
    if (!isObject(json)) {
      throw new SyntaxError('a chunk is no object');
    }
    const choices = objectsOf(json.choices).map((choice) => ({ choice, index: indexOf(choice) }));
    const usage = isObject(json.usage) ? json.usage : undefined;
    return {
      json,
      texts: choices.flatMap(({ choice, index }) => this.piecesOf(choice, index)),
      usage,
      isUsageAlone: usage !== undefined && choices.length === 0,
      choices: choices.map(({ index }) => index),
      finished: choices
        .filter(({ choice }) => typeof choice.finish_reason === 'string')
        .map(({ index }) => index),
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
    // The cost is a decimal text already; as a number it might get an exponent.
    return `data: ${usage.slice(0, -2)},"cost":${costUsd}}}\n\n`;
  }

  failureEvent(body: string): string {
    return `data: ${body}\n\n`;
  }

  private piecesOf(choice: JsonObject, index: number): ProducedPiece[] {
    return this.textsOf(choice)
      .filter((text) => text !== '')
      .map((text) => ({ choice: index, text }));
  }
}

function indexOf({ index }: JsonObject): number {
  return typeof index === 'number' ? index : 0;
}
