import { isObject, parsedJson, type JsonObject } from '../../../infrastructure/json/json-object';

const END = '[DONE]';

/**
 * What the data of a model's event says, in any of the APIs. A server reports an error as a member `error` of the data
 * or as the type of the event.
 */
export type EventContent =
  | { readonly kind: 'comment' | 'done' | 'garbage' }
  | { readonly kind: 'chunk' | 'error'; readonly json: JsonObject };

/**
 * One event with the bytes that it came in, so that it can be passed on unchanged.
 * Source: WHATWG HTML, "Server-sent events".
 */
export class ServerSentEvent {
  #content: EventContent | null = null;

  /**
   * @param bytes all of its bytes, comments and the blank line that ends it included
   * @param type the event's name; '' where it has none
   * @param data its data lines joined by line feeds; '' for a comment alone
   */
  constructor(
    readonly bytes: Uint8Array,
    readonly type: string,
    readonly data: string,
  ) {}

  /** What the data says. It is parsed once, when it is first read. */
  get content(): EventContent {
    return (this.#content ??= contentOf(this));
  }
}

/** An event that this service writes itself. `data` has to be one line. */
export function ownEvent(data: string, type = ''): ServerSentEvent {
  const name = type === '' ? '' : `event: ${type}\n`;
  return new ServerSentEvent(Buffer.from(`${name}data: ${data}\n\n`), type, data);
}

function contentOf({ type, data }: ServerSentEvent): EventContent {
  if (data === '') {
    return { kind: 'comment' };
  }
  if (data.trim() === END) {
    return { kind: 'done' };
  }
  const json = parsedJson(data);
  if (!isObject(json)) {
    return { kind: 'garbage' };
  }
  const isError = Boolean(json.error) || type === 'error' || json.type === 'error';
  return { kind: isError ? 'error' : 'chunk', json };
}
