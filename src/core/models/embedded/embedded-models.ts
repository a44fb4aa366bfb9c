import { EMBEDDED_CHAT_MODEL } from '../../text/extractive/extractive-refusal';
import type { ModelDescription } from '../model-provider';

export const EMBEDDED_EMBEDDING_MODEL = 'embedded-hash-384';
export const EMBEDDED_DIMENSIONS_MAX = 384;

const CREATED = 1_763_683_200;

/** The models of the embedded provider. Their names say what they are, so that nobody takes them for a language model. */
export const EMBEDDED_MODELS: readonly ModelDescription[] = [
  { id: EMBEDDED_CHAT_MODEL, created: CREATED, ownedBy: 'embedded', operations: ['chat', 'complete'] },
  { id: EMBEDDED_EMBEDDING_MODEL, created: CREATED, ownedBy: 'embedded', operations: ['embed'] },
];
