import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChatResponse } from '../chat-completion';
import { ownEvent, type ServerSentEvent } from '../streams/server-sent-event';
import type { CompletionResponse } from '../text-completion';

/** Few enough that a client sees the answer grow, many enough that the frames are not most of what is sent. */
const WORDS_PER_PIECE = 4;

/** A chat's answer as an upstream would stream it: the role, the text in pieces, the end, the usage, `[DONE]`. */
export function chatEvents(response: ChatResponse): AsyncIterable<ServerSentEvent> {
  return inTurns(chatChunks(response));
}

/** A completion's answer as an upstream would stream it. */
export function completionEvents(response: CompletionResponse): AsyncIterable<ServerSentEvent> {
  return inTurns(completionChunks(response));
}

function* chatChunks({ choices, usage, ...head }: ChatResponse): Generator<object> {
  const chunk = { ...head, object: 'chat.completion.chunk' };
  for (const { index, message, finish_reason } of choices) {
    const choice = { index, logprobs: null, finish_reason: null };
    const opening = { role: message.role, content: '', refusal: null };
    yield { ...chunk, choices: [{ ...choice, delta: opening }] };
    for (const content of pieces(message.content ?? '')) {
      yield { ...chunk, choices: [{ ...choice, delta: { content } }] };
    }
    yield { ...chunk, choices: [{ ...choice, delta: {}, finish_reason }] };
  }
  yield { ...chunk, choices: [], usage };
}

function* completionChunks({ choices, usage, ...chunk }: CompletionResponse): Generator<object> {
  for (const { index, text, finish_reason } of choices) {
    const choice = { index, logprobs: null, finish_reason: null };
    for (const piece of pieces(text)) {
      yield { ...chunk, choices: [{ ...choice, text: piece }] };
    }
    yield { ...chunk, choices: [{ ...choice, text: '', finish_reason }] };
  }
  yield { ...chunk, choices: [], usage };
}

/** Each in a turn of its own: a long answer must not hold the event loop. */
async function* inTurns(chunks: Iterable<object>): AsyncGenerator<ServerSentEvent> {
  for (const chunk of chunks) {
    yield ownEvent(JSON.stringify(chunk));
    await nextTurn();
  }
  yield ownEvent('[DONE]');
}

function pieces(text: string): string[] {
  const words = text.match(/\S+\s*|\s+/g) ?? [];
  const count = Math.ceil(words.length / WORDS_PER_PIECE);
  return Array.from({ length: count }, (_, index) =>
    words.slice(index * WORDS_PER_PIECE, (index + 1) * WORDS_PER_PIECE).join(''),
  );
}
