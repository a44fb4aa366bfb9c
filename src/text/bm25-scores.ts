/** BM25's k1 and b, with the values that Lucene uses. */
const SATURATION = 1.2;
const LENGTH_NORMALISATION = 0.75;

/**
 * Okapi BM25 with Lucene's idf: a score for each document, all given as lists of stems. Linear time.
 * Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
 */
export function bm25Scores(documents: readonly (readonly string[])[], query: readonly string[]): number[] {
  const terms = new Set(query);
  const frequencies = documents.map((document) => termFrequencies(document, terms));
  const containing = documentFrequencies(frequencies);
  const lengthMean = documents.reduce((sum, document) => sum + document.length, 0) / documents.length;
  return frequencies.map((frequency, index) => {
    const length = (documents[index] ?? []).length / lengthMean;
    const norm = SATURATION * (1 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * length);
    let score = 0;
    for (const [term, count] of frequency) {
      const rarity = inverseDocumentFrequency(containing.get(term) ?? 0, documents.length);
      score += (rarity * count * (SATURATION + 1)) / (count + norm);
    }
    return score;
  });
}

function termFrequencies(document: readonly string[], terms: ReadonlySet<string>): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const stem of document) {
    if (terms.has(stem)) {
      frequencies.set(stem, (frequencies.get(stem) ?? 0) + 1);
    }
  }
  return frequencies;
}

export function documentFrequencies(
  documents: readonly (ReadonlySet<string> | ReadonlyMap<string, unknown>)[],
): Map<string, number> {
  const containing = new Map<string, number>();
  for (const document of documents) {
    for (const term of document.keys()) {
      containing.set(term, (containing.get(term) ?? 0) + 1);
    }
  }
  return containing;
}

export function inverseDocumentFrequency(containing: number, documents: number): number {
  return Math.log(1 + (documents - containing + 0.5) / (containing + 0.5));
}
