import { datesIn, MONTH_NAMES } from '../../text/dates';
import type { Sentence } from '../../text/split-sentences';

/** What parties are called in contracts, in lower case. A word of several is before one that it ends with. */
export const ROLES: readonly string[] = (
  'service provider, disclosing party, receiving party, supplier, customer, client, contractor, ' +
  'consultant, vendor, provider, landlord, tenant, lessor, lessee, employer, employee, seller, ' +
  'buyer, purchaser, licensor, licensee, lender, borrower, guarantor, principal, agent, ' +
  'distributor, franchisor, franchisee, partner, shareholder, investor, company, discloser, ' +
  'recipient, controller, processor, assignor, assignee, manufacturer, subcontractor, publisher, ' +
  'author, owner, user'
).split(', ');

/** The forms of companies, with which a name ends. */
const COMPANY_FORM = String.raw`(?:Ltd|Limited|Inc|Incorporated|Corp|Corporation|LLC|LLP|LP|PLC|plc|GmbH|AG|KG|UG|SE|SA|S\.A|SAS|SARL|S\.r\.l|SpA|S\.p\.A|BV|B\.V|NV|N\.V|Oy|AB|ApS|AS|Pty|Co|Company|Foundation|University|Bank)`;

const PLAIN_PARTY =
  '(?:each|either|neither|no|any|both|such|(?:the )?(?:other|first|receiving|disclosing|defaulting|breaching|terminating|indemnifying|affected))(?: of the)? part(?:y|ies)|the part(?:y|ies)';

/** Matches what may be meant by a party of a contract: its names and roles, also of several, and words such as "each party". */
function partyPattern(names: readonly string[]): string {
  const longestFirst = [...new Set([...names, ...ROLES])].sort((one, other) => other.length - one.length);
  const own = longestFirst.map((name) => (ROLES.includes(name) ? `${escaped(name)}s?` : escaped(name)));
  return `(?:${PLAIN_PARTY}|(?:the )?(?:${own.join('|')}))`;
}

function escaped(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`);
}

/** A party of a contract. `text.slice(start, end)` is its name, perhaps on two lines, in UTF-16 units. */
export interface Party {
  readonly name: string;
  /** What the contract calls it by its part in it, such as Supplier; null where it names none. */
  readonly role: string | null;
  /** All short names that the contract gives it, the role among them. */
  readonly aliases: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** In UTF-16 units. Contracts name their parties at the beginning. */
const HEAD_LENGTH = 8_000;
const PREAMBLE_LENGTH_MAX = 3_000;
const NAME_LENGTH_MAX = 120;
const PARTIES_MAX = 20;
const BETWEEN =
  /\b(?:between|among)\b[ \t]{0,3}:?|^[ \t]{0,8}(?:\d{1,2}[.)] ?)?(?:the )?parties:?[ \t]{0,8}$/im;
/** Where the naming of the parties ends. */
const ENDS = [
  /\n\s{0,20}(?:WHEREAS|RECITALS|BACKGROUND|PREAMBLE|NOW,? THEREFORE|Recitals|Background|Whereas|Preamble|#{1,6} |(?:§|Article|Section|ARTICLE|SECTION) ?(?:1|I)\b|1[.)]? [A-Z])/,
  /\b(?:WHEREAS|have agreed|hereby agree|it is agreed|the parties agree|is made as follows)\b/,
];
const SENTENCE_END = /[.;](?=\s{1,4}["“(]?[A-Z]|\s{0,4}\n\s{0,4}\n)/g;
const ABBREVIATION = new RegExp(String.raw`(?:\b${COMPANY_FORM}|\b(?:Mr|Mrs|Ms|Dr|Prof|No|St|Str)|\b[A-Z])$`);
/** A short name: in brackets, or after "hereinafter". */
const ALIAS =
  /\([^()]{0,80}[“”"„][^“”"„()]{1,60}[“”"][^()]{0,80}\)|,?\s{1,4}(?:hereinafter|hereafter|herein)\b[^“"„()]{0,40}[“"„][^“”"]{1,60}[”"“]/g;
const QUOTED = /[“"„]\s{0,2}(?:the )?([^“”"„()]{1,60}?)\s{0,2}[”"“]/giu;
/** What may part two names: right after the first, or after a comma that ends what is said about it. */
const AND = String.raw`(?:and|&)\s{1,8}(?=(?:\(?\d{1,2}[.)]\s|\([a-z]\)\s)?(?:the )?[\p{Lu}\d])`;
const DIRECT_AND = new RegExp(String.raw`^\s{1,4}${AND}`, 'u');
const ANY_AND = new RegExp(String.raw`^\s{1,4}${AND}|[,;]\s{1,4}${AND}`, 'u');
const ALL_TOGETHER = /\b(?:together|collectively|jointly|each a|each an|either|both)\b/i;
const NO_PARTY = /^(?:part(?:y|ies)|agreement|contract|lease|effective date|deed|nda|purpose)$/i;
const BEFORE_NAME =
  /^(?:\s|[,;:]|and\b|or\b|by\b|&|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]|[-*•–])*(?:(?:on the )?one (?:side|hand|part),?\s+)?(?:the\s+)?/iu;
const NAME_END =
  /,(?!\s{0,3}(?:Inc|LLC|Ltd|L\.L\.C|LLP|Corp|S\.A|GmbH)\b)|;|:|\n\s*\n|\(|\s(?:whose|with|having|residing|resident|born|acting|represented|located|registered|incorporated|organi[sz]ed|hereinafter|hereafter|a company|a corporation|an individual|of (?=\d|the (?:city|county|state))|at (?=\d)|on behalf|for the|dated|concerning|regarding|about|on (?=\d|the))\b|\s[–—-]\s|\.(?=\s|$)/g;
const COMPANY_AT_END = new RegExp(String.raw`\b${COMPANY_FORM}\.?$`);
const COMPANY_BEFORE_AND = new RegExp(String.raw`^.{1,100}?\b${COMPANY_FORM}\b\.?(?= and | & |\s*$)`, 's');
const LABELLED = new RegExp(
  String.raw`^[ \t]{0,8}(?:\*\*)?(?:the )?(${ROLES.join('|')})(?:s|\(s\))?(?:\*\*)?[ \t]{0,4}:[ \t]{0,4}(?:\*\*)?[ \t]{0,4}(\S[^\n]{0,200})$`,
  'gim',
);

/**
 * The parties that an English contract names at its beginning: after "between", below the heading "Parties", or in lines
 * such as "Landlord: Maria Keller".
 */
export function partiesIn(text: string): Party[] {
  const head = text.slice(0, HEAD_LENGTH);
  const preamble = preambleOf(head);
  const named = preamble === null ? [] : partiesOf(head, preamble.start, preamble.end);
  const parties = named.length >= 2 ? named : [...named, ...labelledParties(head)];
  const names = new Set<string>();
  return parties.filter(({ name }) => !names.has(name) && names.add(name)).slice(0, PARTIES_MAX);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function preambleOf(head: string): Range | null {
  const between = BETWEEN.exec(head);
  if (!between) {
    return null;
  }
  const start = between.index + between[0].length;
  const rest = head.slice(start, start + PREAMBLE_LENGTH_MAX);
  const stops = ENDS.map((pattern) => rest.search(pattern)).filter((at) => at !== -1);
  const end = Math.min(rest.length, ...stops);
  return { start, end: start + Math.min(end, sentenceEnd(rest)) };
}

/** The first full stop that ends a sentence and no abbreviation; parties in a list may each end with a semicolon. */
function sentenceEnd(rest: string): number {
  for (const { index, 0: mark } of rest.matchAll(SENTENCE_END)) {
    const isList = mark === ';' || /^\s*(?:and\b|\(?\d|\([a-z]\))/i.test(rest.slice(index + 1, index + 40));
    if (!isList && !ABBREVIATION.test(rest.slice(Math.max(0, index - 14), index))) {
      return index;
    }
  }
  return rest.length;
}

function partiesOf(head: string, from: number, to: number): Party[] {
  const region = head.slice(from, to);
  const parties: Party[] = [];
  let start = 0;
  for (const { index, 0: words } of region.matchAll(ALIAS)) {
    const aliases = aliasesIn(words);
    if (ALL_TOGETHER.test(words) || aliases.length === 0) {
      continue;
    }
    const named = namesIn(region.slice(start, index), from + start, DIRECT_AND);
    const last = named.pop();
    parties.push(...named, ...(last ? [{ ...last, aliases, role: roleOf(aliases) }] : []));
    start = index + words.length;
  }
  const tail = region.slice(start);
  const hasMore = parties.length === 0 || /^\s*[,;]?\s*(?:and|&)\s/i.test(tail);
  return hasMore ? [...parties, ...namesIn(tail, from + start, ANY_AND)] : parties;
}

/** Parties in a part of the preamble without short names, which are parted by "and". */
function namesIn(part: string, from: number, and: RegExp): Party[] {
  const parties: Party[] = [];
  let at = 0;
  while (parties.length < PARTIES_MAX) {
    const start = at + (BEFORE_NAME.exec(part.slice(at))?.[0].length ?? 0);
    const name = nameOf(part.slice(start));
    if (name === null) {
      return parties;
    }
    at = start + name.length;
    parties.push({ name: oneLine(name), role: null, aliases: [], start: from + start, end: from + at });
    const next = and.exec(part.slice(at));
    if (!next) {
      return parties;
    }
    at += next.index;
  }
  return parties;
}

/** The name with which a text begins; null where it begins with none. */
function nameOf(rest: string): string | null {
  const read = rest.slice(0, NAME_LENGTH_MAX + 40);
  const end = endOfName(read);
  const name = read.slice(0, end).trimEnd();
  const isName =
    name.length > 1 && name.length <= NAME_LENGTH_MAX && /^[\p{Lu}\d]/u.test(name) && /\p{L}{2}/u.test(name);
  return isName && !NO_PARTY.test(name) ? name : null;
}

function endOfName(read: string): number {
  const end = firstStop(read);
  const part = read.slice(0, end);
  const company = COMPANY_BEFORE_AND.exec(part);
  if (company) {
    return company[0].length;
  }
  const and = part.search(/\s(?:and|&)\s{1,8}(?=\p{Lu})/u);
  return and === -1 || COMPANY_AT_END.test(part) ? end : and;
}

/** The first mark or word that no name has. The full stop of an abbreviation belongs to the name. */
function firstStop(read: string): number {
  for (const { index, 0: stop } of read.matchAll(NAME_END)) {
    const before = read.slice(0, index);
    if (stop === '.' && /\b(?:Mr|Mrs|Ms|Dr|Prof|St|\p{Lu})$/u.test(before)) {
      continue;
    }
    const goesOn = /^\.\s{0,3}(?:$|[,;(]|and\b|&)/.test(read.slice(index, index + 10));
    return stop === '.' && goesOn && /\b(?:Ltd|Inc|Corp|Co|Pty)$/.test(before) ? index + 1 : index;
  }
  return read.length;
}

function aliasesIn(words: string): string[] {
  return [...words.matchAll(QUOTED)]
    .map(([, alias = '']) => oneLine(alias.trim()))
    .filter((alias) => /^\p{L}/u.test(alias) && !NO_PARTY.test(alias));
}

function roleOf(aliases: readonly string[]): string | null {
  return aliases.find((alias) => ROLES.includes(alias.toLowerCase())) ?? null;
}

function labelledParties(head: string): Party[] {
  return [...head.matchAll(LABELLED)].flatMap(({ 0: line, 1: role = '', 2: rest = '', index }) =>
    namesIn(rest, index + line.length - rest.length, DIRECT_AND).map((party) => ({
      ...party,
      role,
      aliases: [role],
    })),
  );
}

function oneLine(words: string): string {
  return words.split(/\s+/u).join(' ');
}

const NUMBER =
  '(?:\\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|fifteen|twenty|thirty|forty-five|sixty|ninety|a|an)';
const UNIT =
  '(?:(?:business|working|calendar|consecutive|banking) )?(?:hours?|days?|weeks?|months?|quarters?|years?)';
const BY =
  '(?:within|no later than|not later than|at the latest|on or before|by|before|until|prior to|at least|for|on|from)';
const DATE = `(?:\\d{1,2}(?:st|nd|rd|th)?(?: of| day of)? (?:${MONTH_NAMES})(?:,? \\d{4})?|(?:${MONTH_NAMES}) \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?|\\d{4}-\\d\\d-\\d\\d|\\d{1,2}[./]\\d{1,2}[./]\\d{4})`;

const ON_A_DATE = new RegExp(`\\b${BY} (?:the )?${DATE}(?![\\p{L}\\p{N}])`, 'iu');
const IN_A_TIME = new RegExp(
  `\\b(?:within|no later than|not later than|at least|in) (?:a period of )?${NUMBER}(?: \\(\\d{1,4}\\))? ${UNIT}(?![\\p{L}\\p{N}])['’]?(?: (?:of|after|from|following|before|prior to|in advance)\\b[^,.;:()]{0,80})?`,
  'iu',
);
const ON_A_DAY =
  /\b(?:on|by|before|no later than|not later than|until) the (?:first|second|third|fifth|tenth|last|\d{1,2}(?:st|nd|rd|th)) (?:business |working |calendar )?day (?:of|in) (?:each|every|the|that) [^,.;:()]{1,40}/i;
const AT_ONCE =
  /\b(?:immediately|promptly|forthwith|without (?:undue |unreasonable )?delay|(?:up)?on (?:first )?(?:demand|request))\b/i;

/** The words of an obligation that say by when, on one line; null where none do. A date or a period goes before "promptly". */
function deadlineIn(obligation: string): string | null {
  const line = obligation.slice(0, 1_000).split(/\s+/u).join(' ');
  const exact = [ON_A_DATE, IN_A_TIME, ON_A_DAY]
    .map((pattern) => pattern.exec(line))
    .filter((match) => match !== null)
    .sort((one, other) => one.index - other.index)[0];
  return (exact ?? AT_ONCE.exec(line))?.[0].trim() ?? null;
}

/** What a party of a contract has to do, or must not do. `obligation === text.slice(start, end)`. */
export interface Obligation {
  /** Who, by the party's role or name or as the text says it; null where it says what has to be done, and not by whom. */
  readonly party: string | null;
  readonly obligation: string;
  /** The words that say by when; null where none do. */
  readonly deadline: string | null;
  /** The deadline as ISO 8601, where it is a date; null otherwise. */
  readonly deadlineDate: string | null;
  readonly start: number;
  readonly end: number;
}

const OBLIGATIONS_MAX = 1_000;
/** A sentence with more is no sentence. */
const MODALS_MAX = 8;
/** In UTF-16 units. The subject stands so near before its verb. */
const SUBJECT_REACH = 200;
const MODAL =
  /\b(?:shall|must|will|may(?: not)?|agrees? (?:not )?to|undertakes? (?:not )?to|covenants? (?:not )?to|(?:is|are) (?:required|obliged|obligated) to)\b/gi;
/** What follows where a right or a rule is stated and no duty. */
const NO_DUTY =
  /^(?:,? ?\w{1,12}ly,? )?(?: not)? ?(?:be (?:entitled|liable|deemed|considered|construed|governed|responsible|able|free|bound|required|obliged)|have (?:the|a|an|no) (?:right|option|liability|obligation|authority)|mean|include|apply|survive|prevail|remain in|continue|commence|begin|start|terminate\b|expire|constitute|not (?:be (?:required|obliged)|exceed)|own|retain)\b/i;
/** Terms of use and letters say so. What you "will" is as often a promise of theirs. */
const PRONOUN = /^(?:you|we)$/i;
/** Who may not, although the verb has no "not": "Neither party may assign". What others may is a right. */
const NOBODY = /^(?:neither|no)\b/i;
/** A duty whose bearer is not named: "Invoices shall be paid within 30 days." */
const PASSIVE_DUTY =
  /^ (?:not )?be (?:\w{1,12}ly )?(?:paid|made|given|sent|delivered|returned|destroyed|provided|submitted|performed|kept|held|maintained|reported|notified|completed|supplied|repaid|reimbursed|refunded|credited|replaced|repaired|transferred|used|disclosed|copied|served|addressed|documented)\b/i;
const TRAILING = /(?<![\s,;:.])[\s,;:.]+(?:(?:and|but|or|provided that|unless|whereas|while)\s*)?$/iu;

/** The obligations in the sentences of an English contract, in order. Sentences about the contract itself are none. */
export function obligationsIn(
  source: string,
  sentences: readonly Sentence[],
  parties: readonly Party[],
): Obligation[] {
  const subjects = new Subjects(parties);
  const found: Obligation[] = [];
  for (const sentence of sentences) {
    if (found.length >= OBLIGATIONS_MAX) {
      break;
    }
    found.push(...ofSentence(source, sentence, subjects));
  }
  return found.slice(0, OBLIGATIONS_MAX);
}

/** A duty's beginning: where its subject and its verb stand in the sentence. */
interface Begun {
  readonly party: string | null;
  readonly start: number;
}

function ofSentence(source: string, { text, start }: Sentence, subjects: Subjects): Obligation[] {
  const modals = [...text.matchAll(MODAL)].slice(0, MODALS_MAX);
  const begun: Begun[] = [];
  let from = 0;
  for (const { index, 0: modal } of modals) {
    const after = text.slice(index + modal.length, index + modal.length + 120);
    const subject = subjects.before(text, from, index);
    const who = subject?.party ?? '';
    if ((/^may$/i.test(modal) && !NOBODY.test(who)) || (/^will$/i.test(modal) && PRONOUN.test(who))) {
      continue;
    }
    const isPassive = /^(?:shall|must|will)$/i.test(modal) && PASSIVE_DUTY.test(after);
    if (subject && !NO_DUTY.test(after)) {
      begun.push(subject);
    } else if (subject === null && isPassive && begun.length === 0) {
      begun.push({ party: null, start: 0 });
    } else if (subject) {
      begun.push({ ...subject, party: NOTHING });
    }
    from = index + modal.length;
  }
  return begun.flatMap(({ party, start: at }, place) => {
    const until = begun[place + 1]?.start ?? text.length;
    const part = text.slice(at, until);
    const obligation = place + 1 < begun.length ? part.replace(TRAILING, '') : part.trimEnd();
    return party === NOTHING || obligation === ''
      ? []
      : [obligationAt(source, party, start + at, start + at + obligation.length)];
  });
}

/** Marks the part of a sentence that states a right: it ends the duty before it and is none. */
const NOTHING = '';

function obligationAt(source: string, party: string | null, start: number, end: number): Obligation {
  const obligation = source.slice(start, end);
  const deadline = deadlineIn(obligation);
  const date = deadline === null ? undefined : datesIn(deadline)[0];
  return { party, obligation, deadline, deadlineDate: date?.date ?? null, start, end };
}

/** Finds who is meant before a verb. */
class Subjects {
  private readonly pattern: RegExp;
  private readonly roles = new Map<string, string>();

  constructor(parties: readonly Party[]) {
    for (const { name, role, aliases } of parties) {
      for (const each of [name, ...aliases]) {
        this.roles.set(each.toLowerCase(), role ?? aliases[0] ?? name);
      }
    }
    const inserted = String.raw`(?:,[^,;:]{1,100},|\s\([^()]{1,60}\))?`;
    const adverbs = String.raw`(?:\s(?:also|hereby|further|each|jointly|therefore|only|then|always|at all times|\p{L}{2,12}ly)){0,2}`;
    const named = partyPattern(parties.flatMap(({ name, aliases }) => [name, ...aliases]));
    // Where parties are named, "we" is no party: "we must go".
    const names = `(?:${named}|${parties.length === 0 ? 'you|we' : 'you'})`;
    this.pattern = new RegExp(
      String.raw`(?<![\p{L}\p{N}’'-])(?<who>${names})${inserted}${adverbs}\s{1,4}$`,
      'iu',
    );
  }

  /** Who is named right before `to`, and not before `from`; null where it is no party. */
  before(text: string, from: number, to: number): Begun | null {
    const reach = Math.max(from, to - SUBJECT_REACH);
    const match = this.pattern.exec(text.slice(reach, to));
    const who = match?.groups?.who;
    if (
      !match ||
      who === undefined ||
      isGenitive(text.slice(Math.max(0, reach + match.index - 4), reach + match.index))
    ) {
      return null;
    }
    const plain = who.replace(/^the\s+/i, '');
    return {
      party: this.roleOf(plain.toLowerCase()) ?? plain.split(/\s+/u).join(' '),
      start: reach + match.index,
    };
  }

  /** Of several who have one role, too: "the tenants". */
  private roleOf(name: string): string | undefined {
    return this.roles.get(name) ?? this.roles.get(name.replace(/s$/u, ''));
  }
}

/** "The obligations of the Supplier shall …" is not about what the supplier does. */
function isGenitive(before: string): boolean {
  return /\b(?:of|to|by|for) $/i.test(before);
}
