import { countTokens } from '../../tokens/count-tokens';
import { truncateToTokens } from '../../tokens/truncate-to-tokens';

/** Texts laid end to end; `lengths` are in UTF-16 units. */
export interface PackedTexts {
  readonly text: string;
  readonly lengths: Uint32Array;
}

/** The tokens of all texts, each counted by itself. */
export function countPackedTokens({ text, lengths }: PackedTexts): number {
  let tokens = 0;
  let start = 0;
  for (const length of lengths) {
    tokens += countTokens(text.slice(start, start + length));
    start += length;
  }
  return tokens;
}

/** A text, and how many tokens it has. */
export interface LimitedText {
  readonly text: string;
  readonly tokens: number;
}

/** The longest prefix of a text of at most `tokensMax` tokens, give or take a token. */
export function limitText({ text, tokensMax }: { text: string; tokensMax: number }): LimitedText {
  const cut = truncateToTokens(text, tokensMax);
  return { text: cut, tokens: Math.min(countTokens(cut), tokensMax) };
}
