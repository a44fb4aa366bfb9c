/**
 * How many member names a JSON body may have. Parsing 60,000 distinct names blocks the event loop for 50 ms or more,
 * and no real request needs so many.
 */
export const NAMES_MAX = 30_000;

/**
 * Whether all objects of a JSON text together have more than NAMES_MAX member names. Takes linear time; for nearly all
 * texts it only counts colons, which is fast. For a text that is not JSON either answer is possible.
 */
export function hasTooManyNames(text: string): boolean {
  return text.length > 3 * NAMES_MAX && colons(text) > NAMES_MAX && names(text) > NAMES_MAX;
}

/** How many colons the text has, up to NAMES_MAX + 1. Those inside of strings are included. */
function colons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0 && count <= NAMES_MAX; at = text.indexOf(':', at + 1)) {
    count += 1;
  }
  return count;
}

/** How many colons stand outside of strings. There is one after each name. */
function names(text: string): number {
  let count = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      inString = !inString;
    } else if (character === '\\') {
      at += 1;
    } else if (character === ':' && !inString) {
      count += 1;
    }
  }
  return count;
}
