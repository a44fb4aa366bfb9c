import { detectLanguage } from '../detect-language';
import { STOP_WORDS } from '../stop-words';
import { words } from '../content-stems';

/** In UTF-16 units. More of a text tells no more. */
const READ_LENGTH_MAX = 4_000;
/** The share of such words in English prose is above 0.35; in notes and tables with many names it is less. */
const SHARE_MIN = 0.2;
/** English words that are words of no other language that Latin letters write, or rare there. */
const TELLING = new Set(
  'the of and that is was were are with for from this which have has had will would they their them what when'.split(
    ' ',
  ),
);
const TELLING_SHARE_MIN = 0.06;

/**
 * Whether a text is English. Detectors by letters take notes with many names for something else, so the share of English
 * function words decides where the detector says something else. Null where the text is too short to tell.
 */
export function isEnglish(text: string): boolean | null {
  const language = detectLanguage(text);
  if (language === null || language === 'en') {
    return language === null ? null : true;
  }
  const read = words(text.slice(0, READ_LENGTH_MAX));
  const share = (known: ReadonlySet<string>) => read.filter((word) => known.has(word)).length / read.length;
  return read.length > 0 && share(TELLING) >= TELLING_SHARE_MIN && share(STOP_WORDS) >= SHARE_MIN;
}
