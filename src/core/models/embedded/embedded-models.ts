import { ChatMessage } from '../chat-completion';
import { ModelInputTooLarge } from '../model-errors';
import { EMBEDDED_CHAT_MODEL } from '../../text/extractive/read-conversation';
import type { ModelDescription } from '../model-provider';

export const EMBEDDED_EMBEDDING_MODEL = 'embedded-hash-384';
export const EMBEDDED_DIMENSIONS_MAX = 384;

/** Unix time in seconds. */
const CREATED = 1_763_683_200;
const MESSAGES_MAX = 1_000;
const TEXT_LENGTH_MAX = 400_000;
const EMBEDDING_INPUTS_MAX = 2_048;

/**
 * The models of the embedded provider. Their names say what they are, so that nobody takes them for a language model.
 */
export const EMBEDDED_MODELS: readonly ModelDescription[] = [
  { id: EMBEDDED_CHAT_MODEL, created: CREATED, ownedBy: 'embedded', operations: ['chat', 'complete'] },
  { id: EMBEDDED_EMBEDDING_MODEL, created: CREATED, ownedBy: 'embedded', operations: ['embed'] },
];

/** @throws ModelInputTooLarge for more than 1,000 messages, which take too long to rank */
export function limitMessages(messages: readonly ChatMessage[]): void {
  if (messages.length > MESSAGES_MAX) {
    refuse('messages', `At most ${MESSAGES_MAX} messages.`);
  }
}

/** @throws ModelInputTooLarge for more than 2,048 inputs */
export function limitEmbeddingInputs(inputs: readonly unknown[]): void {
  if (inputs.length > EMBEDDING_INPUTS_MAX) {
    refuse('input', `At most ${EMBEDDING_INPUTS_MAX} inputs.`);
  }
}

/** @throws ModelInputTooLarge for more than 400,000 UTF-16 units in all texts together; `field` is where they stand */
export function limitText(field: string, texts: readonly string[]): void {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > TEXT_LENGTH_MAX) {
    refuse(field, `At most ${TEXT_LENGTH_MAX} characters in all.`);
  }
}

function refuse(field: string, message: string): never {
  throw new ModelInputTooLarge({ field, message });
}
