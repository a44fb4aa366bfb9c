import { mayBeEnglish } from './detect-language';
import { FINDINGS_MAX } from './places';
import { splitSentences, type Sentence } from './split-sentences';
import { CLICHES, NOT_ADVERBS, passivesIn, REPLACEMENTS, WEASEL_WORDS } from './style-words';
import { writtenWords } from './written-words';

export type StyleIssueType =
  | 'long_sentence'
  | 'passive_voice'
  | 'wordy_phrase'
  | 'repeated_word'
  | 'weasel_word'
  | 'adverb'
  | 'cliche'
  | 'duplicate_sentence'
  | 'spacing';

export interface StyleIssue {
  readonly type: StyleIssueType;
  readonly start: number;
  readonly end: number;
  /** `before === text.slice(start, end)`. */
  readonly before: string;
  /** A replacement that keeps the meaning; empty to remove it, null where a writer has to decide. */
  readonly after: string | null;
  readonly reason: string;
}

const SENTENCE_WORDS_MAX = 30;
const DUPLICATE_WORDS_MIN = 4;
const ADVERB = /(?<![\p{L}\p{N}'’])\p{L}{3,18}ly(?![\p{L}\p{N}'’-])/giu;
/** Indented lines and aligned columns have wide gaps on purpose. */
const WIDE_GAP = /(?<=[^\s|]) {2}(?=[^\s|])/gu;
const SPACE_BEFORE_MARK = /(?<=[\p{L}\p{N})\]]) (?=[,;.!?](?:\s|$))/gu;
/** What people repeat on purpose. */
const MAY_REPEAT = new Set('that had very no bye ha so really is'.split(' '));

/** In order. The lists of words and the passive voice are English; all other rules hold for every language. */
export function styleIssues(text: string): StyleIssue[] {
  const sentences = splitSentences(text);
  const issues = [
    ...longSentences(sentences),
    ...duplicateSentences(sentences),
    ...repeatedWords(text),
    ...spacing(text),
    ...(mayBeEnglish(text) ? englishIssues(text) : []),
  ];
  return issues.sort((one, other) => one.start - other.start || one.end - other.end).slice(0, FINDINGS_MAX);
}

function englishIssues(text: string): StyleIssue[] {
  const wordy = wordyPhrases(text);
  const weasel = WEASEL_WORDS.matches(text).map(({ start, end, before }) => ({
    ...{ type: 'weasel_word' as const, start, end, before, after: null },
    reason: 'The word is vague: say how many, how much or who.',
  }));
  const cliches = CLICHES.matches(text).map(({ start, end, before }) => ({
    ...{ type: 'cliche' as const, start, end, before, after: null },
    reason: 'The phrase is worn: say it in plain words.',
  }));
  const passives = passivesIn(text).map((place) => ({
    ...{ type: 'passive_voice' as const, ...place, after: null },
    reason: 'The passive voice hides who acts.',
  }));
  const taken = new Set([...wordy, ...weasel, ...cliches].map(({ start }) => start));
  return [
    ...wordy,
    ...weasel,
    ...cliches,
    ...passives,
    ...adverbs(text).filter(({ start }) => !taken.has(start)),
  ];
}

function wordyPhrases(text: string): StyleIssue[] {
  return REPLACEMENTS.matches(text).flatMap(({ start, end, before, entry }) => {
    if (entry === '') {
      const place = leftOut(text, start, end);
      const reason = `"${before}" can be left out.`;
      return place ? [{ type: 'wordy_phrase' as const, ...place, reason }] : [];
    }
    const reason = `"${entry}" says the same in fewer words.`;
    return [{ type: 'wordy_phrase' as const, start, end, before, after: casedLike(before, entry), reason }];
  });
}

/** Removes a phrase with its commas, or with its comma and the next word's capital. Null for the whole text. */
function leftOut(
  text: string,
  start: number,
  end: number,
): Pick<StyleIssue, 'start' | 'end' | 'before' | 'after'> | null {
  const isAfterComma = text.slice(start - 2, start) === ', ';
  const isBeforeComma = text[end] === ',';
  if (isAfterComma && (isBeforeComma || /[.!?]/u.test(text[end] ?? ''))) {
    const [from, to] = [start - 2, isBeforeComma ? end + 1 : end];
    return { start: from, end: to, before: text.slice(from, to), after: '' };
  }
  const next = /^,?\s{1,4}([\p{L}\p{N}'’-]{1,60})/u.exec(text.slice(end, end + 70));
  if (!next) {
    return null;
  }
  const [from, to] = [start, end + next[0].length];
  const before = text.slice(from, to);
  return { start: from, end: to, before, after: casedLike(before, next[1] ?? '') };
}

function adverbs(text: string): StyleIssue[] {
  return [...text.matchAll(ADVERB)]
    .filter(([word]) => !NOT_ADVERBS.has(word.toLowerCase()))
    .map(({ 0: before, index }) => ({
      ...{ type: 'adverb' as const, start: index, end: index + before.length, before, after: null },
      reason: 'A stronger verb may need no adverb.',
    }));
}

function longSentences(sentences: readonly Sentence[]): StyleIssue[] {
  return sentences.flatMap(({ text, start, end }) => {
    const count = [...writtenWords(text)].length;
    const reason = `The sentence has ${count} words; more than ${SENTENCE_WORDS_MAX} are hard to follow.`;
    return count > SENTENCE_WORDS_MAX
      ? [{ type: 'long_sentence' as const, start, end, before: text, after: null, reason }]
      : [];
  });
}

function duplicateSentences(sentences: readonly Sentence[]): StyleIssue[] {
  const seen = new Set<string>();
  return sentences.flatMap(({ text, start, end }) => {
    const words = [...writtenWords(text.toLowerCase())].map((word) => word.text);
    const key = words.join(' ');
    const isDuplicate = words.length >= DUPLICATE_WORDS_MIN && seen.has(key);
    seen.add(key);
    const reason = 'The sentence stands in the text before.';
    return isDuplicate
      ? [{ type: 'duplicate_sentence' as const, start, end, before: text, after: '', reason }]
      : [];
  });
}

function repeatedWords(text: string): StyleIssue[] {
  const issues: StyleIssue[] = [];
  let last = { lower: '', text: '', start: 0, end: 0 };
  for (const { text: word, start, end } of writtenWords(text)) {
    const lower = word.toLowerCase();
    const isRepeated =
      lower === last.lower &&
      /^\p{L}{2,}$/u.test(lower) &&
      !MAY_REPEAT.has(lower) &&
      /^\s{1,4}$/u.test(text.slice(last.end, start));
    // A name such as "Walla Walla" has both in capitals.
    if (isRepeated && !/^\p{Lu}/u.test(word)) {
      const before = text.slice(last.start, end);
      const reason = `The word "${last.text}" stands twice.`;
      issues.push({ type: 'repeated_word', start: last.start, end, before, after: last.text, reason });
    }
    last = { lower: isRepeated ? '' : lower, text: word, start, end };
  }
  return issues;
}

function spacing(text: string): StyleIssue[] {
  const wide = [...text.matchAll(WIDE_GAP)].map(({ 0: before, index }) => ({
    ...{ type: 'spacing' as const, start: index, end: index + 2, before, after: ' ' },
    reason: 'One space is enough.',
  }));
  const early = [...text.matchAll(SPACE_BEFORE_MARK)].map(({ 0: before, index }) => ({
    ...{ type: 'spacing' as const, start: index, end: index + 1, before, after: '' },
    reason: 'No space stands before this mark.',
  }));
  return [...wide, ...early];
}

function casedLike(before: string, after: string): string {
  return /^\p{Lu}/u.test(before) ? after.charAt(0).toUpperCase() + after.slice(1) : after;
}
