import type { ServerSentEvent } from '../streams/server-sent-event';
import { isObject } from './read-answer';

/** What an event says, as far as it matters for passing it on. */
export type EventContent =
  | { readonly kind: 'comment' | 'done' | 'error' | 'garbage' }
  | { readonly kind: 'chunk'; readonly json: Readonly<Record<string, unknown>> };

/** Errors come as a member of the data or as the event's own type, whatever the server. */
export function eventContent({ type, data }: ServerSentEvent): EventContent {
  if (data === '') {
    return { kind: 'comment' };
  }
  if (data.trim() === '[DONE]') {
    return { kind: 'done' };
  }
  const json = parsed(data);
  if (!isObject(json)) {
    return { kind: 'garbage' };
  }
  return json.error || type === 'error' ? { kind: 'error' } : { kind: 'chunk', json };
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

/** Tells from the chunks of a stream whether every choice has come to its end. */
export class FinishedChoices {
  private readonly open = new Set<unknown>();
  private readonly finished = new Set<unknown>();

  see({ choices }: Readonly<Record<string, unknown>>): void {
    for (const choice of Array.isArray(choices) ? choices : []) {
      if (!isObject(choice)) {
        continue;
      }
      const index = choice.index ?? 0;
      const isOver = typeof choice.finish_reason === 'string' || this.finished.has(index);
      (isOver ? this.finished : this.open).add(index);
      if (isOver) {
        this.open.delete(index);
      }
    }
  }

  get areAll(): boolean {
    return this.open.size === 0 && this.finished.size > 0;
  }
}
