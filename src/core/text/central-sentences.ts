import { textRankScores } from './text-rank-scores';

const BLOCK_SIZE = 128;
/** Each round keeps an eighth of the sentences, so that all rounds together take time linear in their number. */
const KEPT_PER_BLOCK = BLOCK_SIZE / 8;

/**
 * The indices of the `count` most central sentences, in the text's order. Sentences are lists of stems; `count` has to
 * be below 128. A long text is ranked in blocks, and the best sentences of all blocks are ranked again, because
 * TextRank takes quadratic time: 2 s for 600 sentences.
 */
export function centralSentences(sentences: readonly (readonly string[])[], count: number): number[] {
  let candidates = [...sentences.keys()];
  while (candidates.length > BLOCK_SIZE) {
    candidates = blocks(candidates).flatMap((block) =>
      best(sentences, block, Math.max(count, KEPT_PER_BLOCK)),
    );
  }
  return best(sentences, candidates, count);
}

function best(
  sentences: readonly (readonly string[])[],
  candidates: readonly number[],
  count: number,
): number[] {
  const scores = textRankScores(candidates.map((index) => sentences[index] ?? []));
  return candidates
    .map((index, position) => ({ index, score: scores[position] ?? 0 }))
    .sort((one, other) => other.score - one.score || one.index - other.index)
    .slice(0, count)
    .map(({ index }) => index)
    .sort((one, other) => one - other);
}

function blocks(candidates: readonly number[]): number[][] {
  const result: number[][] = [];
  for (let start = 0; start < candidates.length; start += BLOCK_SIZE) {
    result.push(candidates.slice(start, start + BLOCK_SIZE));
  }
  return result;
}
