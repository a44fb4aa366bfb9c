/** Reading 60,000 names, no two alike, holds the event loop for 50 ms and more; no request has use for so many. */
export const NAMES_MAX = 30_000;

/**
 * Whether a JSON text has more than NAMES_MAX names in its objects together, however they are nested. Linear, and for
 * nearly every text no more than a look for colons. What is no JSON may be judged either way.
 */
export function hasTooManyNames(text: string): boolean {
  return text.length > 3 * NAMES_MAX && colons(text) > NAMES_MAX && names(text) > NAMES_MAX;
}

/** All of them, also those in texts. */
function colons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0 && count <= NAMES_MAX; at = text.indexOf(':', at + 1)) {
    count += 1;
  }
  return count;
}

/** The colons between texts: one after each name. */
function names(text: string): number {
  let count = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      inText = !inText;
    } else if (character === '\\') {
      at += 1;
    } else if (character === ':' && !inText) {
      count += 1;
    }
  }
  return count;
}
