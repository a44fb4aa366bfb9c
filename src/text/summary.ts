import { contentStems } from './content-stems';
import { oneLine, SUMMARY_SENTENCES_MAX } from './places';
import { type Sentence, splitSentences, titlesIn } from './split-sentences';

const DAMPING = 0.85;
const ITERATIONS = 30;

/** Quadratic: callers bound it. Source: Mihalcea and Tarau, "TextRank: Bringing Order into Texts", 2004. */
function textRankScores(sentences: readonly (readonly string[])[]): Float64Array {
  const { starts, others, weights } = similarSentences(sentences);
  const count = sentences.length;
  const strengths = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    for (let edge = at(starts, index); edge < at(starts, index + 1); edge += 1) {
      strengths[index] = at(strengths, index) + at(weights, edge);
    }
  }
  const shares = weights.map((weight, edge) => DAMPING * (weight / at(strengths, at(others, edge))));
  let scores = new Float64Array(count).fill(1);
  for (let round = 0; round < ITERATIONS; round += 1) {
    const previous = scores;
    scores = new Float64Array(count).fill(1 - DAMPING);
    for (let index = 0; index < count; index += 1) {
      let score = at(scores, index);
      for (let edge = at(starts, index); edge < at(starts, index + 1); edge += 1) {
        score += at(shares, edge) * at(previous, at(others, edge));
      }
      scores[index] = score;
    }
  }
  return scores;
}

function at(numbers: Float64Array | Int32Array, place: number): number {
  return numbers[place] as number;
}

function similarSentences(sentences: readonly (readonly string[])[]) {
  const sets = sentences.map((stems) => new Set(stems));
  // The paper takes log(size); one is added, because two single words would divide by log 1 = 0.
  const sizes = Float64Array.from(sets, ({ size }) => Math.log(size + 1));
  const containing = sentencesByStem(sets);
  const starts = new Int32Array(sets.length + 1);
  const others = new Int32Array(sets.length * sets.length);
  const weights = new Float64Array(sets.length * sets.length);
  const shared = new Int32Array(sets.length);
  let end = 0;
  for (const [index, set] of sets.entries()) {
    for (const stem of set) {
      for (const other of containing.get(stem) ?? []) {
        if (other !== index) {
          if (at(shared, other) === 0) {
            others[end++] = other;
          }
          shared[other] = at(shared, other) + 1;
        }
      }
    }
    for (let edge = at(starts, index); edge < end; edge += 1) {
      const other = at(others, edge);
      weights[edge] = at(shared, other) / (at(sizes, index) + at(sizes, other));
      shared[other] = 0;
    }
    starts[index + 1] = end;
  }
  return { starts, others: others.subarray(0, end), weights: weights.subarray(0, end) };
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

const BLOCK_SIZE = 128;
/** Each round keeps an eighth of the sentences, or half of them where many are asked for, so all rounds take linear time. */
const KEPT_PER_BLOCK_MIN = BLOCK_SIZE / 8;
const KEPT_PER_BLOCK_MAX = BLOCK_SIZE / 2;

/** In order; `count` is below 128. Sentences are lists of stems. Linear, by ranking blocks and their best again. */
export function centralSentences(sentences: readonly (readonly string[])[], count: number): number[] {
  const kept = Math.min(Math.max(count, KEPT_PER_BLOCK_MIN), KEPT_PER_BLOCK_MAX);
  let candidates = [...sentences.keys()];
  while (candidates.length > Math.max(BLOCK_SIZE, 2 * count)) {
    const starts = [...candidates.keys()].filter((index) => index % BLOCK_SIZE === 0);
    candidates = starts.flatMap((start) =>
      best(sentences, candidates.slice(start, start + BLOCK_SIZE), kept),
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

/** A sentence of fewer content words, such as a heading, says too little. */
const TELLING_STEMS_MIN = 3;

/** By TextRank, verbatim, in order, each once. `sentencesMax` is at most 100. */
export function summaryOf(text: string, { sentencesMax }: { sentencesMax: number }) {
  const told = tellingSentences(text);
  const count = Math.min(Math.max(1, sentencesMax), SUMMARY_SENTENCES_MAX);
  const places = centralSentences(
    told.map(({ stems }) => stems),
    count,
  );
  const sentences = places.flatMap((place) => told[place]?.sentence ?? []);
  return { sentences, text: sentences.map(({ text: sentence }) => oneLine(sentence)).join(' ') };
}

/** The head of a mail announces what its text says. */
const MAIL_HEAD =
  /^(?:subject|from|to|cc|bcc|sent|date|reply-to|betreff|von|an|objet|asunto|oggetto):[ \t]/iu;

function tellingSentences(text: string) {
  const all = new Map<string, { sentence: Sentence; stems: string[] }>();
  const sentences = splitSentences(text);
  const titles = titlesIn(sentences);
  for (const [index, sentence] of sentences.entries()) {
    const key = oneLine(sentence.text);
    if (!all.has(key) && /[\p{L}\p{N}]/u.test(key)) {
      const announces = titles.has(index) || MAIL_HEAD.test(key);
      all.set(key, { sentence, stems: announces ? [] : contentStems(sentence.text) });
    }
  }
  const telling = [...all.values()].filter(({ stems }) => stems.length >= TELLING_STEMS_MIN);
  return telling.length > 0 ? telling : [...all.values()];
}
