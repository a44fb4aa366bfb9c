import { prefix } from './count-tokens';
import { TokenCounter } from './token-counter';

/** A text is cut to so many characters a token first, so that an endless one is not counted as a whole. */
const CHARACTERS_PER_TOKEN_MAX = 8;
const ROUNDS_MAX = 4;
/** Tokens are not equally dense everywhere in a text, so a cut keeps this share of the proportional length. */
const MARGIN = 0.9;
/** A token has one byte at least, and a UTF-16 unit has three bytes at most. */
const TOKENS_PER_CHARACTER_MAX = 3;

/**
 * A prefix of at most `tokensMax` tokens, perhaps a tenth shorter than possible. Unlike truncateToTokens it never
 * blocks the event loop. Throws what TokenCounter.count throws.
 */
export async function fitToTokens(
  text: string,
  tokensMax: number,
  counter: TokenCounter,
  signal?: AbortSignal,
): Promise<string> {
  let fitting = prefix(text, tokensMax * CHARACTERS_PER_TOKEN_MAX);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const tokens = await counter.count(fitting, signal);
    if (tokens <= tokensMax) {
      return fitting;
    }
    fitting = prefix(fitting, Math.floor(((fitting.length * tokensMax) / tokens) * MARGIN));
  }
  return prefix(fitting, Math.floor(tokensMax / TOKENS_PER_CHARACTER_MAX));
}
