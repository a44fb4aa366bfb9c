import { countTokens } from './count-tokens';

/**
 * The longest prefix of at most `tokensMax` tokens, give or take a token. It counts prefixes instead of decoding a list
 * of tokens, because the result is charged by what countTokens says about it. The time depends on the length of the
 * result, not on that of the text.
 */
export function truncateToTokens(text: string, tokensMax: number): string {
  let fitting = 0;
  let tooLong = Math.max(1, tokensMax);
  while (countTokens(prefix(text, tooLong)) <= tokensMax) {
    if (tooLong >= text.length) {
      return text;
    }
    fitting = tooLong;
    tooLong *= 2;
  }
  while (tooLong - fitting > 1) {
    const middle = (fitting + tooLong) >>> 1;
    if (countTokens(prefix(text, middle)) <= tokensMax) {
      fitting = middle;
    } else {
      tooLong = middle;
    }
  }
  return prefix(text, fitting);
}

/** At most `length` UTF-16 units, without a half surrogate pair at its end. */
function prefix(text: string, length: number): string {
  const partsPair = (text.codePointAt(length - 1) ?? 0) > 0xffff;
  return text.slice(0, partsPair ? length - 1 : length);
}
