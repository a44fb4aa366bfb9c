import type { ServiceWithUpstreams } from './service-with-upstreams';

/** A stream of typed events as a client got it as a whole. */
export interface TypedAnswer {
  readonly status: number;
  readonly text: string;
  readonly events: readonly TypedEvent[];
  /** The texts of all deltas, joined. */
  readonly delivered: string;
  readonly headers: Headers;
}

export interface TypedEvent {
  readonly type?: string;
  readonly text?: string;
  readonly data?: Record<string, unknown>;
  readonly cost?: number;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Calls an operation that streams, and reads the answer to its end, events or not. */
export async function typedAnswer(
  running: Pick<ServiceWithUpstreams, 'url'>,
  path: string,
  call: { key: string; body: object; headers?: Record<string, string> },
): Promise<TypedAnswer> {
  const response = await fetch(`${running.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': call.key, ...call.headers },
    body: JSON.stringify(call.body),
  });
  const text = await response.text();
  const events = text
    .split('\n\n')
    .filter((block) => block.startsWith('data: {'))
    .map((block) => JSON.parse(block.slice('data: '.length)) as TypedEvent);
  const delivered = events.map((event) => (event.type === 'delta' ? event.text : '')).join('');
  return { status: response.status, text, events, delivered, headers: response.headers };
}
