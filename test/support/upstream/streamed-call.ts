import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { until } from '../until';

export interface StreamedCallFields {
  readonly url: string;
  readonly key: string;
  readonly requestId: string;
  readonly body: unknown;
}

/** A POST of a client that reads byte by byte, sees how the answer ends, and can go away at any moment. */
export class StreamedCall {
  /** Null until the headers are there. */
  status: number | null = null;
  headers: IncomingHttpHeaders = {};
  /** All of the body so far. */
  text = '';
  /** How the answer ended: as HTTP says, or by a broken connection; null while it goes on. */
  end: 'complete' | 'broken' | null = null;
  /** When this client went away, as `performance.now()`. */
  leftAt: number | null = null;
  private readonly request: ClientRequest;

  constructor({ url, key, requestId, body }: StreamedCallFields) {
    // A connection of its own, whose end is the end of this call alone.
    this.request = request(url, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', 'x-api-key': key, 'x-request-id': requestId },
    });
    this.request.on('response', (response) => this.read(response));
    this.request.on('error', () => (this.end ??= 'broken'));
    this.request.end(JSON.stringify(body));
  }

  /** The data of the events that are there completely; comments are left out. */
  get data(): string[] {
    const blocks = this.text.split('\n\n').slice(0, -1);
    return blocks.filter((block) => block.startsWith('data: ')).map((block) => block.slice('data: '.length));
  }

  /** The text that the events' choices have brought, of chats and of completions. */
  get delivered(): string {
    return this.chunks
      .flatMap(({ choices = [] }) => choices.map((choice) => choice.delta?.content ?? choice.text ?? ''))
      .join('');
  }

  get isDone(): boolean {
    return this.data.includes('[DONE]');
  }

  /** The error that an event names. */
  get error(): { code?: unknown; message?: string; request_id?: string } | null {
    return this.chunks.find(({ error }) => error !== undefined)?.error ?? null;
  }

  async receives(events: number): Promise<void> {
    await until(`${events} events`, () => this.data.length >= events || this.end !== null);
    if (this.data.length < events) {
      throw new Error(`the answer ended after ${this.data.length} of ${events} events: ${this.text}`);
    }
  }

  async ends(): Promise<void> {
    await until('the answer ends', () => this.end !== null);
  }

  /** Closes the connection without a word. */
  leave(): void {
    this.leftAt = performance.now();
    this.request.destroy();
  }

  private get chunks(): Chunk[] {
    return this.data.filter((data) => data !== '[DONE]').map((data) => JSON.parse(data) as Chunk);
  }

  private read(response: IncomingMessage): void {
    this.status = response.statusCode ?? null;
    this.headers = response.headers;
    response.setEncoding('utf8');
    response.on('data', (part: string) => (this.text += part));
    response.on('error', () => undefined);
    response.on('close', () => (this.end = response.complete ? 'complete' : 'broken'));
  }
}

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string }; readonly text?: string }[];
  readonly error?: { readonly code?: unknown; readonly message?: string; readonly request_id?: string };
}
