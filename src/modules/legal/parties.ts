import type { LegalParty, LegalGoverningLaw } from '../../../generated/types';
import { oneLine, unmarkedLines, type Place } from '../../text/places';

/** In lower case. A word of several is before one that it ends with. */
export const ROLES: readonly string[] = (
  'service provider, disclosing party, receiving party, supplier, customer, client, contractor, ' +
  'consultant, vendor, provider, landlord, tenant, lessor, lessee, employer, employee, seller, ' +
  'buyer, purchaser, licensor, licensee, lender, borrower, guarantor, principal, agent, ' +
  'distributor, franchisor, franchisee, partner, shareholder, investor, company, discloser, ' +
  'recipient, controller, processor, assignor, assignee, manufacturer, subcontractor, publisher, ' +
  'author, owner, user'
).split(', ');

const COMPANY_FORM = String.raw`(?:Ltd|Limited|Inc|Incorporated|Corp|Corporation|LLC|LLP|LP|L\.P|PLC|plc|GmbH|AG|KG|UG|SE|SA|S\.A|SAS|SARL|PTE|Pte|LTD|LIMITED|INC|CORP|S\.r\.l|Srl|SRL|SpA|S\.p\.A|S\.L|C\.V|K\.K|BV|B\.V|NV|N\.V|Oy|AB|ApS|AS|Pty|Co|Company|Foundation|University|Bank)`;

/** In UTF-16 units. Contracts name their parties at the beginning. */
const HEAD_LENGTH = 8_000;
const PREAMBLE_LENGTH_MAX = 3_000;
const NAME_LENGTH_MAX = 120;
const ROLE_LENGTH_MAX = 40;
const PARTIES_MAX = 20;
const NAMED_OTHERWISE =
  /\b(?:[Ee]ntered [Ii]nto [Bb]y|ENTERED INTO BY)\b|\b[Pp]arties (?:(?:to|of) (?:this|the) \p{L}{3,20} )?are:?(?=\s{1,4}(?:\(?1[.)]\s|the )?\p{Lu})/u;
const BETWEEN =
  /\b(?:between|among)\b[ \t]{0,3}:?|^[ \t]{0,8}(?:\d{1,2}[.)] ?)?(?:the )?parties:?[ \t]{0,8}$/im;
const ENDS = [
  /\n\s{0,20}(?:WHEREAS|RECITALS|BACKGROUND|PREAMBLE|NOW,? THEREFORE|Recitals|Background|Whereas|Preamble|#{1,6} |(?:§|Article|Section|ARTICLE|SECTION) ?(?:1|I)\b|1[.)]? [A-Z])/,
  /\b(?:WHEREAS|have agreed|hereby agree|it is agreed|the parties agree|is made as follows)\b/,
];
const SENTENCE_END = /[.;](?=\s{1,4}["“(]?[A-Z]|\s{0,4}\n\s{0,4}\n)/g;
const ABBREVIATION = new RegExp(String.raw`(?:\b${COMPANY_FORM}|\b(?:Mr|Mrs|Ms|Dr|Prof|No|St|Str)|\b[A-Z])$`);
const ROLE_NAME = ROLES.map((role) => role.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())).join(
  '|',
);
const QUOTED_ALIAS =
  /\([^()]{0,80}[“”"„][^“”"„()]{1,60}[“”"][^()]{0,80}\)|,?\s{1,4}(?:hereinafter|hereafter|herein)\b[^“"„()]{0,40}[“"„][^“”"]{1,60}[”"“]/;
const BARE_ALIAS = String.raw`\((?:hereinafter\s{1,4}(?:(?:referred to as|called)\s{1,4})?)?(?:the\s{1,4})?(?<bare>${ROLE_NAME})\)`;
const ALIAS = new RegExp(`${QUOTED_ALIAS.source}|${BARE_ALIAS}`, 'g');
const QUOTED = /[“"„]\s{0,2}(?:the )?([^“”"„()]{1,60}?)\s{0,2}[”"“]/giu;
/** Separates two names: right after the first or its bracket, or after a comma that ends its description. */
const AND = String.raw`(?:and|&)\s{1,8}(?=(?:\(?\d{1,2}[.)]\s|\([a-z]\)\s)?(?:the )?[\p{Lu}\d])`;
const IN_LIST = String.raw`\s{0,4},\s{1,8}(?=\p{Lu}[\p{L}’'-]{1,30}(?: \p{Lu}[\p{L}’'-]{0,30}){1,5}\s{0,4}(?:,|\band)\s{1,8}\p{Lu})`;
const DIRECT_AND = new RegExp(String.raw`^\s{1,4}(?:\([^()]{1,80}\)\s{1,4})?${AND}|^${IN_LIST}`, 'u');
/** Behind "Nova Labs Inc." in "Nova Labs Inc., a Delaware corporation, Tarn GmbH and Priya Raman". */
const BEHIND_DESCRIPTION = String.raw`^,\s{1,4}an?\s[^,;.()]{3,80},\s{1,8}(?=\p{Lu}[^,;.()]{1,60}\b${COMPANY_FORM}\b)`;
const ANY_AND = new RegExp(
  String.raw`^\s{1,4}(?:\([^()]{1,80}\)\s{1,4})?${AND}|^${IN_LIST}|[,;]\s{1,4}${AND}|;\s{1,8}(?=\(?\d{1,2}[.)]\s)|${BEHIND_DESCRIPTION}`,
  'u',
);
const AND_BEHIND_ADDRESS = new RegExp(String.raw`\s{1,4}${AND}`, 'u');
const ALL_TOGETHER = /\b(?:together|collectively|jointly|each a|each an|either|both)\b/i;
const NO_PARTY = /^(?:part(?:y|ies)|agreement|contract|lease|effective date|deed|nda|purpose)$/i;
/** Case matters, so that neither "A. Miller" nor "THE HEATH TRUST LIMITED" loses its beginning. */
const BEFORE_NAME =
  /^(?:\s|[,;:]|(?:and|AND|And|or|OR|by|BY|you)\b|&|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]|\([A-Z]\)|[-*•–])*(?:(?:on the )?one (?:side|hand|part),?\s+)?(?:the\s+)?(?:(?:Mr|MR|Mrs|MRS|Ms|MS|Miss|MISS|Dr|DR|Prof|Herr|Frau)\b\.?\s+)*/u;
const ADDRESS = String.raw`\s(?:\d|of\s|\p{Lu}[\p{L}.]{2,30} \d)`;
const STREET = String.raw`(?<=\p{Ll})\s(?=\d{1,4}[a-z]?,? (?:\p{Lu}[\p{L}’'-]{1,30} ){1,3}(?:Street|Road|Lane|Avenue|Drive|Square|Way|Court|Place|Close|Terrace|Boulevard)\b)`;
const AS_ROLE = String.raw`\sas (?:the )?(${ROLES.join('|')})\b`;
const NAME_END = new RegExp(
  String.raw`,(?!\s{0,3}(?:\p{Lu}[\p{L}’'-]{1,30} & \p{Lu}|(?:Inc|LLC|Ltd|L\.L\.C|LLP|L\.P|Corp|S\.A|GmbH)\b))|;|:|\n\s*\n|\((?!\p{Lu}{2,4}\))|\s(?:whose|with|having|residing|resident|born|acting|represented|located|registered|incorporated|organi[sz]ed|hereinafter|hereafter|a company|a corporation|an individual|of (?=\d|the (?:city|county|state))|at (?=\d)|on behalf|for the|dated|concerning|regarding|about|on (?=\d|the)|as (?:the )?(?:${ROLES.join('|')}|${ROLE_NAME}))\b|\s[–—-]\s|\.(?=\s|$)` +
    String.raw`|(?<=\b(?!Company|Foundation|University|Bank)${COMPANY_FORM}\.?)(?=${ADDRESS})|${STREET}`,
  'gu',
);
const IN_ROLE = new RegExp(`^,?${AS_ROLE}`, 'iu');
const ADDRESS_AHEAD = new RegExp(`^(?:${ADDRESS})`, 'u');
const FIRM = /^\p{Lu}[\p{L}’'-]{1,40} & \p{Lu}[\p{L}’'-]{1,40}/u;
const COMPANY_AT_END = new RegExp(String.raw`\b${COMPANY_FORM}\.?$`);
const COMPANY_BEFORE_AND = new RegExp(String.raw`^.{1,100}?\b${COMPANY_FORM}\b\.?(?= and | & |\s*$)`, 's');
const LABELLED = new RegExp(
  String.raw`^[ \t]{0,8}(?:\*\*)?(?:the )?(${ROLES.join('|')})(?:s|\(s\))?(?:\*\*)?[ \t]{0,4}:[ \t]{0,4}(?:\*\*)?[ \t]{0,4}(\S[^\n]{0,200})$`,
  'gim',
);

/** After "between", below the heading "Parties", or in lines such as "Landlord: Maria Keller". */
export function partiesIn(text: string): LegalParty[] {
  const marked = text.slice(0, HEAD_LENGTH);
  const head = unmarkedLines(marked);
  const tabled = tabledParties(marked, head);
  const preamble = tabled.length >= 2 ? null : preambleOf(head);
  const named = preamble === null ? tabled : partiesOf(head, preamble.start, preamble.end);
  const parties = named.length >= 2 ? named : [...named, ...partiesWithRole(head), ...labelledParties(head)];
  const names = new Set<string>();
  return parties.filter(({ name }) => !names.has(name) && names.add(name)).slice(0, PARTIES_MAX);
}

function preambleOf(head: string): Pick<Place, 'start' | 'end'> | null {
  const between = BETWEEN.exec(head) ?? NAMED_OTHERWISE.exec(head);
  if (!between) {
    return null;
  }
  const start = between.index + between[0].length;
  const rest = head.slice(start, start + PREAMBLE_LENGTH_MAX);
  // Parties may be a numbered list, whose first item is not the first clause.
  const listed = /^\s{0,20}1[.)]\s{1,8}/.exec(rest)?.[0].length ?? 0;
  const stops = ENDS.map((pattern) => rest.slice(listed).search(pattern))
    .filter((at) => at !== -1)
    .map((at) => listed + at);
  const end = Math.min(rest.length, ...stops);
  return { start, end: start + Math.min(end, sentenceEnd(rest)) };
}

function sentenceEnd(rest: string): number {
  for (const { index, 0: mark } of rest.matchAll(SENTENCE_END)) {
    const isList = mark === ';' || goesOn(rest.slice(0, index), rest.slice(index + 1, index + 40));
    const isNumber = /(?:^|\n)\s{0,8}\(?\d{1,2}$/.test(rest.slice(Math.max(0, index - 12), index));
    if (!isList && !isNumber && !ABBREVIATION.test(rest.slice(Math.max(0, index - 14), index))) {
      return index;
    }
  }
  return rest.length;
}

function goesOn(before: string, after: string): boolean {
  const [, number] = /^\s*\(?(\d{1,2})[.)]/.exec(after) ?? [];
  return number === undefined
    ? /^\s*(?:and\b|\(?\d|\([a-z]\))/i.test(after)
    : new RegExp(`(?:^|\\n)\\s{0,8}\\(?${Number(number) - 1}[.)]\\s`).test(before);
}

function partiesOf(head: string, from: number, to: number): LegalParty[] {
  const region = head.slice(from, to);
  const parties: LegalParty[] = [];
  let start = 0;
  for (const { index, 0: words, groups } of region.matchAll(ALIAS)) {
    const bare = groups?.['bare'];
    const aliases = bare === undefined ? aliasesIn(words) : [bare];
    if (ALL_TOGETHER.test(words) || aliases.length === 0) {
      continue;
    }
    const named = namesIn(region.slice(start, index), from + start, DIRECT_AND);
    const last = named.pop();
    const role = aliases.find((alias) => ROLES.includes(alias.toLowerCase())) ?? null;
    parties.push(...named, ...(last ? [{ ...last, aliases, role }] : []));
    start = index + words.length;
  }
  const tail = region.slice(start);
  const hasMore = parties.length === 0 || /^\s*[,;]?\s*(?:and|&)\s/i.test(tail);
  const more = hasMore ? namesIn(tail, from + start, ANY_AND) : [];
  const [alone] = more;
  // A contract has two parties, so a single "Field and Stone Ltd" is split.
  return parties.length === 0 && alone && more.length === 1 ? halvesOf(head, alone) : [...parties, ...more];
}

function halvesOf(head: string, party: LegalParty): LegalParty[] {
  const written = head.slice(party.start, party.end);
  const [first = '', second] = written.split(/\s{1,4}and\s{1,4}(?=\p{Lu})/u);
  if (second === undefined) {
    return [party];
  }
  const start = party.start + first.length + written.slice(first.length).indexOf(second);
  return [
    { ...party, name: oneLine(first), end: party.start + first.length },
    { ...party, name: oneLine(head.slice(start, party.end)), start },
  ];
}

function namesIn(part: string, from: number, and: RegExp): LegalParty[] {
  const parties: LegalParty[] = [];
  let at = 0;
  while (parties.length < PARTIES_MAX) {
    const start = at + (BEFORE_NAME.exec(part.slice(at))?.[0].length ?? 0);
    const name = nameOf(part.slice(start));
    if (name === null) {
      return parties;
    }
    at = start + name.length;
    const rest = part.slice(at);
    const role = IN_ROLE.exec(rest.slice(0, ROLE_LENGTH_MAX))?.[1]?.toLowerCase() ?? null;
    const aliases = role === null ? [] : [role];
    parties.push({ name: oneLine(name), role, aliases, start: from + start, end: from + at });
    const isBeforeAddress = and === ANY_AND && ADDRESS_AHEAD.test(rest);
    const next = and.exec(rest) ?? (isBeforeAddress ? AND_BEHIND_ADDRESS.exec(rest) : null);
    if (!next) {
      return parties;
    }
    at += next.index + next[0].length;
  }
  return parties;
}

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
  const firm = FIRM.exec(part)?.[0].length ?? 0;
  if (/^\sand\s{1,8}\p{Lu}|^\s*$/u.test(part.slice(firm)) && firm > 0) {
    return firm;
  }
  const company = COMPANY_BEFORE_AND.exec(part);
  if (company) {
    return company[0].length;
  }
  const and = part.search(/\s(?:and|&)\s{1,8}(?=\p{Lu})/u);
  return and === -1 || COMPANY_AT_END.test(part) ? end : and;
}

function firstStop(read: string): number {
  for (const { index, 0: stop } of read.matchAll(NAME_END)) {
    const before = read.slice(0, index);
    if (stop === '.' && /(?<!\p{L})(?:Mr|Mrs|Ms|Dr|Prof|St|PTE|Pte|\p{L})$/u.test(before)) {
      continue;
    }
    const isWithin = /^\.\s{0,3}(?:$|[,;(]|and\b|as\b|&)/.test(read.slice(index, index + 10));
    return stop === '.' && isWithin && /\b(?:Ltd|Inc|Corp|Co|Pty|LTD|INC|CORP)$/.test(before)
      ? index + 1
      : index;
  }
  return read.length;
}

function aliasesIn(words: string): string[] {
  return [...words.matchAll(QUOTED)]
    .map(([, alias = '']) => oneLine(alias.trim()))
    .filter((alias) => /^\p{L}/u.test(alias) && !NO_PARTY.test(alias));
}

const PARTY_TABLE =
  /^[ \t]{0,8}\|?[ \t]{0,8}(?:\*\*)?(?:party|parties|name)(?:\*\*)?[ \t]{0,8}\|[^\n]{0,400}\n[ \t|:-]{3,400}\n((?:[ \t]{0,8}\|[^\n]{1,400}(?:\n|$)){1,20})/im;
const TABBED_PARTIES =
  /^(?:party|parties|name)\t[^\n]{0,400}\n((?:[^\s][^\t\n]{1,200}\t[^\n]{0,400}(?:\n|$)){1,20})/im;
const FIRST_CELL = /^(?:[ \t]{0,8}\|[ \t]{0,20}|(?=[^\s|]))/gm;

function tabledParties(marked: string, head: string): LegalParty[] {
  const table = PARTY_TABLE.exec(marked) ?? TABBED_PARTIES.exec(marked);
  const rows = table?.[1] ?? '';
  const from = table ? table.index + table[0].length - rows.length : 0;
  return [...rows.matchAll(FIRST_CELL)].flatMap(({ index, 0: { length } }) => {
    const start = from + index + length;
    const cell = head.slice(start).split(/[\n\t]/u, 1)[0] ?? '';
    return namesIn(cell, start, DIRECT_AND).slice(0, 1);
  });
}

const WITH_ROLE = new RegExp(
  String.raw`^[ \t]{0,8}(\p{Lu}[^\n]{2,120}?),? as (?:the )?(${ROLES.join('|')})\b`,
  'gimu',
);

function partiesWithRole(head: string): LegalParty[] {
  return [...head.matchAll(WITH_ROLE)].flatMap(({ 1: name = '', 2: role = '', 0: line, index }) =>
    partiesInRole(role, name, index + line.indexOf(name)),
  );
}

function labelledParties(head: string): LegalParty[] {
  return [...head.matchAll(LABELLED)].flatMap(({ 0: line, 1: role = '', 2: rest = '', index }) =>
    partiesInRole(role, rest, index + line.length - rest.length),
  );
}

function partiesInRole(role: string, names: string, from: number): LegalParty[] {
  return namesIn(names, from, DIRECT_AND).map((party) => ({ ...party, role, aliases: [role] }));
}

const NAME =
  String.raw`(?:[Tt]he )?((?:(?:Republic|Federal Republic|Kingdom|Commonwealth|[Ss]tate|[Pp]rovince|Canton|Principality|Emirate) of (?:the )?)?` +
  String.raw`\p{Lu}[\p{L}’'-]{0,30}(?:(?: (?:and|&|of|the) (?:the )?| )\p{Lu}[\p{L}’'-]{0,30}){0,6})`;
const LAWS_OF = new RegExp(String.raw`\b[Ll]aws?(?: in force)? (?:of|in) ${NAME}`, 'u');
const NAMED_LAW =
  /\b(?!(?:Union|Applicable|Governing|Choice|Common|This|Any|Law)\b)\p{Lu}\p{L}{1,30}(?: \p{Lu}\p{L}{1,30})? [Ll]aw\b/u;
const BARE_NAME = new RegExp(`^${NAME}`, 'u');
const GOVERNS =
  /\b(?:govern(?:ed|s|ing)?|construed|interpret(?:ed|ation)|enforce(?:d|ment) in accordance|applies to th(?:is|e)|shall apply|to be determined|decided,? under|subject exclusively to|subject to (?:the )?(?:laws? of|[a-z]{3,20} law)|(?:applicable|proper) law|choice of law)\b|\b(?:the laws? of [^,;.]{1,60}|[a-z]{3,30} law) appl(?:y|ies)\.?$/i;
/** In UTF-16 units: how far before these words the law may be: "The laws of Ontario govern this lease." */
const NAMED_BEFORE_MAX = 60;
const HEADING =
  /^[\s\d.()§:–-]{0,12}(?:governing law|applicable law|choice of law|law)\b(?: and [a-z]{1,20})?\s{0,3}[.:–-]?\s{0,3}/i;
const HEADING_LENGTH_MAX = 60;
/** The law of a party, a company or a deed is not the contract's. */
const ELSEWHERE =
  /\b(?:incorporated|organi[sz]ed|formed|existing|established|registered) (?:and existing )?under\b|\bcompl(?:y|ies)\b|\bobeys?\b|required by law/i;
/** Words that name a law which does not govern, each up to the next mark or turn. */
const SET_ASIDE = new RegExp(
  [
    String.raw`\b(?:excluding|other than|irrespective of|without (?:regard|reference|recourse|giving effect) to)\b(?:(?!\bby (?:the )?laws? )[^,;.]){0,200}`,
    String.raw`\bnot (?:be )?(?:governed|construed|interpreted|enforced|subject)\b(?:(?!\bbut\b)[^,;.]){0,200}`,
    String.raw`\b(?:and|but) not (?:by|to|under|the|those)\b[^,;.]{0,200}`,
    String.raw`\b(?:laws? of |\p{Lu}\p{L}{1,30} law )(?:(?! and the )[^,;.]){0,40}?\b(?:shall|do|does|will) not apply\b`,
    String.raw` and the [^,;.]{1,80}? (?:shall|do|does|will) not apply\b`,
  ].join('|'),
  'giu',
);
/** A law for one case is not the contract's; the one after "otherwise" is. */
const CONDITION =
  /^(?:[Ii]f|[Ww]here|[Ww]hen|[Ss]hould|[Ff]or (?:\p{L}{1,20} )?(?:[Cc]ustomers|[Uu]sers|[Cc]onsumers|[Cc]lients|[Ee]mployees|[Rr]esidents))\b|\b(?:[Ll]aws? of (?:the )?\p{Lu}[\p{L} ]{1,40}?|\p{Lu}\p{L}{1,30} [Ll]aw),? (?:but )?(?:only )?(?:if|where|when|provided that|in case)\b/u;
const OF_SCHEDULE =
  /^(?:(?:as regards|for|in respect of|with respect to) )?(?:(?:this|the|each) )?(?:\p{L}{3,20} (?:in|of|under) )?(?:schedule|annex|appendix|exhibit|attachment)\b(?!.{0,40}\band (?:this|the) (?:agreement|contract)\b)/iu;
const REPLACED =
  /^.*\b(?:replac|substitut|amend)(?:ed|ing)\b.{0,80}?\b(?:by|with|to read(?: as follows)?)\b(?=.{0,200}\b[Ll]aw)/u;
const NO_LAW =
  /^(?:This|Any|All|Some|Such|Each|Either|No|If|The|Disputes?|Licensor|Company)\b|\bJurisdiction$|^(?:.{0,60} Member )?State$/;
const PART_END =
  /(?<=[.;])\s{1,20}(?=[\p{Lu}(\d"“])|\n\s{0,20}\n|\n(?=\d{1,3}[.)]|\()|(?<=\b[Ll](?:aw|AW)(?: and \p{L}{3,20})?)[ \t]{0,8}\n/gu;

/** The last clause that names one counts. */
export function governingLawOf(source: string): LegalGoverningLaw {
  const parts = partsOf(unmarkedLines(source));
  let found: LegalGoverningLaw = null;
  for (const [index, part] of parts.entries()) {
    const law = lawIn(part.text, parts[index - 1]?.text.trim() ?? '');
    if (law !== null) {
      const { start, end } = part;
      found = { law, text: source.slice(start, end), start, end };
    }
  }
  return found;
}

function partsOf(text: string): Place[] {
  const ends = [...text.matchAll(PART_END)].map(({ index, 0: gap }) => [index, index + gap.length] as const);
  const starts = [0, ...ends.map(([, next]) => next)];
  return starts.map((from, index) => {
    const written = text.slice(from, ends[index]?.[0] ?? text.length);
    const start = from + written.length - written.trimStart().length;
    return { text: written, start, end: Math.max(start, from + written.trimEnd().length) };
  });
}

function lawIn(written: string, before: string): string | null {
  const part = written.trim().replace(/\s+/gu, ' ');
  const isHeaded = HEADING.test(part) || (before.length < HEADING_LENGTH_MAX && HEADING.test(before));
  const bare = isHeaded ? part.replace(HEADING, '') : part;
  const isElsewhere = (ELSEWHERE.test(part) && !/govern/i.test(part)) || OF_SCHEDULE.test(bare);
  const isReplaced = REPLACED.test(bare) && LAWS_OF.test(bare);
  if (isElsewhere || (!isHeaded && !isReplaced && !GOVERNS.test(part))) {
    return null;
  }
  const cases = bare.replace(REPLACED, '').split('; ');
  const stated = cases
    .filter((each) => !CONDITION.test(each))
    .join('; ')
    .replace(SET_ASIDE, '');
  const near = stated.slice(Math.max(0, stated.search(GOVERNS) - NAMED_BEFORE_MAX));
  const law =
    LAWS_OF.exec(near)?.[1] ??
    NAMED_LAW.exec(near)?.[0] ??
    (isHeaded ? BARE_NAME.exec(stated)?.[1] : undefined);
  return law === undefined || NO_LAW.test(law) ? null : law.replace(/[.’']$/u, '');
}
