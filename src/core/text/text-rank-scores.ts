const DAMPING = 0.85;
const ITERATIONS = 30;

/**
 * How central each sentence is among the others: TextRank, where two sentences are as similar as they share many stems
 * for their lengths. Takes time and memory quadratic in the number of sentences, so callers have to bound it.
 * Source: Mihalcea and Tarau, "TextRank: Bringing Order into Texts", 2004.
 */
export function textRankScores(sentences: readonly (readonly string[])[]): number[] {
  const neighbours = similarSentences(sentences);
  const strengths = neighbours.map((row) => row.reduce((sum, { weight }) => sum + weight, 0));
  let scores = sentences.map(() => 1);
  for (let round = 0; round < ITERATIONS; round += 1) {
    const previous = scores;
    scores = neighbours.map((row) =>
      row.reduce((score, { index, weight }) => {
        const share = weight / (strengths[index] ?? 1);
        return score + DAMPING * share * (previous[index] ?? 0);
      }, 1 - DAMPING),
    );
  }
  return scores;
}

interface Neighbour {
  readonly index: number;
  readonly weight: number;
}

/**
 * For each sentence the others that share a stem. They are found by stem, because most pairs of sentences share none.
 */
function similarSentences(sentences: readonly (readonly string[])[]): Neighbour[][] {
  const sets = sentences.map((stems) => new Set(stems));
  const containing = sentencesByStem(sets);
  return sets.map((set, index) => {
    const shared = new Map<number, number>();
    for (const stem of set) {
      for (const other of containing.get(stem) ?? []) {
        shared.set(other, (shared.get(other) ?? 0) + 1);
      }
    }
    shared.delete(index);
    return [...shared].map(([other, count]) => ({
      index: other,
      weight: count / (sizeWeight(set) + sizeWeight(sets[other] ?? set)),
    }));
  });
}

function sentencesByStem(sets: readonly ReadonlySet<string>[]): Map<string, number[]> {
  const containing = new Map<string, number[]>();
  for (const [index, set] of sets.entries()) {
    for (const stem of set) {
      const indices = containing.get(stem);
      if (indices) {
        indices.push(index);
      } else {
        containing.set(stem, [index]);
      }
    }
  }
  return containing;
}

/** The paper takes the logarithm of the size. One is added here, because two single words would divide by log 1 = 0. */
function sizeWeight(set: ReadonlySet<string>): number {
  return Math.log(set.size + 1);
}
