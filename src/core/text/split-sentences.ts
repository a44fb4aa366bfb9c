import { detectLanguage } from './language/detect-language';
import { isAbbreviation, isLabel, isOrdinal, STOP_CONTEXT_LENGTH } from './sentence-stops';

/** A sentence as it stands in the text: `text === source.slice(start, end)`, in UTF-16 units. */
export interface Sentence {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const SENTENCE_LENGTH_MAX = 1_000;
/** The end of a line of at least so many characters probably comes from wrapping, and does not end a sentence. */
const WRAPPED_LINE_LENGTH_MIN = 60;
const TERMINATORS = new Set('.!?…。！？');
const TERMINATORS_WITHOUT_SPACE = new Set('。！？');
const CLOSERS = new Set(`"')]}”’»」`);

/**
 * Splits a text into trimmed, verbatim sentences of at most 1,000 characters. Unlike Intl.Segmenter it looks at each
 * character a bounded number of times, so that no text can make it slow.
 */
export function splitSentences(source: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  let lineStart = 0;
  let index = 0;
  let told: string | null | undefined;
  const language = () => (told === undefined ? (told = detectLanguage(source)) : told);
  while (index < source.length) {
    let end = index + 1;
    let final = false;
    if (source[index] === '\n') {
      final = endsLine(source, lineStart, index);
      lineStart = end;
    } else if (TERMINATORS.has(source[index] ?? '')) {
      end = skip(source, end, isTerminatorOrCloser, start + SENTENCE_LENGTH_MAX);
      final = endsSentence(source, { start, index, end }, language);
    }
    if (!final && end - start >= SENTENCE_LENGTH_MAX) {
      end = lastSpace(source, start, end);
      final = true;
    }
    if (final) {
      add(sentences, source, start, end);
      start = end;
    }
    index = end;
  }
  add(sentences, source, start, source.length);
  return sentences;
}

function endsLine(source: string, lineStart: number, newline: number): boolean {
  const next = source[skip(source, newline + 1, isBlank)] ?? '\n';
  const startsItem = /[\n\-*•#>|\p{N}]/u.test(next);
  const wrapped = newline - lineStart >= WRAPPED_LINE_LENGTH_MIN || isLowerCase(next);
  return startsItem || !wrapped;
}

/**
 * Whether the terminators from `index` to `end` end a sentence: a full stop may also end an abbreviation, an initial or an
 * ordinal.
 */
function endsSentence(
  source: string,
  { start, index, end }: { start: number; index: number; end: number },
  language: () => string | null,
): boolean {
  if (TERMINATORS_WITHOUT_SPACE.has(source[index] ?? '')) {
    return true;
  }
  if (end < source.length && !/\s/u.test(source[end] ?? '')) {
    return false;
  }
  if (source[index] !== '.') {
    return true;
  }
  const before = source.slice(Math.max(start, index - STOP_CONTEXT_LENGTH), index);
  const nextStart = skip(source, end, isSpace);
  const after = source.slice(nextStart, nextStart + STOP_CONTEXT_LENGTH);
  if (after === '' || isLowerCase(after)) {
    return after === '';
  }
  if (isLabel(before)) {
    return !/^(?:[\p{N}§]|[IVXL]{2,6}(?!\p{L}))/u.test(after);
  }
  return !isAbbreviation(before, after) && !(end === index + 1 && isOrdinal(before, after, language));
}

function add(sentences: Sentence[], source: string, from: number, to: number): void {
  const text = source.slice(from, to).trim();
  if (text === '') {
    return;
  }
  const start = skip(source, from, isSpace);
  sentences.push({ text, start, end: start + text.length });
}

/** Where to cut a sentence that is too long: after its last space, or at `end` but never within a surrogate pair. */
function lastSpace(source: string, start: number, end: number): number {
  for (let index = end; index > start + 1; index -= 1) {
    if (isSpace(source[index - 1] ?? '')) {
      return index;
    }
  }
  return /[\uD800-\uDBFF]/.test(source[end - 1] ?? '') ? end - 1 : end;
}

function skip(
  source: string,
  from: number,
  accepts: (character: string) => boolean,
  limit = source.length,
): number {
  let index = from;
  while (index < limit && accepts(source[index] ?? '')) {
    index += 1;
  }
  return index;
}

const isTerminatorOrCloser = (character: string) => TERMINATORS.has(character) || CLOSERS.has(character);
const isSpace = (character: string) => /\s/u.test(character);
const isBlank = (character: string) => character === ' ' || character === '\t' || character === '\r';
const isLowerCase = (text: string) => /^\p{Ll}/u.test(text);
