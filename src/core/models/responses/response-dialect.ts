import type { TokenUse } from '../../money/pricing/price-list';
import { memberInEvent } from '../streams/cost-in-event';
import type { ServerSentEvent } from '../streams/server-sent-event';
import type { StreamDialect, StreamReading, UnstreamedAnswer } from '../streams/stream-dialect';
import { isObject, jsonField, type JsonObject } from '../../../infrastructure/json/json-object';
import type { MediaByModel } from '../said-by-model';
import { isResponseEnd } from './response-object';
import { responseUsageOf } from '../use/reported-use';

/** The only delta that holds no text but sound. The sound's transcript has deltas of its own. */
const SOUND = 'response.audio.delta';

/**
 * Reads and writes the events of one streamed response. Every stream needs an object of its own, because the events are
 * numbered. The last event holds the whole response with its usage.
 * Source: OpenAI's API reference, "Responses, streaming events".
 */
export class ResponseDialect implements StreamDialect {
  readonly usagePath = ['response', 'usage'];
  readonly end = null;
  private nextNumber = 0;

  read({ content }: ServerSentEvent): StreamReading {
    if (content.kind !== 'chunk' && content.kind !== 'error') {
      throw new SyntaxError('an event of a response is no object');
    }
    const { json } = content;
    if (content.kind === 'chunk' && typeof json.type !== 'string') {
      throw new SyntaxError('an event of a response has no type');
    }
    const { sequence_number: number } = json;
    this.nextNumber = (typeof number === 'number' ? number : this.nextNumber) + 1;
    const usage = jsonField(jsonField(json, 'response'), 'usage') ?? undefined;
    return {
      json,
      texts: textsOf(json).map((text) => ({ choice: 0, text })),
      media: mediaOf(json),
      usage,
      isUsageAlone: false,
      choices: [{ index: 0, finishReason: null }],
      isEnd: isResponseEnd(json),
    };
  }

  /** There is no event for the usage alone: it stands in the stream's last event. */
  usageEvent(): null {
    return null;
  }

  usageInEnd(end: ServerSentEvent, use: TokenUse, costUsd: string): Uint8Array | null {
    const usage = JSON.stringify(responseUsageOf(use));
    // The cost is written as its decimal text: JSON.stringify would write a small number with an exponent.
    return memberInEvent(end, ['response'], 'usage', `${usage.slice(0, -1)},"cost":${costUsd}}`);
  }

  failureEvent(body: string): string {
    const error = jsonField(JSON.parse(body), 'error');
    const [code, message] = [jsonField(error, 'code'), jsonField(error, 'message')];
    const event = {
      type: 'error',
      code: typeof code === 'number' || typeof code === 'string' ? String(code) : null,
      message,
      param: null,
      sequence_number: this.nextNumber,
    };
    return `event: error\ndata: ${JSON.stringify(event)}\n\n`;
  }

  unstreamed(): UnstreamedAnswer {
    return new EndedResponse();
  }
}

/** Keeps the last event of a stream, which holds the whole response. */
class EndedResponse implements UnstreamedAnswer {
  private response: JsonObject | null = null;

  add(event: JsonObject): void {
    if (isResponseEnd(event) && isObject(event.response)) {
      this.response = event.response;
    }
  }

  json(use: TokenUse): string {
    return JSON.stringify({ ...this.response, usage: this.response?.usage ?? responseUsageOf(use) });
  }
}

function mediaOf({ type, delta, partial_image_b64: image }: JsonObject): MediaByModel[] {
  const soundLength = type === SOUND && typeof delta === 'string' ? delta.length : 0;
  return [{ soundLength, images: typeof image === 'string' ? 1 : 0 }];
}

/**
 * The texts of an event that a model produced and that are paid for, such as answers, thoughts and calls of functions.
 */
function textsOf({ type, delta, item }: JsonObject): string[] {
  if (type === 'response.output_item.added') {
    const name = jsonField(item, 'name');
    return typeof name === 'string' ? [name] : [];
  }
  const isText = typeof type === 'string' && type.endsWith('.delta') && type !== SOUND;
  return isText && typeof delta === 'string' && delta !== '' ? [delta] : [];
}
