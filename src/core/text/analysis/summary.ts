import { centralSentences } from '../central-sentences';
import { contentStems } from '../content-stems';
import { splitSentences, type Sentence } from '../split-sentences';
import { SUMMARY_SENTENCES_MAX } from './limits';

/** A summary in a text's own words. */
export interface Summary {
  /** The sentences as they stand in the text, in its order. */
  readonly sentences: Sentence[];
  readonly text: string;
}

/** A sentence of fewer content words, such as a heading, says too little by itself. */
const TELLING_STEMS_MIN = 3;

/**
 * The most central sentences of a text by TextRank, verbatim and in the order of the text, each once. `sentencesMax` is at
 * most 100. Where a text has no more sentences than that, it is its own summary.
 */
export function summaryOf(text: string, { sentencesMax }: { sentencesMax: number }): Summary {
  const told = tellingSentences(text);
  const count = Math.min(Math.max(1, sentencesMax), SUMMARY_SENTENCES_MAX);
  const places = centralSentences(
    told.map(({ stems }) => stems),
    count,
  );
  const sentences = places.flatMap((place) => told[place]?.sentence ?? []);
  return { sentences, text: sentences.map(({ text: sentence }) => oneLine(sentence)).join(' ') };
}

function tellingSentences(text: string) {
  const all = new Map<string, { sentence: Sentence; stems: string[] }>();
  for (const sentence of splitSentences(text)) {
    const key = oneLine(sentence.text);
    if (!all.has(key) && /[\p{L}\p{N}]/u.test(key)) {
      all.set(key, { sentence, stems: contentStems(sentence.text) });
    }
  }
  const telling = [...all.values()].filter(({ stems }) => stems.length >= TELLING_STEMS_MIN);
  return telling.length > 0 ? telling : [...all.values()];
}

function oneLine(sentence: string): string {
  return sentence.split(/\s+/u).join(' ');
}
