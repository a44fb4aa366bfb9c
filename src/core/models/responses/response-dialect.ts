import type { TokenUse } from '../../money/pricing/price-list';
import { memberInEvent } from '../streams/cost-in-event';
import type { ServerSentEvent } from '../streams/server-sent-event';
import type { StreamDialect, StreamReading, UnstreamedAnswer } from '../streams/stream-dialect';
import { isObject, jsonField, type JsonObject } from '../../../infrastructure/json/json-object';
import { isResponseEnd } from './response-object';
import { responseUsageOf } from '../use/reported-use';

/** The one delta that is no text: sound, whose transcript has deltas of its own. */
const SOUND = 'response.audio.delta';

/**
 * The events of one streamed response: they are numbered, so that each stream has a dialect of its own. The last event is
 * the response as it ended, with its usage. Source: OpenAI's API reference, "Responses, streaming events".
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
    const { sequence_number: number } = json;
    this.nextNumber = (typeof number === 'number' ? number : this.nextNumber) + 1;
    const usage = jsonField(jsonField(json, 'response'), 'usage') ?? undefined;
    return {
      json,
      texts: textsOf(json).map((text) => ({ choice: 0, text })),
      usage,
      isUsageAlone: false,
      choices: [{ index: 0, finishReason: null }],
      isEnd: isResponseEnd(json),
    };
  }

  /** The last event has room for the usage; no other event tells any. */
  usageEvent(): null {
    return null;
  }

  usageInEnd(end: ServerSentEvent, use: TokenUse, costUsd: string): Uint8Array | null {
    const usage = JSON.stringify(responseUsageOf(use));
    // The cost is a decimal text already; as a number it might get an exponent.
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

/** What a stream ends with is the whole response. */
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

/** What a model produced and is paid for: texts, refusals, thoughts, arguments, and the names of what it calls. */
function textsOf({ type, delta, item }: JsonObject): string[] {
  if (type === 'response.output_item.added') {
    const name = jsonField(item, 'name');
    return typeof name === 'string' ? [name] : [];
  }
  const isText = typeof type === 'string' && type.endsWith('.delta') && type !== SOUND;
  return isText && typeof delta === 'string' && delta !== '' ? [delta] : [];
}
