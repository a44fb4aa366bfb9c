import { detectLanguage } from './detect-language';
import { STOP_WORDS } from './stop-words';
import { words } from './content-stems';

/** In UTF-16 units. More of a text tells no more about its language. */
const READ_LENGTH_MAX = 4_000;
/** English prose has about twice as many; other languages share few of these words. */
const STOP_WORD_SHARE_MIN = 0.25;

/**
 * Whether rules for English may be applied to a text: its language is English or not known. Many names at the beginning of
 * a contract make its language uncertain, so its small words count too.
 */
export function readsEnglish(text: string): boolean {
  const language = detectLanguage(text);
  if (language === null || language === 'en') {
    return true;
  }
  const read = words(text.slice(0, READ_LENGTH_MAX));
  return read.filter((word) => STOP_WORDS.has(word)).length >= read.length * STOP_WORD_SHARE_MIN;
}
