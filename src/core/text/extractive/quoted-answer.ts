import { bm25Scores } from '../bm25-scores';
import { comparedStems, sentencesOf, type Passage, type PlacedSentence } from './passages';
import { isSubject, KIND_ASKED_FOR } from './question-words';

const QUOTES_MAX = 3;
/** A sentence joins the answer when it scores at least this share of the best one. */
const SCORE_SHARE_MIN = 0.6;
/** The share of the question's stems, the rare ones weighing more, that a sentence has to hold by itself. */
const OWN_SHARE_MIN = 0.25;
/** A stem would count as frequent where there is a single sentence, so it is weighed as if there were three more without it. */
const FURTHER_SENTENCES = 3;

interface Candidate extends PlacedSentence {
  /** Its own stems, and those of the question or heading right before it. */
  readonly own: readonly string[];
  /** Its own stems, and those of its heading and of the sentences beside it. */
  readonly around: readonly string[];
}

/**
 * The few sentences of the passages that answer the question best, in the order of the passages; none where no sentence
 * holds, together with its heading and the sentences beside it, every word that the question is about. So what the passages
 * say of an office in Berlin answers no question for one in Munich; nor, for want of understanding, one in other words.
 * Time is linear in the texts.
 */
export function quotedAnswer(question: string, passages: readonly Passage[]): PlacedSentence[] {
  const asked = [...new Set(comparedStems(question.replace(KIND_ASKED_FOR, ' ')))];
  const candidates = candidatesOf(passages);
  const weights = weightsOf(
    asked,
    candidates.map(({ own }) => own),
  );
  const whole = asked.reduce((sum, stem) => sum + (weights.get(stem) ?? 0), 0);
  const share = (stems: readonly string[]) =>
    [...new Set(stems)].reduce((sum, stem) => sum + (weights.get(stem) ?? 0), 0) / whole;
  const scores = bm25Scores(
    candidates.map(({ own }) => own),
    asked,
  );
  const subjects = asked.filter(isSubject);
  const isAbout = (stems: readonly string[]) => {
    const held = new Set(stems);
    return subjects.every((stem) => held.has(stem));
  };
  const fitting = candidates
    .map((candidate, index) => ({ candidate, index, score: scores[index] ?? 0 }))
    .filter(({ score }) => score > 0)
    .filter(({ candidate: { own, around } }) => share(own) >= OWN_SHARE_MIN && isAbout(around))
    .sort((one, other) => other.score - one.score || one.index - other.index);
  const best = fitting[0]?.score ?? 0;
  return distinct(fitting.filter(({ score }) => score >= SCORE_SHARE_MIN * best))
    .slice(0, QUOTES_MAX)
    .sort((one, other) => one.index - other.index)
    .map(({ candidate: { passage, text, start, end } }) => ({ passage, text, start, end }));
}

/** The sentences that say something, which headings and questions do not: those lend their words to the sentence behind. */
function candidatesOf(passages: readonly Passage[]): Candidate[] {
  const sentences = sentencesOf(passages).map((sentence) => ({
    ...sentence,
    stems: comparedStems(sentence.text),
  }));
  const headings = passages.map(({ heading }) => comparedStems(heading ?? ''));
  const near = (index: number, passage: number) => {
    const sentence = sentences[index];
    return sentence?.passage === passage ? sentence : null;
  };
  return sentences.flatMap(({ stems, ...sentence }, index) => {
    const { passage, text } = sentence;
    if (isLead(text, passages[passage]) || !/[\p{L}\p{N}]/u.test(text)) {
      return [];
    }
    const before = near(index - 1, passage);
    const lead = before && isLead(before.text, passages[passage]) ? before.stems : [];
    const own = [...stems, ...lead];
    const beside = [before, near(index + 1, passage)].flatMap((one) => one?.stems ?? []);
    return [{ ...sentence, own, around: [...own, ...beside, ...(headings[passage] ?? [])] }];
  });
}

/** Whether a sentence only leads to the next one. */
function isLead(text: string, passage: Passage | undefined): boolean {
  return /^#{1,6}\s|[?？]["'”’»)]*$/u.test(text) || text === passage?.heading;
}

/** How rare each stem of the question is among the sentences, as BM25 weighs it. */
function weightsOf(asked: readonly string[], sentences: readonly (readonly string[])[]): Map<string, number> {
  const holding = new Map(asked.map((stem) => [stem, 0]));
  for (const stems of sentences) {
    for (const stem of new Set(stems)) {
      const count = holding.get(stem);
      if (count !== undefined) {
        holding.set(stem, count + 1);
      }
    }
  }
  const all = sentences.length + FURTHER_SENTENCES;
  return new Map(
    [...holding].map(([stem, count]) => [stem, Math.log(1 + (all - count + 0.5) / (count + 0.5))]),
  );
}

function distinct<Item extends { readonly candidate: Candidate }>(items: readonly Item[]): Item[] {
  return [...new Map([...items].reverse().map((item) => [item.candidate.text, item])).values()].reverse();
}
