import type { PlacedSentence } from '../../../text/extractive/passages';
import type { FoundChunk } from '../rag-retrieval';

/** A sentence of a document that an answer is taken from. */
export interface RagCitation {
  /** The number that stands in the answer, as `[1]`. */
  readonly index: number;
  readonly documentId: string;
  readonly chunkId: string;
  /** The document's content from `start` to `end`, in UTF-16 units. */
  readonly quote: string;
  readonly start: number;
  readonly end: number;
}

/** The citation of a sentence of a chunk. */
export function citationOf(
  index: number,
  chunk: FoundChunk,
  place: { start: number; end: number },
): RagCitation {
  return {
    index,
    documentId: chunk.documentId,
    chunkId: chunk.chunkId,
    quote: chunk.text.slice(place.start, place.end),
    start: chunk.start + place.start,
    end: chunk.start + place.end,
  };
}

/** An answer made of quotes, each with its number, and where each number ends in it. */
export function quotingAnswer(quotes: readonly PlacedSentence[]): { text: string; ends: number[] } {
  let text = '';
  const ends = quotes.map((quote, index) => {
    text += `${text === '' ? '' : ' '}${quote.text} [${index + 1}]`;
    return text.length;
  });
  return { text, ends };
}
