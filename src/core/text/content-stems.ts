import { stemmer } from 'stemmer';
import { STOP_WORDS } from './stop-words';

/** Runs of letters and digits. The bound keeps Porter's regular expressions short on a megabyte of one letter. */
const WORD = /[\p{L}\p{M}\p{N}]{1,40}/gu;

/** The lower-case words of a text, in order. */
export function words(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

/**
 * The words that carry meaning, reduced to their stems (Porter 1980), in order and with repetitions. Stop words are
 * left out.
 */
export function contentStems(text: string): string[] {
  return words(text)
    .filter((each) => !STOP_WORDS.has(each))
    .map((each) => stemmer(each));
}
