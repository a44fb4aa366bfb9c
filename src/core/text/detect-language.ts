import { detect } from 'tinyld';

/** In UTF-16 units. More of a text tells no more about its language, and takes longer. */
const READ_LENGTH_MAX = 2_000;
/** In UTF-16 units. A shorter text may be of many languages. */
const TELLING_LENGTH_MIN = 40;

/** The language of a text as ISO 639-1, from its beginning; null where it is too short or unlike any known one. */
export function detectLanguage(text: string): string | null {
  const read = text.slice(0, READ_LENGTH_MAX);
  return read.trim().length < TELLING_LENGTH_MIN ? null : detect(read) || null;
}
