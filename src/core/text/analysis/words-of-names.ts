import { namesIn } from './names';
import { withoutOverlaps } from './places';
import type { WrittenWord } from './written-words';

const CAPITALISED = /^\p{Lu}\p{Ll}/u;
const SENTENCE_BEGINS = /[.!?:;\n"“„«(–—]/u;
/** Where more of a sentence's words have capitals, it is a title, in which a capital tells nothing. */
const CAPITALISED_SHARE_MAX = 0.5;

/**
 * Those words of a text, told by where they start, that are part of a name: of a person or an organisation that is found, or
 * with a capital within a sentence. `words` are all of the text's, in order. Takes linear time.
 */
export function wordsOfNames(text: string, words: readonly WrittenWord[]): Set<number> {
  const starts = new Set(sentencesOf(text, words).flatMap(capitalisedWithin));
  const names = withoutOverlaps(namesIn(text));
  let name = 0;
  for (const { start } of words) {
    while ((names[name]?.end ?? Infinity) <= start) {
      name += 1;
    }
    if ((names[name]?.start ?? Infinity) <= start) {
      starts.add(start);
    }
  }
  return starts;
}

function sentencesOf(text: string, words: readonly WrittenWord[]): WrittenWord[][] {
  const sentences: WrittenWord[][] = [];
  let end = 0;
  for (const word of words) {
    const last = sentences.at(-1);
    if (last && !SENTENCE_BEGINS.test(text.slice(end, word.start))) {
      last.push(word);
    } else {
      sentences.push([word]);
    }
    end = word.end;
  }
  return sentences;
}

function capitalisedWithin([, ...inner]: readonly WrittenWord[]): number[] {
  const capitalised = inner.filter(({ text }) => CAPITALISED.test(text));
  const isTitle = capitalised.length > CAPITALISED_SHARE_MAX * inner.length;
  return isTitle ? [] : capitalised.map(({ start }) => start);
}
