import { TokenCounter } from './token-counter';

const CHARACTERS_PER_TOKEN_MAX = 8;
const ROUNDS_MAX = 4;
/** Of the room that a cut would leave by proportion, because text is not equally dense everywhere. */
const MARGIN = 0.9;
/** A token is a byte at least, and a UTF-16 unit three bytes at most. */
const TOKENS_PER_CHARACTER_MAX = 3;

/**
 * A prefix that counts at most `tokensMax` tokens; shorter than it could be, by about a tenth and where tokens are few for
 * their length. Unlike truncateToTokens it never holds up the event loop. Throws what TokenCounter.count throws.
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

/** At most `length` UTF-16 units, without a half surrogate pair at its end. */
function prefix(text: string, length: number): string {
  const partsPair = (text.codePointAt(length - 1) ?? 0) > 0xffff;
  return text.slice(0, Math.max(0, partsPair ? length - 1 : length));
}
