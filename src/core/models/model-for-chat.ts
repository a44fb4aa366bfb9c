import { ModelNotConfigured } from '../errors/model-errors';
import type { ModelDescription } from './model-provider';

/**
 * The name to ask a chat with: the one that is wanted, else that of the first model that takes chats nobody named a model
 * for. Strict names must not refuse a request that names none. Throws ModelNotConfigured when no model takes chats.
 */
export function modelForChat(wanted: string | null, models: readonly ModelDescription[]): string {
  const first = models.find(({ operations, defaultFor }) => (defaultFor ?? operations).includes('chat'));
  if (!first) {
    throw new ModelNotConfigured();
  }
  return wanted ?? first.id;
}

/** The id of the model that a chat will run on, as Models routes it by name; null where there is none. */
export function chatModelId(name: string, models: readonly ModelDescription[]): string | null {
  const serving = models.filter(({ operations }) => operations.includes('chat'));
  const named = serving.find(({ id, aliases }) => id === name || aliases?.includes(name));
  const fallback = serving.find(({ operations, defaultFor }) => (defaultFor ?? operations).includes('chat'));
  return (named ?? fallback)?.id ?? null;
}
