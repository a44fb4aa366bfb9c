import { stemmer } from 'stemmer';
import { STOP_WORDS } from './stop-words';

/** A run of letters and digits. Its bound keeps Porter's regular expressions fast on a megabyte of one letter. */
const WORD = /[\p{L}\p{M}\p{N}]{1,40}/gu;

/** The lower-case words of a text, in order. */
export function words(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

/**
 * The words of a text without the stop words, reduced to their stems, in order and with repetitions.
 * Source: Porter, "An algorithm for suffix stripping", 1980.
 */
export function contentStems(text: string): string[] {
  return words(text)
    .filter((each) => !STOP_WORDS.has(each))
    .map((each) => stemmer(each));
}
