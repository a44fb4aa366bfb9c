/** In letters; a text of fewer may be a name. */
const LETTERS_MIN = 8;
/** A letter of these scripts is a syllable or a word. */
const WORDS_MIN = 6;
/** The share of a text's letters that have to be of one script. */
const SHARE_MIN = 0.6;

/** Scripts that write one language, or nearly so. */
const LANGUAGES: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Armenian}/gu, 'hy'],
  [/\p{Script=Georgian}/gu, 'ka'],
  [/\p{Script=Thai}/gu, 'th'],
  [/\p{Script=Khmer}/gu, 'km'],
  [/\p{Script=Lao}/gu, 'lo'],
  [/\p{Script=Myanmar}/gu, 'my'],
  [/\p{Script=Tamil}/gu, 'ta'],
  [/\p{Script=Telugu}/gu, 'te'],
  [/\p{Script=Kannada}/gu, 'kn'],
  [/\p{Script=Malayalam}/gu, 'ml'],
  [/\p{Script=Gujarati}/gu, 'gu'],
  [/\p{Script=Gurmukhi}/gu, 'pa'],
];

/** The language of a text whose script is used for that language alone; null for texts in other scripts, and for names. */
export function languageOfScript(text: string): string | null {
  const letters = countOf(text, /\p{L}/gu);
  const east = languageOfEastAsia(text, letters);
  if (east !== null || letters < LETTERS_MIN) {
    return east;
  }
  return LANGUAGES.find(([script]) => countOf(text, script) >= letters * SHARE_MIN)?.[1] ?? null;
}

/** Chinese has no kana. A few characters without them may be Japanese as well, so those alone tell nothing. */
function languageOfEastAsia(text: string, letters: number): string | null {
  const hangul = countOf(text, /\p{Script=Hangul}/gu);
  if (hangul >= Math.max(WORDS_MIN, letters * SHARE_MIN)) {
    return 'ko';
  }
  const kana = countOf(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const han = countOf(text, /\p{Script=Han}/gu);
  if (han + kana < Math.max(WORDS_MIN, letters * SHARE_MIN)) {
    return null;
  }
  if (kana > 0) {
    return kana >= (han + kana) * 0.1 ? 'ja' : null;
  }
  return han >= 2 * WORDS_MIN ? 'zh' : null;
}

function countOf(text: string, letter: RegExp): number {
  return text.match(letter)?.length ?? 0;
}
