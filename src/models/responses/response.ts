import type { TokenUse } from '../../ledger/money';
import { isObject, jsonField, type JsonObject } from '../../runtime/json';
import type { MediaByModel } from '../message-text';
import { newId } from '../../runtime/ids';
import { memberInEvent, ownEvent, type ServerSentEvent } from '../sse';
import type {
  SpentUse,
  StreamDialect,
  StreamReading,
  ToldFailure,
  UnstreamedAnswer,
} from '../stream-dialects';
import { usageWithCost } from '../streamed-answer';
import { responseUsageOf } from '../usage';
import { isResponseEnd } from './response-object';

const SOUND = 'response.audio.delta';

const ITEMS_MAX = 1024;

/** Of one stream alone: events are numbered. Source: OpenAI's API reference, "Responses, streaming events". */
export class ResponseDialect implements StreamDialect {
  readonly usagePath = ['response', 'usage'];
  readonly end = null;
  private nextNumber = 0;
  private begun: JsonObject | null = null;
  private readonly items: unknown[] = [];
  private error: unknown = null;
  private isFailed = false;

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
    this.note(json, content.kind === 'error');
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

  private note(json: JsonObject, isError: boolean): void {
    if (isObject(json.response)) {
      this.begun ??= json.response;
    }
    if (json.type === 'response.output_item.done' && this.items.length < ITEMS_MAX) {
      this.items.push(json.item);
    }
    this.isFailed ||= json.type === 'response.failed';
    if (isError) {
      this.error = isObject(json.error) ? json.error : json;
    }
  }

  usageInEnd(end: ServerSentEvent, use: TokenUse, costUsd: string): Uint8Array | null {
    return memberInEvent(end, ['response'], 'usage', usageWithCost(responseUsageOf(use), costUsd));
  }

  /** The response as far as it came, and the use that is charged. The upstream may have ended it itself. */
  failureEvent({ body, byUpstream }: ToldFailure, spent: SpentUse | null): string | null {
    if (byUpstream && this.isFailed) {
      return null;
    }
    const told = this.error ?? jsonField(JSON.parse(body), 'error');
    const [code, message] = [jsonField(told, 'code'), jsonField(told, 'message')];
    const response = {
      ...(this.begun ?? { id: `resp_${newId().replaceAll('-', '')}`, object: 'response' }),
      status: 'failed',
      error: { code: typeof code === 'string' ? code : 'server_error', message },
      output: this.items,
      usage: null,
    };
    const type = 'response.failed';
    const event = ownEvent(JSON.stringify({ type, sequence_number: this.nextNumber, response }), type);
    const bytes = spent ? this.usageInEnd(event, spent.use, spent.costUsd) : null;
    return Buffer.from(bytes ?? event.bytes).toString();
  }

  unstreamed(): UnstreamedAnswer {
    return new EndedResponse();
  }
}

class EndedResponse implements UnstreamedAnswer {
  private response: JsonObject | null = null;

  add(event: JsonObject): void {
    if (isResponseEnd(event) && isObject(event.response)) {
      this.response = event.response;
    }
  }

  json(use: TokenUse | null): string {
    const usage = this.response?.usage ?? (use && responseUsageOf(use));
    return JSON.stringify({ ...this.response, usage });
  }
}

function mediaOf({ type, delta, partial_image_b64: image }: JsonObject): MediaByModel[] {
  const soundLength = type === SOUND && typeof delta === 'string' ? delta.length : 0;
  return [{ soundLength, images: typeof image === 'string' ? 1 : 0 }];
}

function textsOf({ type, delta, item }: JsonObject): string[] {
  if (type === 'response.output_item.added') {
    const name = jsonField(item, 'name');
    return typeof name === 'string' ? [name] : [];
  }
  const isText = typeof type === 'string' && type.endsWith('.delta') && type !== SOUND;
  return isText && typeof delta === 'string' && delta !== '' ? [delta] : [];
}
