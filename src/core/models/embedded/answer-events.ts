import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChatResponse } from '../chat-completion';
import { ownEvent, type ServerSentEvent } from '../streams/server-sent-event';
import type { CompletionResponse } from '../text-completion';

/** With fewer words the frames would be most of what is sent; with more a client would not see the answer grow. */
const WORDS_PER_PIECE = 4;

/** A chat's answer as an upstream streams it: the role, the text in pieces, the finish reason, the usage, `[DONE]`. */
export function chatEvents(response: ChatResponse): AsyncIterable<ServerSentEvent> {
  return inTurns(chatChunks(response));
}

/** A legacy completion's answer as an upstream streams it, usage and `[DONE]` included. */
export function completionEvents(response: CompletionResponse): AsyncIterable<ServerSentEvent> {
  return inTurns(completionChunks(response));
}

function* chatChunks({ choices, usage, ...head }: ChatResponse): Generator<object> {
  const chunk = { ...head, object: 'chat.completion.chunk' };
  for (const { index, message, finish_reason } of choices) {
    const choice = { index, logprobs: null, finish_reason: null };
    const opening = { role: message.role, content: '', refusal: null };
    yield { ...chunk, choices: [{ ...choice, delta: opening }] };
    for (const content of textPieces(message.content ?? '')) {
      yield { ...chunk, choices: [{ ...choice, delta: { content } }] };
    }
    yield { ...chunk, choices: [{ ...choice, delta: {}, finish_reason }] };
  }
  yield { ...chunk, choices: [], usage };
}

function* completionChunks({ choices, usage, ...chunk }: CompletionResponse): Generator<object> {
  for (const { index, text, finish_reason } of choices) {
    const choice = { index, logprobs: null, finish_reason: null };
    for (const piece of textPieces(text)) {
      yield { ...chunk, choices: [{ ...choice, text: piece }] };
    }
    yield { ...chunk, choices: [{ ...choice, text: '', finish_reason }] };
  }
  yield { ...chunk, choices: [], usage };
}

/** Gives each chunk in a turn of its own, because a long answer must not block the event loop. */
async function* inTurns(chunks: Iterable<object>): AsyncGenerator<ServerSentEvent> {
  for (const chunk of chunks) {
    yield ownEvent(JSON.stringify(chunk));
    await nextTurn();
  }
  yield ownEvent('[DONE]');
}

/** A text in pieces of a few words; joined they are the text. */
export function textPieces(text: string): string[] {
  const words = text.match(/\S+\s*|\s+/g) ?? [];
  const count = Math.ceil(words.length / WORDS_PER_PIECE);
  return Array.from({ length: count }, (_, index) =>
    words.slice(index * WORDS_PER_PIECE, (index + 1) * WORDS_PER_PIECE).join(''),
  );
}
