import { type Sentence, splitSentences } from '../../text/split-sentences';
import { wordList } from '../../text/word-list';
import type { ClauseType } from './clause-rules';
import { type Party, ROLES } from './obligations';

interface DocumentKind {
  /** In the title, or in the sentence with which the text begins. */
  readonly title: RegExp;
  /** Words that its body has and other kinds rarely have. */
  readonly words: RegExp;
  /** The clauses that such a document usually has. */
  readonly usual: readonly ClauseType[];
}

const CONTRACT: readonly ClauseType[] = wordList(
  'term termination liability governing_law dispute_resolution',
);
const DEAL: readonly ClauseType[] = ['payment', ...CONTRACT];

const KINDS = {
  non_disclosure_agreement: {
    title: /\b(?:non-?disclosure|confidentiality) (?:agreement|contract|deed)\b|\bNDA\b/i,
    words: /\b(?:confidential information|disclosing party|receiving party)\b/gi,
    usual: wordList('confidentiality definitions term governing_law dispute_resolution entire_agreement'),
  },
  employment_contract: {
    title:
      /\b(?:employment (?:agreement|contract)|contract of employment|offer (?:letter|of employment)|letter of appointment)\b/i,
    words: /\b(?:employer|employee|salary|annual leave|working hours|probation)\b/gi,
    usual: wordList('duties payment working_time leave probation termination confidentiality governing_law'),
  },
  lease: {
    title: /\b(?:lease|tenancy|rental) ?(?:agreement|contract)?\b/i,
    words: /\b(?:landlord|tenant|lessor|lessee|premises|rent)\b/gi,
    usual: wordList(
      'payment term deposit maintenance use_of_premises subletting insurance termination governing_law',
    ),
  },
  loan_agreement: {
    title: /\b(?:loan|credit|facility) (?:agreement|contract)\b|\bpromissory note\b/i,
    words: /\b(?:lender|borrower|principal amount|interest rate|repayments?)\b/gi,
    usual: wordList('payment term termination warranty assignment notice governing_law dispute_resolution'),
  },
  license_agreement: {
    title: /\b(?:licen[cs]e|EULA|licensing) ?(?:agreement|contract)?\b/i,
    words: /\b(?:licensor|licensee|licensed (?:software|materials?|works?)|royalt(?:y|ies))\b/gi,
    usual: [...wordList('intellectual_property warranty confidentiality assignment'), ...DEAL],
  },
  purchase_agreement: {
    title:
      /\b(?:purchase|sales?|share purchase|asset purchase|supply) (?:agreement|contract)\b|\bbill of sale\b/i,
    words: /\b(?:seller|buyer|purchaser|purchase price|goods)\b/gi,
    usual: wordList('duties payment warranty liability force_majeure governing_law dispute_resolution'),
  },
  partnership_agreement: {
    title: /\b(?:partnership|joint venture|shareholders?|operating) (?:agreement|contract)\b/i,
    words: /\b(?:partners?|capital contributions?|profits and losses|joint venture)\b/gi,
    usual: ['confidentiality', 'assignment', 'non_compete', ...CONTRACT],
  },
  data_processing_agreement: {
    title: /\bdata (?:processing|protection) (?:agreement|addendum)\b|\bDPA\b/i,
    words: /\b(?:data subjects?|data controller|data processor|sub-?processors?)\b/gi,
    usual: wordList('data_protection confidentiality term liability governing_law'),
  },
  service_agreement: {
    title:
      /\b(?:(?:master |professional )?services?|consult(?:ing|ancy)|contractor|maintenance|freelance) (?:agreement|contract)\b|\bstatement of work\b/i,
    words: /\b(?:the services|service provider|contractor|consultant|deliverables)\b/gi,
    usual: [
      ...wordList(
        'duties confidentiality intellectual_property warranty data_protection force_majeure assignment notice',
      ),
      ...DEAL,
    ],
  },
  terms_of_service: {
    title: /\b(?:terms (?:of (?:service|use)|and conditions)|user agreement)\b/i,
    words: /\b(?:your account|our website|the website|you agree|using (?:the|our) service)\b/gi,
    usual: wordList(
      'amendment intellectual_property warranty liability termination governing_law dispute_resolution',
    ),
  },
  privacy_policy: {
    title: /\bprivacy (?:policy|notice|statement)\b/i,
    words: /\b(?:we collect|personal (?:data|information)|cookies|data controller)\b/gi,
    usual: ['data_protection'],
  },
  power_of_attorney: {
    title: /\bpower of attorney\b/i,
    words: /\b(?:attorney-in-fact|principal|act on my behalf)\b/gi,
    usual: [],
  },
  will: {
    title: /\blast will\b|\btestament\b/i,
    words: /\b(?:executor|bequeath|testat(?:or|rix)|my estate)\b/gi,
    usual: [],
  },
} as const satisfies Readonly<Record<string, DocumentKind>>;

/** `contract` is one of no kind that the rules know. */
export type DocumentType = keyof typeof KINDS | 'contract';

const TYPES = Object.keys(KINDS) as (keyof typeof KINDS)[];

export const DOCUMENT_TYPES: readonly DocumentType[] = [...TYPES, 'contract'];

/** In UTF-16 units. The title stands there, and the sentence that names the document. */
const TITLE_LENGTH = 400;
/** In UTF-16 units. What is read for typical words. */
const BODY_LENGTH = 60_000;
const TYPICAL_WORDS_MIN = 4;
const ANY_CONTRACT = /\b(?:agreement|contract|deed)\b/i;
const CONTRACT_WORDS =
  /\b(?:shall|hereby|herein|hereinafter|the parties|either party|this (?:agreement|contract))\b/gi;

/**
 * The type of a legal text: by its title, else by words that are typical of one type. Null where neither tells that it is a
 * legal document at all.
 */
export function documentTypeOf(text: string): DocumentType | null {
  const title = text.trimStart().slice(0, TITLE_LENGTH);
  const named = TYPES.map((type) => ({ type, at: title.search(KINDS[type].title) }))
    .filter(({ at }) => at !== -1)
    .sort((one, other) => one.at - other.at)[0];
  const body = text.slice(0, BODY_LENGTH);
  if (named && count(body, CONTRACT_WORDS) + count(body, KINDS[named.type].words) > 0) {
    return named.type;
  }
  const counted = TYPES.map((type) => ({ type, words: count(body, KINDS[type].words) })).sort(
    (one, other) => other.words - one.words,
  );
  const [first, second] = counted;
  const isContract = ANY_CONTRACT.test(title) && count(body, CONTRACT_WORDS) >= 2;
  const isTypical = first && first.words >= TYPICAL_WORDS_MIN && first.words > 2 * (second?.words ?? 0);
  if (isTypical && (isContract || count(body, CONTRACT_WORDS) >= TYPICAL_WORDS_MIN)) {
    return first.type;
  }
  return isContract ? 'contract' : null;
}

/** The clauses that documents of the type usually have. */
export function usualClauses(type: DocumentType): readonly ClauseType[] {
  return type === 'contract' ? CONTRACT : [...new Set(KINDS[type].usual)];
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Which law governs a contract, and the sentence that says so. `text === source.slice(start, end)`. */
export interface GoverningLaw {
  /** As the contract names it, such as "England and Wales" or "Swiss law". */
  readonly law: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const GOVERNS =
  /\b(?:governed by|governs this|construed (?:under|in accordance with)|interpreted (?:under|in accordance with)|subject to|applicable law is|law applicable)\b/i;
/** A name with capitals, also one such as "the State of New York" or "England and Wales". */
const NAMED = String.raw`(?:the )?((?:\p{Lu}[\p{L}.'’-]{0,30})(?:[ \n](?:(?:of|and|the)[ \n]){0,2}\p{Lu}[\p{L}.'’-]{0,30}){0,6})`;
const LAWS_OF = new RegExp(String.raw`\b[Ll]aws?(?: in force)? (?:of|in) ${NAMED}`, 'u');
const NAMED_LAW = new RegExp(
  String.raw`\b(?:by|under|with|is|to) (?:the )?(?:laws? of )?(\p{Lu}[\p{L}'’-]{2,30}(?: \p{Lu}[\p{L}'’-]{2,30}){0,3} [Ll]aws?)\b`,
  'u',
);

/** The governing law that an English contract names; null where no sentence names one. */
export function governingLawOf(source: string): GoverningLaw | null {
  for (const { text, start, end } of splitSentences(source)) {
    const law = GOVERNS.test(text) ? (LAWS_OF.exec(text)?.[1] ?? NAMED_LAW.exec(text)?.[1]) : undefined;
    if (law !== undefined) {
      return {
        law: law
          .replace(/[.’']$/u, '')
          .split(/\s+/u)
          .join(' '),
        text,
        start,
        end,
      };
    }
  }
  return null;
}

/** A term that a contract defines. `text.slice(start, end)` holds the term and its meaning, perhaps on several lines. */
export interface Definition {
  readonly term: string;
  readonly meaning: string;
  readonly start: number;
  readonly end: number;
}

const DEFINITIONS_MAX = 1_000;
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
  return inOrder.filter(({ term }) => !terms.has(term) && terms.add(term)).slice(0, DEFINITIONS_MAX);
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
