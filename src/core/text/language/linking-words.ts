import { FUNCTION_WORDS } from './function-words';

/** A run of letters. Its bound keeps a megabyte of one letter from being one word. */
const WORD = /[\p{L}\p{M}]{1,30}/gu;
const CAPITALISED = /^\p{Lu}\p{Ll}/u;
const IN_CAPITALS = /^\p{Lu}{2,}$/u;
/** How far back a sentence's beginning is looked for, in UTF-16 units. */
const LOOKED_BACK_MAX = 4;
const SENTENCE_BEGINS = /(?:^|[.!?:\n])\W*$/u;
/** A single letter is a unit, an initial or an item of a list as often as it is a word. */
const LETTER_WEIGHT = 0.25;
/** "Die Zeit" has no German in it, nor "Will Smith" English. */
const CAPITALISED_WEIGHT = 0.4;

/** A linking word in a text, and all languages that have it. */
interface Hit {
  readonly languages: ReadonlySet<string>;
  readonly weight: number;
}

/** The words of a text that tell its language. */
export interface LinkingWords {
  readonly words: number;
  readonly hits: readonly Hit[];
}

const LANGUAGES_OF = new Map<string, Set<string>>();
for (const [language, words] of FUNCTION_WORDS) {
  for (const word of words) {
    LANGUAGES_OF.set(word, (LANGUAGES_OF.get(word) ?? new Set()).add(language));
  }
}

/** The linking words of a text. Those between two words of a name ("Ludwig van Beethoven") are none. */
export function linkingWordsIn(text: string): LinkingWords {
  const written = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word, index }));
  const isInCapitals = !/\p{Ll}{2}/u.test(text);
  const hits = written.flatMap(({ word, index }, position) => {
    const languages = LANGUAGES_OF.get(word.toLowerCase());
    if (!languages || (IN_CAPITALS.test(word) && !isInCapitals)) {
      return [];
    }
    const begins = SENTENCE_BEGINS.test(text.slice(Math.max(0, index - LOOKED_BACK_MAX), index));
    if (CAPITALISED.test(word)) {
      return [{ languages, weight: begins ? 1 : CAPITALISED_WEIGHT }];
    }
    const isInName =
      !begins && isOfName(written[position - 1]?.word ?? '') && isOfName(written[position + 1]?.word ?? '');
    return isInName ? [] : [{ languages, weight: word.length === 1 ? LETTER_WEIGHT : 1 }];
  });
  return { words: written.length, hits };
}

/** The weight that the linking words give to each language. Given one, only the words that it has are counted. */
export function weightsOf({ hits }: LinkingWords, language?: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { languages, weight } of hits) {
    if (language === undefined || languages.has(language)) {
      for (const each of languages) {
        weights.set(each, (weights.get(each) ?? 0) + weight);
      }
    }
  }
  return weights;
}

/** Names have small words in them that are words of the language where the name comes from. */
function isOfName(word: string): boolean {
  return CAPITALISED.test(word) || PARTICLES.has(word);
}

const PARTICLES = new Set('da das de dei del della den der di do dos du la le van von y zu'.split(' '));
