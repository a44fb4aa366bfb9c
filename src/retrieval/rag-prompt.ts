import { languageOf, PromptFile } from '../models/generation/prompt';
import type { ChatMessage } from '../models/model-provider';

export const NOT_IN_SOURCES = 'NOT_IN_SOURCES';

/** In tokens, for one source with its heading and frame. */
export const SOURCE_TOKENS_MAX = 600;
const SOURCE_FRAMING_TOKENS_MAX = 60;

const PROMPT = new PromptFile('answer-from-sources');

/** Neither the question nor a source can end its tag and give orders. */
export function ragMessages(query: string, sources: readonly string[]): ChatMessage[] {
  const texts = Object.fromEntries(sources.map((source, index) => [`source_${index + 1}`, source]));
  return PROMPT.fill({
    choices: { language: languageOf(query, 'the language of the question') },
    material: { ...texts, question: query },
  }).messages('text');
}

export function sourcesTokensMax(count: number): number {
  return count * (SOURCE_TOKENS_MAX + SOURCE_FRAMING_TOKENS_MAX);
}
