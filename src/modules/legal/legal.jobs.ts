import type { LegalClause, LegalClauseType, LegalDefinition, LegalParty } from '../../../generated/types';
import { amountsIn } from '../../text/amounts';
import { datesIn } from '../../text/dates';
import { findHeadings, type Heading as OutlineHeading, outlineOf } from '../../text/outline';
import { oneLine } from '../../text/places';
import { type Sentence, splitSentences } from '../../text/split-sentences';
import { textJobsOf } from '../../text/text-job';
import { governingLawOf, partiesIn, ROLES } from './parties';
import { textChanges } from './text-changes';

/** Specific kinds first: a heading such as "Term and Termination" takes the first that fits. */
const CLAUSE_KINDS: readonly (readonly [LegalClauseType, RegExp])[] = [
  ['confidentiality', /\b(?:confidential(?:ity)?|non-?disclosure|secrecy|confidential information)\b/i],
  ['data_protection', /\b(?:data protection|privacy|personal data|data processing|gdpr)\b/i],
  [
    'intellectual_property',
    /\b(?:intellectual property|ownership|copyrights?|licen[cs]e|work product|inventions?|ip rights)\b/i,
  ],
  ['indemnity', /\bindemni(?:ty|ties|fication)|\bhold harmless\b/i],
  ['liability', /\bliabilit(?:y|ies)\b/i],
  ['insurance', /\binsurance\b/i],
  ['warranty', /\bwarrant(?:y|ies)\b|\brepresentations\b|\bdisclaimer\b|\bdefects\b/i],
  ['non_compete', /\bnon-?compet(?:e|ition)\b|\brestrictive covenants?\b|\brestraint of trade\b/i],
  ['non_solicitation', /\bnon-?solicit(?:ation)?\b/i],
  ['force_majeure', /\bforce majeure\b|\bevents? beyond\b/i],
  ['assignment', /\bassignment\b|\btransfer of (?:rights|this)\b/i],
  ['dispute_resolution', /\b(?:disputes?|arbitration|mediation|jurisdiction|venue)\b/i],
  ['governing_law', /\b(?:governing|applicable|choice of) law\b|^law\b/i],
  ['renewal', /\b(?:renewal|extension)\b/i],
  ['probation', /\bprobation(?:ary)?\b|\btrial period\b/i],
  ['termination', /\b(?:termination|cancellation)\b/i],
  ['notice', /\bnotices?\b/i],
  ['entire_agreement', /\bentire agreement\b/i],
  ['amendment', /\b(?:amendments?|modifications?|variations?|changes?)\b/i],
  ['severability', /\bseverab(?:ility|le)\b/i],
  ['deposit', /\bdeposit\b/i],
  ['subletting', /\bsub-?(?:letting|lease|leasing)\b/i],
  ['maintenance', /\b(?:maintenance|repairs?|upkeep)\b/i],
  ['use_of_premises', /\b(?:use of (?:the )?(?:premises|property|apartment)|permitted use)\b/i],
  ['working_time', /\b(?:working (?:hours|time)|hours of work|overtime|place of work)\b/i],
  ['leave', /\b(?:leave|holidays?|vacation|absence|sickness)\b/i],
  [
    'payment',
    /\b(?:payments?|fees?|prices?|charges?|rent|salary|remuneration|compensation|consideration|invoic(?:es|ing)|pay)\b/i,
  ],
  ['term', /\b(?:term|duration|commencement|start date)\b/i],
  [
    'duties',
    /\b(?:duties|position|job title|obligations|responsibilities|services|scope|deliverables|delivery)\b/i,
  ],
  ['definitions', /\b(?:definitions?|interpretation)\b/i],
];

export const CLAUSE_TYPES: readonly LegalClauseType[] = [...CLAUSE_KINDS.map(([type]) => type), 'other'];

type Heading = Omit<OutlineHeading, 'anchor'>;

const NO_CLAUSE =
  /^(?:(?:the )?parties|between|and|recitals?|background|preamble|whereas|(?:table of )?contents|signatures?|signed|in witness whereof)\b[^a-z]{0,3}$/i;
const SIGNATURES =
  /^[ \t]{0,8}(?:IN WITNESS WHEREOF|In witness whereof|(?:SIGNED|Signed) (?:by|for|on behalf of))\b/m;
const DOCUMENT_TITLE =
  /\b(?:agreement|contract|lease|deed|policy|notice|terms|addendum|testament|attorney)$/i;
const TITLE_WITHIN = 300;

type Clause = Pick<LegalClause, 'type' | 'start' | 'end'> & { readonly heading: string };

function clausesIn(text: string): Clause[] {
  const headings = headingsOf(text);
  const topLevel = Math.min(...headings.map(({ level }) => level));
  const ends = endsOf(headings, endOfClauses(text, headings.at(-1)?.end ?? 0));
  return headings.flatMap(({ title, level, start }, index) => {
    const named = CLAUSE_KINDS.find(([, heading]) => heading.test(title))?.[0];
    if (NO_CLAUSE.test(title) || (named === undefined && level !== topLevel)) {
      return [];
    }
    const end = start + text.slice(start, ends[index] ?? text.length).trimEnd().length;
    return [{ type: named ?? 'other', heading: title, start, end }];
  });
}

function headingsOf(text: string): Heading[] {
  const marked = outlineOf(text);
  const lowest = Math.max(1, ...marked.map(({ level }) => level));
  const places = new Set(marked.map(({ start }) => start));
  const bare = findHeadings(text)
    .filter(
      ({ title, start }) => !places.has(start) && CLAUSE_KINDS.some(([, heading]) => heading.test(title)),
    )
    .map((heading) => ({ ...heading, level: lowest }));
  const all: Heading[] = [...marked, ...bare].sort((one, other) => one.start - other.start);
  return all.filter(
    ({ title, start }, index) => index > 0 || start > TITLE_WITHIN || !DOCUMENT_TITLE.test(title),
  );
}

function endOfClauses(text: string, lastHeadingEnd: number): number {
  const at = text.slice(lastHeadingEnd).search(SIGNATURES);
  return at === -1 ? text.length : lastHeadingEnd + at;
}

function endsOf(headings: readonly Heading[], textEnd: number): number[] {
  const ends = headings.map(() => textEnd);
  const open: number[] = [];
  for (const [index, { level, start }] of headings.entries()) {
    while (open.length > 0 && (headings[open.at(-1) ?? 0]?.level ?? 0) >= level) {
      ends[open.pop() ?? 0] = start;
    }
    open.push(index);
  }
  return ends;
}

const MEANING_LENGTH_MAX = 600;
/** “Term” means …; also **Term** and "Term". */
const MEANS =
  /(?:[“"„]([^“”"„\n]{1,80})[”"“]|\*\*([^*\n]{1,80})\*\*)\s{0,3}(?:shall mean|(?:shall have|has|have)(?=\s{1,3}the meaning (?:set|given|ascribed|assigned|attributed|defined|stated|specified|provided)\b)|(?:shall have|has|have) the meaning|means?|refers? to)\s{1,3}/g;
/** (the “Term”): it names the words before it. */
const BRACKETED =
  /\(\s{0,2}(?:(?:hereinafter|hereafter|referred to as|collectively|together|each|a|an|the|as|or)[\s,]{1,3}){0,5}[“"„](?:the )?([^“”"„()\n]{1,60})[”"“]\s{0,2}\)/gi;
/** In UTF-16 units: how far before a bracket its meaning may begin. */
const BRACKETED_LENGTH_MAX = 300;
const MARK = /[;:()]\s{1,4}/g;
/** "disclosed by a Party (the “Discloser”)": a role is the person after the last preposition. */
const SOMEBODY_BEFORE =
  /\b(?:by|to|from|with)\s(?=(?:an?|the|any|each|either|one|such)\s[^\s,;:()]{1,30}(?:\s[^\s,;:()]{1,30}){0,3}\s{0,3}$)/iu;
/** "a lease dated 1 May 2020 (the “Lease”)": the date belongs to what is named. */
const DATED_BEFORE =
  /\b(?:an?|the|this|that)\s(?:(?!(?:an?|the|this|that|between)\s)[^\s,;:()]{1,30}\s){1,8}dated(?: as of)?\s(?=[^\s;:()]{1,12}(?:\s[^\s;:()]{1,12}){0,3}\s{0,3}$)/iu;
const VALUE_BEFORE =
  /(?:\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{1,2}(?:st|nd|rd|th)?(?: of)? \p{L}{3,12},? \d{4}|\p{Lu}\p{L}{2,11} \d{1,2}, \d{4}|\d{4}-\d\d-\d\d|(?:\p{Lu}{3}|[$€£]) ?\d[\d.,]{0,20})\s{0,3}$/u;

function definitionsIn(
  source: string,
  sentences: readonly Sentence[],
  parties: readonly LegalParty[],
): LegalDefinition[] {
  const found = sentences.flatMap(({ text, start, end }) => [
    ...meaningsIn(source, text, start, end),
    ...bracketsIn(source, text, start, parties),
  ]);
  const inOrder = found.sort((one, other) => one.start - other.start);
  const terms = new Set<string>();
  return inOrder.filter(({ term }) => !terms.has(term) && terms.add(term));
}

function meaningsIn(source: string, text: string, start: number, end: number): LegalDefinition[] {
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

function bracketsIn(
  source: string,
  text: string,
  start: number,
  parties: readonly LegalParty[],
): LegalDefinition[] {
  return [...text.matchAll(BRACKETED)].flatMap(({ 0: words, 1: term = '', index }) => {
    const end = start + index + words.length;
    const party = parties.find((each) => each.aliases.includes(term.trim()));
    const from = party && party.start < end ? party.start : start + meaningStart(text.slice(0, index), term);
    const until = party ? party.end : start + index;
    const meaning = oneLine(source.slice(from, until).trim());
    return meaning === '' ? [] : [{ term: term.trim(), meaning, start: from, end }];
  });
}

/** The date, amount or party before the bracket, or else what follows the last strong mark. */
function meaningStart(before: string, term: string): number {
  const from = Math.max(0, before.length - BRACKETED_LENGTH_MAX);
  const read = before.slice(from);
  const dated = /\b(?:date|day)$/i.test(term.trim()) ? null : DATED_BEFORE.exec(read);
  const value = dated ?? VALUE_BEFORE.exec(read);
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

const LISTED_MAX = 1_000;

function valuesIn(text: string) {
  return { parties: partiesIn(text), dates: datesIn(text), amounts: amountsIn(text) };
}

function listed<Lists extends Readonly<Record<string, readonly unknown[]>>>(
  lists: Lists,
): Lists & { truncated: boolean } {
  const all = Object.entries(lists);
  const first = Object.fromEntries(all.map(([name, list]) => [name, list.slice(0, LISTED_MAX)]));
  return { ...(first as unknown as Lists), truncated: all.some(([, list]) => list.length > LISTED_MAX) };
}

/** Rules judge no risk and no missing clause: only a model does. */
export function legalAnalysis(text: string) {
  return { ...listed({ ...valuesIn(text), clauses: clausesIn(text) }), governingLaw: governingLawOf(text) };
}

export function legalFacts(text: string) {
  const values = valuesIn(text);
  return listed({ ...values, definitions: definitionsIn(text, splitSentences(text), values.parties) });
}

export const legalJobs = textJobsOf(__filename, {
  analyzeLegalText: legalAnalysis,
  compareTexts: ({ before, after }: { before: string; after: string }) => textChanges(before, after),
  findLegalFacts: legalFacts,
});
