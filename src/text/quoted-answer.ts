import { stemmer } from 'stemmer';
import { bm25Scores, documentFrequencies, inverseDocumentFrequency } from './bm25-scores';
import { STOP_WORDS, words } from './content-stems';
import { UNSPACED, withoutAccents } from './detect-language';
import { splitSentences } from './split-sentences';

/** Without accents, and without words that mean something in English. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  `wann wer wen wem wie wo wohin woher warum wieso weshalb welche welcher welches welchen welchem wieviel
  quand qui quoi comment pourquoi quel quelle quels quelles combien
  cuando quien quienes donde cual cuales cuanto cuantos cuanta cuantas
  quando chi perche quale quali quanto quanti quanta quante
  quem onde quais quantos quantas
  wanneer waar waarom welk hoeveel
  когда кто что где куда как почему какой какая какие сколько
  vem vad varfor hur vilken vilket
  什 么 何 谁 哪 吗 呢 か`.split(/\s+/),
);

/** "What time" asks for a time, which an answer tells without the word. */
export const KIND_ASKED_FOR =
  /\b(?:what|which)(?: is the| are the| was the)? (?:times?|days?|dates?|years?|months?|places?|numbers?|amounts?|reasons?)\b/giu;

/** Words, without accents, and stems that a question may hold and its answer lack, such as "happens to". */
const NEED_NOT_BE_HELD: ReadonlySet<string> = new Set(
  `allow permit possibl need want get take make know call happen exist way thing someon somebodi anyon anybodi peopl person
  on pleas there
  der das den dem des ein eine einen einem einer eines und oder ist sind waren haben hatte wird werden kann konnen
  muss mussen darf durfen es er sie ich du wir ihr im in an am auf aus bei mit nach von vom zu zum zur fur uber gibt viel
  viele lange heißt heisst heißen mein meine
  le la les un une des du de d l et ou est sont a ont il elle ils elles y en dans sur au aux pour par avec ce cette se s que
  el los las una unos unas del y o es esta estan hay se su al por para
  lo i gli uno della del dei delle nel nella e sono ha hanno si c
  os as um uma do da dos das em no na ao sao
  het een van op voor met zijn heeft
  есть был была было были ли и или в во на с со из к ко о об от до по за у не это какого какому каком чем чего кому кого
  是 的 了 在 有 几 多 少 怎 样 点 里`.split(/\s+/),
);
/** Japanese writes its endings and small words with these. */
const HIRAGANA = /^\p{Script=Hiragana}$/u;

/** Whether an answer has to hold this stem of its question. */
export function isSubject(stem: string): boolean {
  return !NEED_NOT_BE_HELD.has(stem) && !HIRAGANA.test(stem);
}

export interface Passage {
  readonly text: string;
  readonly heading: string | null;
}

/** `passages[passage].text.slice(start, end)`, in UTF-16 units. */
export interface PlacedSentence {
  readonly passage: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The stems without accents, stop words and words of questions. */
export function comparedStems(text: string): string[] {
  return words(withoutAccents(text).replace(UNSPACED, ' $& '))
    .filter((word) => !STOP_WORDS.has(word) && !QUESTION_WORDS.has(word))
    .map((word) => stemmer(word));
}

function sentencesOf(passages: readonly Pick<Passage, 'text'>[]): PlacedSentence[] {
  return passages.flatMap(({ text }, passage) =>
    splitSentences(text).map((sentence) => ({ passage, ...sentence })),
  );
}

const QUOTES_MAX = 3;
/** A sentence joins the answer when it scores at least this share of the best one. */
const SCORE_SHARE_MIN = 0.6;
/** The share of the question's stems, rare ones weighing more, that a sentence has to hold by itself. */
const OWN_SHARE_MIN = 0.25;
/** A stem would count as frequent in a single sentence, so it is weighed as if there were three more without it. */
const FURTHER_SENTENCES = 3;

interface Candidate extends PlacedSentence {
  /** With those of the question or heading right before it. */
  readonly own: readonly string[];
  /** With those of its heading and of the sentences beside it. */
  readonly around: readonly string[];
}

/**
 * The few sentences that answer the question best, in order; none where no sentence holds, with its heading and
 * neighbours, every subject of the question: a passage about Berlin answers no question about Munich.
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

/** The rarity of each stem among the sentences, as BM25 weighs it. */
function weightsOf(asked: readonly string[], sentences: readonly (readonly string[])[]): Map<string, number> {
  const holding = documentFrequencies(sentences.map((stems) => new Set(stems)));
  const all = sentences.length + FURTHER_SENTENCES;
  return new Map(asked.map((stem) => [stem, inverseDocumentFrequency(holding.get(stem) ?? 0, all)]));
}

function distinct<Item extends { readonly candidate: Candidate }>(items: readonly Item[]): Item[] {
  return [...new Map([...items].reverse().map((item) => [item.candidate.text, item])).values()].reverse();
}

export interface NamedQuote {
  readonly source: number;
  readonly start: number;
  readonly end: number;
}

/** `[1]`, and `[1, 2]` as some models write it. */
const MARKERS = /\[(\d{1,3}(?:\s?[,;]\s?\d{1,3}){0,20})\]/g;

/**
 * The sources whose numbers, such as `[1]`, are in an answer, in order, each with its sentence that is closest, by
 * BM25, to those with its number. Numbers that no source has are passed over: they may be an index in code.
 */
export function namedQuotes(answer: string, sources: readonly string[]): NamedQuote[] {
  return [...saidOfSources(answer, sources.length)]
    .sort(([one], [other]) => one - other)
    .map(([source, said]) => ({ source, ...closest(sources[source] ?? '', [...said]) }));
}

/** The stems of the answer's sentences that name a source, by its index. */
function saidOfSources(answer: string, count: number): Map<number, Set<string>> {
  const said = new Map<number, Set<string>>();
  let before: string[] | null = null;
  for (const { text } of splitSentences(answer)) {
    const bare = text.replace(MARKERS, ' ');
    // A number behind the full stop is a sentence of its own, and belongs to the one before.
    const isNumberAlone = !/[\p{L}\p{N}]/u.test(bare);
    const own: string[] = isNumberAlone ? [] : comparedStems(bare);
    const leads = numbersLeading(text);
    for (const number of numbersIn(text)) {
      const source = number - 1;
      if (source >= 0 && source < count) {
        const stems = before && (isNumberAlone || leads.has(number)) ? before : own;
        said.set(source, withAll(said.get(source) ?? new Set(), stems));
      }
    }
    before = isNumberAlone ? before : own;
  }
  return said;
}

function withAll(set: Set<string>, added: readonly string[]): Set<string> {
  for (const each of added) {
    set.add(each);
  }
  return set;
}

/** Numbers that begin a sentence belong to the one before: "At nine. [1] It closes at six." */
function numbersLeading(sentence: string): Set<number> {
  const leading = /^(?:\[[\d\s,;]{1,80}\]\s*)+/u.exec(sentence)?.[0] ?? '';
  return numbersIn(leading);
}

function numbersIn(text: string): Set<number> {
  const numbers = [...text.matchAll(MARKERS)].flatMap(([, listed = '']) => listed.split(/[,;]/));
  return new Set(numbers.map(Number));
}

function closest(source: string, said: readonly string[]): { start: number; end: number } {
  const sentences = sentencesOf([{ text: source }]);
  const scores = bm25Scores(
    sentences.map(({ text }) => comparedStems(text)),
    said,
  );
  const best = scores.reduce((found, score, index) => (score > (scores[found] ?? 0) ? index : found), 0);
  const { start, end } = sentences[best] ?? { start: 0, end: source.length };
  return { start, end };
}
