import { stemmer } from 'stemmer';
import { addTo } from '../runtime/collections';
import { contentStems, STOP_WORDS } from './content-stems';
import { detectLanguage, FUNCTION_WORDS } from './detect-language';
import { countsOf, oneLine, type Place, SUMMARY_SENTENCES_MAX } from './places';
import { UNSPACED_SCRIPTS } from './searchable-text';
import { MONTHS, type Sentence, splitSentences, titlesIn } from './split-sentences';
import { writtenWords } from './text-statistics';

const DAMPING = 0.85;
const ITERATIONS_MAX = 30;
/** Scores that change by less than this from one round to the next would hardly change in further ones. */
const CHANGE_MIN = 1e-6;

/** Quadratic: callers bound it. Source: Mihalcea and Tarau, "TextRank: Bringing Order into Texts", 2004. */
function textRankScores(sentences: readonly (readonly string[])[]): number[] {
  const similar = similarSentences(sentences);
  const strengths = similar.map(({ weights }) => sum(weights));
  const shares = similar.map(({ others, weights }) =>
    weights.map((weight, at) => DAMPING * (weight / (strengths[others[at] as number] as number))),
  );
  let scores = sentences.map(() => 1);
  let isChanging = true;
  for (let round = 0; round < ITERATIONS_MAX && isChanging; round += 1) {
    const previous = scores;
    scores = shares.map((own, index) => {
      const { others } = similar[index] as SimilarSentences;
      let score = 1 - DAMPING;
      for (let at = 0; at < own.length; at += 1) {
        score += (own[at] as number) * (previous[others[at] as number] as number);
      }
      return score;
    });
    isChanging = scores.some((score, index) => Math.abs(score - (previous[index] as number)) >= CHANGE_MIN);
  }
  return scores;
}

/** Those that share stems with a sentence, and how much each does. Two lists of numbers, as a block has thousands of them. */
interface SimilarSentences {
  readonly others: readonly number[];
  readonly weights: readonly number[];
}

function similarSentences(sentences: readonly (readonly string[])[]): SimilarSentences[] {
  const sets = sentences.map((stems) => new Set(stems));
  // The paper takes log(size); one is added, because two single words would divide by log 1 = 0.
  const sizes = sets.map(({ size }) => Math.log(size + 1));
  const containing = new Map<string, number[]>();
  for (const [index, set] of sets.entries()) {
    set.forEach((stem) => addTo(containing, stem, index));
  }
  return sets.map((set, index) => {
    const shared = new Int32Array(sets.length);
    const others: number[] = [];
    for (const stem of set) {
      for (const other of containing.get(stem) ?? []) {
        if (shared[other] === 0 && other !== index) {
          others.push(other);
        }
        shared[other] = (shared[other] as number) + 1;
      }
    }
    const weights = others.map(
      (other) => (shared[other] as number) / ((sizes[index] as number) + (sizes[other] as number)),
    );
    return { others, weights };
  });
}

const BLOCK_SIZE = 128;
/** Each round keeps an eighth of the sentences, at most half where many are wanted, so all rounds take linear time. */
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

const LIST_MARK = /^(?:[-*•]|\d{1,2}[.)](?! \p{Lu}{2}| \p{L}{3,9}\.? \d{4})) (?=(\p{L}+)|\S)/u;

/** By TextRank, verbatim, in order, each once, without list marks. `sentencesMax` is at most 100. */
export function summaryOf(text: string, { sentencesMax }: { sentencesMax: number }) {
  const sentencesOfMeaning = meaningfulSentences(text);
  const count = Math.min(Math.max(1, sentencesMax), SUMMARY_SENTENCES_MAX);
  const places = centralSentences(
    sentencesOfMeaning.map(({ stems }) => stems),
    count,
  );
  const sentences = places.flatMap((place) => sentencesOfMeaning[place]?.sentence ?? []);
  const texts = sentences.map(({ text: sentence }) =>
    oneLine(sentence).replace(LIST_MARK, (mark, next: string) => (MONTHS.has(next) ? mark : '')),
  );
  return { sentences, text: texts.join(' ') };
}

const MAIL_HEAD =
  /^(?:subject|from|to|cc|bcc|sent|date|reply-to|betreff|von|an|objet|asunto|oggetto):[ \t]/iu;

function meaningfulSentences(text: string) {
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
  const meaningful = [...all.values()].filter(({ stems }) => stems.length >= TELLING_STEMS_MIN);
  return meaningful.length > 0 ? meaningful : [...all.values()];
}

const PHRASE_WORDS_MAX = 3;
const WORD_LENGTH_MIN = 3;
const WITHIN_PHRASE = /^[ \t]{1,3}$/u;
const UNSPACED_RUN = new RegExp(`[${UNSPACED_SCRIPTS}ー]{1,1000}`, 'gu');
/** Hiragana alone inflects. The others are the words without which no Chinese text is. */
const LINKING_UNSPACED =
  /^(?:[\p{Script=Hiragana}ー]+|[的是在和了有不与及或为以从到也都就被把对将而其这那我你他她它一很最等年月日时]|我们|你们|他们|她们|它们|自己|这个|那个|这些|那些|这样|什么|怎么|如何|因为|所以|但是|如果|可以|可能|已经|正在|没有|不是|还是|以及|或者|并且|而且|为了|由于|通过|根据|对于|关于|一个|一些|一种|就是|非常)$/u;
const HANGUL = /^\p{Script=Hangul}{1,40}$/u;
const WORDS = new Intl.Segmenter('zh', { granularity: 'word' });
const HAS_LETTER = /\p{L}/u;

interface StemmedWord {
  /** What stands between it and the word before, as one space or nothing. */
  readonly lead: string;
  readonly text: string;
  readonly stem: string;
}

interface Candidate {
  text: string;
  readonly stems: readonly string[];
  count: number;
}

/**
 * RAKE times the phrase's count, because plain RAKE favours what occurs once.
 * Source: Rose and others, "Automatic keyword extraction from individual documents", 2010.
 */
export function keywords(text: string, countMax: number) {
  const candidates = countCandidates(text);
  const scores = wordScores(candidates);
  const rake = candidates.map(({ stems }) => stems.reduce((sum, stem) => sum + (scores.get(stem) ?? 0), 0));
  const most = rake.reduce((one, other) => Math.max(one, other), 1);
  const ranked = candidates
    .map(({ text: phrase, count }, index) => {
      const own = rake[index] ?? 0;
      // The longest phrase would win though it occurs once.
      return { text: phrase, count, score: count > 1 ? own * count : own / most };
    })
    .sort((one, other) => other.score - one.score || other.count - one.count);
  const best = ranked[0]?.score ?? 1;
  return ranked.slice(0, countMax).map((each) => ({
    text: each.text,
    score: Math.round((each.score / best) * 1000) / 1000,
    count: each.count,
  }));
}

function countCandidates(text: string): Candidate[] {
  const runs = [...runsIn(text)];
  const repeated = repeatedOf(runs.flatMap(phrasesIn));
  const known = repeatedOf(runs.flat().map(({ stem }) => stem));
  const found = new Map<string, Candidate>();
  for (const run of runs) {
    const pieces = cut(run, repeated);
    const isNew = run.length === 1 || !run.some(({ stem }) => known.has(stem));
    const isOnePhrase = run.length <= PHRASE_WORDS_MAX && pieces.length === run.length && isNew;
    for (const phrase of isOnePhrase ? [run] : pieces) {
      // A single letter of an unspaced script tells nothing without its neighbours.
      if (phrase.length > 1 || !/^.$/u.test(phrase[0]?.text ?? '')) {
        count(found, phrase);
      }
    }
  }
  return [...found.values()];
}

function phrasesIn(run: readonly StemmedWord[]): string[] {
  const lengths = Array.from({ length: PHRASE_WORDS_MAX - 1 }, (_, index) => index + 2);
  return run.flatMap((_, from) =>
    lengths
      .filter((length) => from + length <= run.length)
      .map((length) => keyOf(run.slice(from, from + length))),
  );
}

function repeatedOf(all: readonly string[]): Set<string> {
  const repeated = [...countsOf(all)].filter(([, count]) => count > 1);
  return new Set(repeated.map(([each]) => each));
}

function count(found: Map<string, Candidate>, phrase: readonly StemmedWord[]): void {
  const key = keyOf(phrase);
  const written = phrase.map(({ text, lead }, index) => (index === 0 ? text : lead + text)).join('');
  const known = found.get(key);
  if (known) {
    known.count += 1;
    known.text = isLower(known.text) || !isLower(written) ? known.text : written;
  } else {
    found.set(key, { text: written, stems: phrase.map(({ stem }) => stem), count: 1 });
  }
}

function isLower(written: string): boolean {
  return written === written.toLowerCase();
}

function cut(run: readonly StemmedWord[], phrases: ReadonlySet<string>): StemmedWord[][] {
  const pieces: StemmedWord[][] = [];
  for (let from = 0; from < run.length; from += pieces.at(-1)?.length ?? 1) {
    const lengths = Array.from({ length: PHRASE_WORDS_MAX }, (_, index) => PHRASE_WORDS_MAX - index);
    const length = lengths.find((each) => phrases.has(keyOf(run.slice(from, from + each)))) ?? 1;
    pieces.push(run.slice(from, from + length));
  }
  return pieces;
}

function keyOf(phrase: readonly StemmedWord[]): string {
  return phrase.map(({ stem }) => stem).join(' ');
}

const ADDRESS = /https?:\/\/[^\s<>"')\]]+|(?<![\w.+-])[\w.+-]{1,64}@[\w.-]{1,200}/giu;

function* runsIn(source: string): Generator<StemmedWord[]> {
  const text = source.replace(ADDRESS, '\n');
  const stops = FUNCTION_WORDS.get(detectLanguage(text) ?? '') ?? STOP_WORDS;
  let run: StemmedWord[] = [];
  let end = 0;
  for (const word of wordsIn(text)) {
    const isContent = isContentWord(word.text, stops);
    const gap = text.slice(end, word.start);
    const isJoined = gap === '' && isUnspaced(word.text);
    const follows = (isJoined || WITHIN_PHRASE.test(gap)) && !(isLower(word.text) && endsInName(run));
    if (run.length > 0 && !(isContent && follows)) {
      yield run;
      run = [];
    }
    if (isContent) {
      run.push({ text: word.text, lead: isJoined ? '' : ' ', stem: stemmer(word.text.toLowerCase()) });
    }
    end = word.end;
  }
  if (run.length > 0) {
    yield run;
  }
}

function isUnspaced(word: string): boolean {
  return word.search(UNSPACED_RUN) === 0;
}

/** Where no spaces are written a dictionary tells the words. Korean writes them. */
function wordsIn(text: string): Place[] {
  const spaced = [...writtenWords(text)].filter((word) => !isUnspaced(word.text));
  const unspaced = [...text.matchAll(UNSPACED_RUN)].flatMap(({ 0: run, index }) =>
    [...segmentsOf(run)].map(({ segment, index: at }) => ({
      text: segment,
      start: index + at,
      end: index + at + segment.length,
    })),
  );
  return unspaced.length === 0
    ? spaced
    : [...spaced, ...unspaced].sort((one, other) => one.start - other.start);
}

function segmentsOf(run: string): Iterable<{ segment: string; index: number }> {
  return HANGUL.test(run) ? [{ segment: run, index: 0 }] : WORDS.segment(run);
}

function endsInName(run: readonly StemmedWord[]): boolean {
  return run.length > 1 && run.slice(-2).every(({ text }) => /^\p{Lu}/u.test(text));
}

function isContentWord(word: string, stops: ReadonlySet<string>): boolean {
  const lower = word.toLowerCase().replaceAll('’', "'");
  const isStop = stops.has(lower) || STOP_WORDS.has(lower) || STOP_WORDS.has(lower.split("'")[0] ?? '');
  if (isUnspaced(word)) {
    return !LINKING_UNSPACED.test(word);
  }
  return lower.length >= WORD_LENGTH_MIN && HAS_LETTER.test(lower) && !isStop;
}

function wordScores(candidates: readonly Candidate[]): Map<string, number> {
  const [degrees, frequencies] = [new Map<string, number>(), new Map<string, number>()];
  for (const { stems, count } of candidates) {
    for (const stem of stems) {
      degrees.set(stem, (degrees.get(stem) ?? 0) + stems.length * count);
      frequencies.set(stem, (frequencies.get(stem) ?? 0) + count);
    }
  }
  return new Map([...degrees].map(([stem, degree]) => [stem, degree / (frequencies.get(stem) ?? 1)]));
}

export interface Label {
  readonly name: string;
  readonly examples: readonly string[];
}

const EVIDENCE_MAX = 3;
const LEAD_MIN = 1.2;
/** Any text shares words by chance: one of this many different words has to share two, one of their square three. */
const WORDS_BY_CHANCE = 6;
const OFTEN = 3;
/** How much a label's number of words lessens its score: none at 0, in proportion at 1. */
const SIZE_EXPONENT = 0.75;

/** Weighed by the label's size, because many examples share words with any text. */
export function classification(
  text: string,
  labels: readonly Label[],
): { label: string | null; evidence: Sentence[] } {
  const linking = new Set([...(FUNCTION_WORDS.get(detectLanguage(text) ?? '') ?? [])].flatMap(contentStems));
  const isTelling = (stem: string) => /\p{L}/u.test(stem) && !linking.has(stem);
  const words = labels.map(
    ({ name, examples }) => new Set([name, ...examples].flatMap(contentStems).filter(isTelling)),
  );
  const counts = countsOf(contentStems(text));
  const sharedMin = 1 + Math.floor(Math.log(Math.max(counts.size, 1)) / Math.log(WORDS_BY_CHANCE));
  const rated = words.map((own, index) => {
    const shared = [...own].filter((stem) => counts.has(stem) && weight(stem, words) > 0);
    const score = sum(shared.map((stem) => weight(stem, words) * (1 + Math.log(counts.get(stem) ?? 1))));
    return {
      index,
      score: score / Math.max(own.size, 1) ** SIZE_EXPONENT,
      isEnough: sum(shared.map((stem) => ((counts.get(stem) ?? 0) >= OFTEN ? 2 : 1))) >= sharedMin,
    };
  });
  const [best, next] = rated.sort((one, other) => other.score - one.score);
  if (!best?.isEnough || best.score < (next?.score ?? 0) * LEAD_MIN) {
    return { label: null, evidence: [] };
  }
  const { index } = best;
  return { label: labels[index]?.name ?? null, evidence: evidenceOf(text, words[index] ?? new Set(), words) };
}

function weight(stem: string, words: readonly ReadonlySet<string>[]): number {
  const labelsWith = words.filter((own) => own.has(stem)).length;
  return Math.log(words.length / labelsWith);
}

function evidenceOf(
  text: string,
  own: ReadonlySet<string>,
  words: readonly ReadonlySet<string>[],
): Sentence[] {
  return splitSentences(text)
    .map((sentence) => {
      const shared = [...new Set(contentStems(sentence.text))].filter((stem) => own.has(stem));
      return { sentence, score: sum(shared.map((stem) => weight(stem, words))) };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, EVIDENCE_MAX)
    .map(({ sentence }) => sentence);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
