import { contentStems } from './content-stems';
import { SUMMARY_SENTENCES_MAX } from './places';
import { type Sentence, splitSentences } from './split-sentences';

const DAMPING = 0.85;
const ITERATIONS = 30;

/**
 * TextRank: how central each sentence is, by the stems that two share for their lengths. Quadratic time and memory, so
 * callers have to bound it. Source: Mihalcea and Tarau, "TextRank: Bringing Order into Texts", 2004.
 */
function textRankScores(sentences: readonly (readonly string[])[]): number[] {
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

/** The paper takes the logarithm of the size; one is added, because two single words would divide by log 1 = 0. */
function sizeWeight(set: ReadonlySet<string>): number {
  return Math.log(set.size + 1);
}

const BLOCK_SIZE = 128;
/** Each round keeps an eighth of the sentences, so that all rounds together take linear time. */
const KEPT_PER_BLOCK = BLOCK_SIZE / 8;

/**
 * The indices of the `count` (below 128) most central sentences, in order. Sentences are lists of stems. A long text is
 * ranked in blocks and their best again, because TextRank takes 2 s for 600 sentences.
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

export interface Summary {
  readonly sentences: Sentence[];
  readonly text: string;
}

/** A sentence of fewer content words, such as a heading, says too little. */
const TELLING_STEMS_MIN = 3;

/** The most central sentences by TextRank, verbatim, in order, each once. `sentencesMax` is at most 100. */
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
