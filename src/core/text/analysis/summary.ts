import { centralSentences } from '../central-sentences';
import { contentStems } from '../content-stems';
import { splitSentences, type Sentence } from '../split-sentences';

/** The most central sentences of a text, in its order, and these sentences as one text. */
export interface Summary {
  readonly sentences: Sentence[];
  readonly text: string;
}

/**
 * Summarizes a text by its most central sentences, word for word.
 * @param sentencesMax below 128
 */
export function summaryOf(text: string, { sentencesMax }: { readonly sentencesMax: number }): Summary {
  const sentences = splitSentences(text);
  const chosen = centralSentences(
    sentences.map((sentence) => contentStems(sentence.text)),
    sentencesMax,
  );
  const kept = chosen.map((index) => sentences[index]).filter((sentence) => sentence !== undefined);
  return { sentences: kept, text: kept.map((sentence) => sentence.text.replace(/\s+/g, ' ')).join(' ') };
}
