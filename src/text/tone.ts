import { mayBeEnglish } from './detect-language';
import { namesIn } from './names';
import { withoutOverlaps } from './places';
import { type WrittenWord, writtenWords } from './written-words';

const POSITIVE = `admirable advantage affordable amazing amused appreciate appreciated attractive award awesome beautiful beneficial benefit
  benefits best better bright brilliant calm celebrate charming cheerful comfortable compelling confident convenient
  courteous creative delight delighted delightful dependable easy effective efficient elegant enjoy enjoyable enjoyed
  enthusiastic excellent excited exciting exceptional famous fantastic fast favorite favourite flawless fresh friendly fun
  gain generous genuine glad good gorgeous graceful grateful great growth happy healthy helpful honest honor honour ideal impressed
  impressive improve improved improvement improvements improves incredible innovative inspiring intuitive joy lovely love loved
  loves lucky magnificent marvelous nice outstanding painless perfect perfectly pleasant pleased pleasing pleasure polite popular
  positive praise praised prosper proud quick recommend recommended refreshing reliable remarkable responsive rewarding
  robust safe satisfied satisfying seamless secure smart smooth solid splendid stable strong stunning succeed success
  successful superb superior supportive sweet terrific thank thankful thanks thrilled thrive tremendous trust trusted
  useful valuable vibrant warm welcome well win winner wonderful worth worthwhile wow`;
const NEGATIVE = `abuse afraid aggressive alarming angry annoyed annoying anxious appalling ashamed awful awkward bad badly bankrupt blame boring
  broke broken bug bugs buggy burden careless cheated clumsy complain complained complaint complaints complicated confused confusing
  costly crash crashed crashes crisis critical cruel damage damaged danger dangerous dead decline declined defect defective defects
  delay delayed delays deny difficult dirty disappoint disappointed disappointing disappointment disaster disgusting dishonest
  dislike dreadful dull error errors evil expensive fail failed failing fails failure failures fake fault faulty fear flaw flawed
  flaws foolish fraud frustrated frustrating frustration garbage guilty harm harmful harsh hate hated hates hateful horrible
  hostile hurt ignored illegal impossible inadequate incompetent inconvenient incorrect inferior insecure insult irritating
  lack lacking lawsuit lazy lie lied lose losing loss losses lost mad malicious mediocre mess messy miserable mislead misleading
  missed mistake mistakes nasty negative neglect neglected noisy nuisance obsolete offensive outage outages overpriced pain painful
  panic pathetic poor poorly problem problems refuse refused regret reject rejected ridiculous risk rude ruin ruined sad scam
  scared severe shame shocking sick slow sluggish stolen stress stressful struggle stuck stupid suffer suffered suspicious terrible
  threat tragic trouble ugly unacceptable uncomfortable unfair unfortunate unfortunately unhappy unhelpful unpleasant unreliable
  unsafe unstable unusable upset useless vague violent waste wasted weak worried worry worse worst worthless wrong`;
const INFORMAL = `ain't awesome btw cool cos cuz dude dunno folks gonna gotta guess guy guys haha hey hi hmm imo kid kids kinda lol
  lots mess nah nope okay ok omg oops pls plz pretty stuff super sorta thanks thx totally u ur wanna whatever wow ya yay yeah yep yup
  y'all bro crap damn heck huh sucks tons`;
const FORMAL = `accordingly acknowledge aforementioned aforesaid albeit ascertain commence commencing consequently constitute constitutes
  deem deemed demonstrate endeavor endeavour ensuing foregoing forthwith furthermore henceforth hereby herein hereinafter hereof
  hereto hereunder herewith inasmuch insofar jurisdiction moreover nevertheless nonetheless notwithstanding obligations oblige
  obliged permitted pursuant regarding respectively shall stipulate stipulated sincerely subsequent subsequently thereafter thereby
  therefore therefrom therein thereof thereto thereunder thus undersigned undertake upon whereas whereby wherein whereof whilst
  esteemed kindly respectfully provided`;

const valued = (list: string, value: number) => list.split(/\s+/u).map((word) => [word, value] as const);

/** 1 for praise, -1 for blame. */
const SENTIMENT_WORDS: ReadonlyMap<string, number> = new Map([
  ...valued(POSITIVE, 1),
  ...valued(NEGATIVE, -1),
]);
const NEGATIONS: ReadonlySet<string> = new Set(
  'not no never neither nor without hardly barely cannot nothing nobody'.split(' '),
);
const STRENGTHENERS: ReadonlySet<string> = new Set(
  'very extremely really so absolutely incredibly highly deeply'.split(' '),
);
const INFORMAL_WORDS: ReadonlySet<string> = new Set(INFORMAL.split(/\s+/u));
const FORMAL_WORDS: ReadonlySet<string> = new Set(FORMAL.split(/\s+/u));

const CAPITALISED = /^\p{Lu}\p{Ll}/u;
const SENTENCE_BEGINS = /[.!?:;\n"“„«(–—]/u;
/** A sentence with more capitals is a title, in which a capital means nothing. */
const CAPITALISED_SHARE_MAX = 0.5;

/** The starts of the words that are part of a name: one that is found, or a capital within a sentence. Linear time. */
function wordsOfNames(text: string, words: readonly WrittenWord[]): Set<number> {
  const starts = new Set(sentencesOf(text, words).flatMap(capitalisedWithin));
  const names = withoutOverlaps(namesIn(text));
  let name = 0;
  for (const { start } of words) {
    while ((names[name]?.end ?? Infinity) <= start) {
      name += 1;
    }
    if ((names[name]?.start ?? Infinity) <= start) {
      starts.add(start);
    }
  }
  return starts;
}

function sentencesOf(text: string, words: readonly WrittenWord[]): WrittenWord[][] {
  const sentences: WrittenWord[][] = [];
  let end = 0;
  for (const word of words) {
    const last = sentences.at(-1);
    if (last && !SENTENCE_BEGINS.test(text.slice(end, word.start))) {
      last.push(word);
    } else {
      sentences.push([word]);
    }
    end = word.end;
  }
  return sentences;
}

function capitalisedWithin([, ...inner]: readonly WrittenWord[]): number[] {
  const capitalised = inner.filter(({ text }) => CAPITALISED.test(text));
  const isTitle = capitalised.length > CAPITALISED_SHARE_MAX * inner.length;
  return isTitle ? [] : capitalised.map(({ start }) => start);
}

export interface Tone {
  readonly formality: 'informal' | 'neutral' | 'formal';
  readonly sentiment: 'negative' | 'neutral' | 'positive';
  readonly sentimentScore: number;
  /** As sentences for people. */
  readonly signals: string[];
}

const SENTIMENT_MIN = 0.15;
/** How many words before a word of sentiment may negate it. */
const NEGATION_REACH = 3;
/** Keeps two words of sentiment in a long text from counting as much as twenty. */
const SMOOTHING = 2;
const FORMALITY_MIN = 2;
const EXAMPLES_MAX = 5;
const CONTRACTION = /^\p{L}{1,12}['’](?:s|t|re|ve|ll|d|m)$/u;
const POSSESSIVE = /['’]s$/u;

/**
 * The tone of an English text by lists of words: its formality and its sentiment. A negation turns the next words
 * around; irony is not seen. A text in another language is neutral, and a signal says so.
 */
export function toneOf(text: string): Tone {
  if (!mayBeEnglish(text)) {
    const signals = ['The text is not English, and tone is measured in English only.'];
    return { formality: 'neutral', sentiment: 'neutral', sentimentScore: 0, signals };
  }
  const words = wordsOf(text);
  const sentiment = sentimentOf(words);
  const formality = formalityOf(
    words.map(({ word }) => word),
    text,
  );
  return {
    formality: formality.formality,
    sentiment:
      sentiment.score >= SENTIMENT_MIN
        ? 'positive'
        : sentiment.score <= -SENTIMENT_MIN
          ? 'negative'
          : 'neutral',
    sentimentScore: sentiment.score,
    signals: [...formality.signals, ...sentiment.signals],
  };
}

interface ReadWord {
  readonly word: string;
  /** "Harbour Trust" says nothing about whom it names. */
  readonly isName: boolean;
}

/** An empty word ends each clause, across which nothing is negated. */
function wordsOf(text: string): ReadWord[] {
  const words = [...writtenWords(text)];
  const names = wordsOfNames(text, words);
  let end = 0;
  return words.flatMap((written) => {
    const gap = text.slice(end, written.start);
    end = written.end;
    const word = written.text.toLowerCase().replaceAll('’', "'");
    const read = { word, isName: names.has(written.start) };
    return /[.,;:!?\n]/u.test(gap) ? [{ word: '', isName: false }, read] : [read];
  });
}

function sentimentOf(read: readonly ReadWord[]): { score: number; signals: string[] } {
  const [positive, negative] = [new Map<string, number>(), new Map<string, number>()];
  const words = read.map(({ word }) => word);
  for (const [index, { word, isName }] of read.entries()) {
    const value = isName ? undefined : SENTIMENT_WORDS.get(word);
    if (value === undefined) {
      continue;
    }
    const reach = words.slice(Math.max(0, index - NEGATION_REACH), index);
    const before = reach.slice(reach.lastIndexOf('') + 1);
    const isTurned = before.some((each) => NEGATIONS.has(each) || each.endsWith("n't"));
    const strength = STRENGTHENERS.has(words[index - 1] ?? '') ? 1.5 : 1;
    const signed = (isTurned ? -0.75 : 1) * value * strength;
    const side = signed > 0 ? positive : negative;
    const shown = isTurned ? `not ${word}` : word;
    side.set(shown, (side.get(shown) ?? 0) + Math.abs(signed));
  }
  const [good, bad] = [sumOf(positive), sumOf(negative)];
  const score = good + bad === 0 ? 0 : (good - bad) / (good + bad + SMOOTHING);
  const signals = [
    ...(positive.size > 0 ? [`Positive words: ${examples(positive)}.`] : []),
    ...(negative.size > 0 ? [`Negative words: ${examples(negative)}.`] : []),
  ];
  return { score: Math.round(score * 100) / 100, signals };
}

function formalityOf(
  words: readonly string[],
  text: string,
): { formality: Tone['formality']; signals: string[] } {
  const count = (matches: (word: string) => boolean) => words.filter(matches).length;
  const contractions = count(
    (word) =>
      CONTRACTION.test(word) &&
      (!POSSESSIVE.test(word) || /^(?:it|that|what|who|he|she|there|here|let)'s$/.test(word)),
  );
  const informal = count((word) => INFORMAL_WORDS.has(word));
  const formal = count((word) => FORMAL_WORDS.has(word));
  const exclamations = text.match(/!/g)?.length ?? 0;
  const emoji = text.match(/\p{Extended_Pictographic}/gu)?.length ?? 0;
  const marks: readonly (readonly [number, string])[] = [
    [contractions, 'Contractions'],
    [informal, 'Informal words'],
    [exclamations, 'Exclamation marks'],
    [emoji, 'Emoji'],
    [formal, 'Formal words'],
  ];
  const signals = marks.filter(([number]) => number > 0).map(([number, name]) => `${name}: ${number}.`);
  // Per hundred words, but a short text counts as a hundred, so that one contraction decides nothing.
  const hundreds = Math.max(1, words.filter((word) => word !== '').length / 100);
  const balance = (2 * formal - contractions - 2 * informal - exclamations - 2 * emoji) / hundreds;
  const formality = balance >= FORMALITY_MIN ? 'formal' : balance <= -FORMALITY_MIN ? 'informal' : 'neutral';
  return { formality, signals };
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, each) => sum + each, 0);
}

function examples(counts: ReadonlyMap<string, number>): string {
  const words = [...counts].sort((one, other) => other[1] - one[1]).map(([word]) => word);
  return words.slice(0, EXAMPLES_MAX).join(', ');
}
