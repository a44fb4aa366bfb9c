import type { FoundKeyword } from '../../../generated/types';

/** The schema of keywords that a model tells. */
export const KEYWORDS_SCHEMA = {
  type: 'array',
  minItems: 1,
  maxItems: 100,
  items: { type: 'string', minLength: 1, maxLength: 200 },
};

/** A sentence for the model about each keyword that is not in the text. */
export function keywordFaults(keywords: readonly string[], text: string): string[] {
  const lower = text.toLowerCase();
  return keywords
    .filter((keyword) => keyword.trim() === '' || !lower.includes(keyword.toLowerCase()))
    .map((keyword) => `This keyword does not stand in the text: ${keyword.slice(0, 120)}`);
}

/** The keywords, best first as they were told, each once and with its count. The score tells the order only. */
export function countedKeywords(told: readonly string[], countMax: number, text: string): FoundKeyword[] {
  const lower = text.toLowerCase();
  const keywords = [...new Map(told.map((keyword) => [keyword.toLowerCase(), keyword])).values()].slice(
    0,
    countMax,
  );
  return keywords.map((keyword, index) => ({
    text: keyword,
    score: Math.round((1 - index / keywords.length) * 1000) / 1000,
    count: lower.split(keyword.toLowerCase()).length - 1,
  }));
}
