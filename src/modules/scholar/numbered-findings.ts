import type { ScholarFinding } from '../../../generated/types';
import type { FoundChunk } from '../../core/knowledge/rag/rag-retrieval';
import type { Quote } from '../../core/text/quotes-in';

export interface Findings {
  readonly findings: ScholarFinding[];
  /** The documents that they cite, the first one being number 1. */
  readonly cited: FoundChunk[];
}

/** A finding whose text names chunks by their number from 1, as `[1]`, with quotes of them. */
export interface ChunkFinding {
  readonly text: string;
  readonly quotes: readonly (Quote & { readonly chunk: number })[];
}

/** Findings that name documents in place of chunks, numbered in the order in which they are cited first. */
export function numberedByDocument(
  findings: readonly ChunkFinding[],
  chunks: readonly FoundChunk[],
): Findings {
  const numbers = new Map<string, number>();
  const cited: FoundChunk[] = [];
  const numberOf = (chunk: FoundChunk) => {
    const known = numbers.get(chunk.documentId);
    if (known !== undefined) {
      return known;
    }
    numbers.set(chunk.documentId, cited.push(chunk));
    return cited.length;
  };
  const numbered = findings.map(({ text, quotes }) => ({
    text: text
      .replace(/\[(\d{1,6})\]/g, (marker, number) => {
        const chunk = chunks[Number(number) - 1];
        return chunk ? `[${numberOf(chunk)}]` : marker;
      })
      .replace(/(\[\d{1,6}\])(?:[ ,;]{0,2}\1)+/g, '$1'),
    citations: quotes.flatMap(({ chunk: index, text: quote, start, end }) => {
      const chunk = chunks[index];
      return chunk
        ? [
            {
              index: numberOf(chunk),
              document_id: chunk.documentId,
              chunk_id: chunk.chunkId,
              quote,
              start: chunk.start + start,
              end: chunk.start + end,
            },
          ]
        : [];
    }),
  }));
  return { findings: numbered, cited };
}
