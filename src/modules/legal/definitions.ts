import type { Sentence } from '../../text/split-sentences';
import { type Party, ROLES } from './parties';

/** A term that a contract defines. `text.slice(start, end)` holds the term and its meaning, perhaps on several lines. */
export interface Definition {
  readonly term: string;
  readonly meaning: string;
  readonly start: number;
  readonly end: number;
}

const MEANING_LENGTH_MAX = 600;
/** “Term” means …; also **Term** and "Term". */
const MEANS =
  /(?:[“"„]([^“”"„\n]{1,80})[”"“]|\*\*([^*\n]{1,80})\*\*)\s{0,3}(?:shall mean|shall have the meaning|means?|has the meaning|refers? to)\s{1,3}/g;
/** (the “Term”): what stands before it is what it means. */
const BRACKETED =
  /\(\s{0,2}(?:(?:hereinafter|hereafter|referred to as|collectively|together|each|a|an|the|as|or)[\s,]{1,3}){0,5}[“"„](?:the )?([^“”"„()\n]{1,60})[”"“]\s{0,2}\)/gi;
/** In UTF-16 units. So much before a bracket may be what it names. */
const BRACKETED_LENGTH_MAX = 300;
const MARK = /[;:()]\s{1,4}/g;
/** "disclosed by a Party (the “Discloser”)": a role is somebody, who stands behind the last preposition. */
const SOMEBODY_BEFORE =
  /\b(?:by|to|from|with)\s(?=(?:an?|the|any|each|either|one|such)\s[^\s,;:()]{1,30}(?:\s[^\s,;:()]{1,30}){0,3}\s{0,3}$)/iu;
const VALUE_BEFORE =
  /(?:\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{1,2}(?:st|nd|rd|th)?(?: of)? \p{L}{3,12},? \d{4}|\p{Lu}\p{L}{2,11} \d{1,2}, \d{4}|\d{4}-\d\d-\d\d|(?:\p{Lu}{3}|[$€£]) ?\d[\d.,]{0,20})\s{0,3}$/u;

/** The terms that the sentences of an English contract define, in order. Short names of parties are among them. */
export function definitionsIn(
  source: string,
  sentences: readonly Sentence[],
  parties: readonly Party[],
): Definition[] {
  const found = sentences.flatMap(({ text, start, end }) => [
    ...meaningsIn(source, text, start, end),
    ...bracketsIn(source, text, start, parties),
  ]);
  const inOrder = found.sort((one, other) => one.start - other.start);
  const terms = new Set<string>();
  return inOrder.filter(({ term }) => !terms.has(term) && terms.add(term));
}

function meaningsIn(source: string, text: string, start: number, end: number): Definition[] {
  const matches = [...text.matchAll(MEANS)];
  return matches.map(({ 0: words, 1: quoted, 2: bold, index }, at) => {
    const from = start + index;
    const to = start + (matches[at + 1]?.index ?? end - start);
    const meaning = source
      .slice(from + words.length, Math.min(to, from + words.length + MEANING_LENGTH_MAX))
      .replace(/(?<![\s.;,])[\s.;,]+(?:and\s*)?$/u, '');
    return {
      term: (quoted ?? bold ?? '').trim(),
      meaning: oneLine(meaning),
      start: from,
      end: from + words.length + meaning.length,
    };
  });
}

function bracketsIn(source: string, text: string, start: number, parties: readonly Party[]): Definition[] {
  return [...text.matchAll(BRACKETED)].flatMap(({ 0: words, 1: term = '', index }) => {
    const end = start + index + words.length;
    const party = parties.find((each) => each.aliases.includes(term.trim()));
    const from = party && party.start < end ? party.start : start + meaningStart(text.slice(0, index), term);
    const until = party ? party.end : start + index;
    const meaning = oneLine(source.slice(from, until).trim());
    return meaning === '' ? [] : [{ term: term.trim(), meaning, start: from, end }];
  });
}

/** Where the words begin that a bracket names: the date, the amount or the party before it, or what stands after the last strong mark. */
function meaningStart(before: string, term: string): number {
  const from = Math.max(0, before.length - BRACKETED_LENGTH_MAX);
  const read = before.slice(from);
  const value = VALUE_BEFORE.exec(read);
  if (value) {
    return from + value.index;
  }
  const somebody = ROLES.includes(term.trim().toLowerCase()) ? SOMEBODY_BEFORE.exec(read) : null;
  if (somebody) {
    return from + somebody.index + somebody[0].length;
  }
  const mark = Math.max(
    ...[...read.trimEnd().matchAll(MARK)].map(({ index, 0: { length } }) => index + length),
    0,
  );
  return from + mark;
}

function oneLine(words: string): string {
  return words.split(/\s+/u).join(' ');
}
