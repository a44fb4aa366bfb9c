const VOWELS = /[aeiouyàáâäãåæèéêëìíîïòóôöõøœùúûüÿ]{1,60}/gu;
/** Endings whose e is not spoken, and that of "-le" after a consonant, whose e is. */
const SILENT_ENDING = /(?:[^laeiouyt]|[aeiouy]l|t)(?:es|ed|e)$/u;
const SPOKEN_ENDING = /(?:[sxz]es|[cs]hes|[cg]es|[td]ed|[^aeiouy]le)$/u;
/** Two vowels that are spoken apart, as in "radio", "create" and "science". */
const APART = /(?:i[ao](?!u)(?!n)|iu|ie[nt]|eo(?!u)|ea(?:t(?:e|i|o)|l(?:i))|ua[lt]|uo)/gu;

/** About how many syllables an English word has: groups of vowels, without silent endings; at least one. */
export function syllablesOf(word: string): number {
  const lower = word.toLowerCase();
  const groups = lower.match(VOWELS)?.length ?? 0;
  const apart = lower.match(APART)?.length ?? 0;
  const isSilent = SILENT_ENDING.test(lower) && !SPOKEN_ENDING.test(lower);
  return Math.max(1, groups + apart - (isSilent ? 1 : 0));
}
