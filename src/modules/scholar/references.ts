import type { ScholarReference } from '../../../generated/types';
import { type TextLine, linesIn } from '../../text/places';
import { readDoi } from './read-sources';

const AUTHORS_LENGTH_MAX = 2_000;
const AUTHORS_MAX = 100;

const PARTICLE =
  "(?:(?:van|von|de|den|der|del|della|di|da|du|dos|la|le|ter|ten|bin|al|el|[Ss]te?\\.)[ \\u00a0'’-]{1,2}){0,3}";
const FAMILY = `${PARTICLE}(?:[dDlLO]['’])?\\p{Lu}[\\p{L}\\p{M}'’-]{0,40}(?:[ \\u00a0-]\\p{Lu}[\\p{L}\\p{M}'’-]{1,40}){0,2}`;
const INITIALS = '(?:(?!Ste?\\. \\p{Lu}\\p{Ll})\\p{Lu}\\p{Ll}{0,2}\\.[ \\u00a0-]{0,2}){1,5}';
const SUFFIX = '(?:,?[ ](?:Jr\\.?|Sr\\.?|II|III|IV)(?=[,.\\s]|$))?';
/** `Smith, J. A.` */
const INVERTED_INITIALS = new RegExp(`${FAMILY},[ \\u00a0]{1,2}${INITIALS}${SUFFIX}`, 'gu');
/** `J. A. Smith` */
const DIRECT_INITIALS = new RegExp(`(?<![\\p{L}.])${INITIALS}${FAMILY}`, 'gu');
/** `Smith JA` */
const VANCOUVER = new RegExp(`(?<![\\p{L}])${FAMILY}[ ]\\p{Lu}{1,3}(?=[,.;]|$)`, 'gu');

interface ReferenceName {
  readonly written: string;
  readonly family: string;
}

function namesIn(part: string): ReferenceName[] {
  return (
    personsIn(part) ??
    trimmed(part)
      .split(/;\s{1,3}|\s\/\s/u)
      .flatMap(wholeNames)
  );
}

function personsIn(part: string): ReferenceName[] | null {
  const text = trimmed(part);
  // "K. He, X. Wu" does not name "He, X."
  for (const [pattern, familyOf] of /^\p{Lu}\./u.test(text) ? FORMS.slice(1) : FORMS) {
    const found = [...text.matchAll(pattern)].map(([written]) => written.trim());
    if (found.length > 0 && covers(found, text)) {
      return found.slice(0, AUTHORS_MAX).map((written) => ({ written, family: familyOf(written) }));
    }
  }
  return null;
}

function trimmed(part: string): string {
  return part
    .slice(0, AUTHORS_LENGTH_MAX)
    .trim()
    .replace(/[\s.,;:]{1,5}$/u, (end) => (end.includes('.') ? '.' : ''));
}

const DIRECT = `${INITIALS}${FAMILY}`;
const DIRECT_LEAD = new RegExp(`^(?:${DIRECT}(?:,? and |, )){0,19}${DIRECT}[.,] (?=\\p{Lu}\\p{Ll})`, 'u');
const INVERTED = `${FAMILY}, (?:\\p{Lu}\\.[ \\u00a0-]?){1,5}`;
const INVERTED_LEAD = new RegExp(
  `^${INVERTED}(?:(?:, (?:(?:and|und|&) )?|(?:and|und|&) )${INVERTED}){0,40}(?=[\\p{Lu}\\p{N}](?: |[\\p{L}\\p{N}:’'-]{1,40}[ .:?!,]))`,
  'u',
);

const VANCOUVER_LEAD = new RegExp(
  `^(?:${FAMILY} \\p{Lu}{1,3}, ){0,40}(?:${FAMILY} \\p{Lu}{1,3}|et al)\\. (?=\\S)`,
  'u',
);

function leadingNames(text: string): string | null {
  const head = text.slice(0, AUTHORS_LENGTH_MAX);
  return (DIRECT_LEAD.exec(head) ?? VANCOUVER_LEAD.exec(head) ?? INVERTED_LEAD.exec(head))?.[0] ?? null;
}

type Form = readonly [pattern: RegExp, familyOf: (written: string) => string];

const FORMS: readonly Form[] = [
  [INVERTED_INITIALS, (written) => written.split(',')[0] ?? written],
  [DIRECT_INITIALS, (written) => written.replace(new RegExp(`^${INITIALS}`, 'u'), '')],
  [VANCOUVER, (written) => written.replace(/ \p{Lu}{1,3}$/u, '')],
];

function covers(found: readonly string[], text: string): boolean {
  const letters = (part: string) => part.replace(/\b(?:and|et al|eds?|und|others)\b|[^\p{L}]/giu, '').length;
  return letters(found.join('')) >= 0.7 * letters(text);
}

/** `Keng, Shao-Hsun, Chun-Hung Lin, and Peter F. Orazem`; or else an organisation. */
function wholeNames(text: string): ReferenceName[] {
  const plain = text.replace(/,? et al\.?$|\s\(?eds?\.\)?$/iu, '').replace(/\.$/u, '');
  if (plain === '') {
    return [];
  }
  const [first = '', given, ...further] = plain
    .split(/,\s{1,3}(?:and |& )?|\s(?:and|und|&)\s/u)
    .filter((each) => each !== '');
  const isPerson =
    given !== undefined &&
    /^\p{Lu}[\p{L}\p{M}.'’-]{0,30}(?: [\p{L}\p{M}.'’-]{1,30}){0,3}$/u.test(given) &&
    first.split(/\s+/u).length <= 3;
  if (!isPerson || !plain.startsWith(`${first}, `)) {
    return [{ written: plain, family: plain }];
  }
  return [
    { written: `${first}, ${given}`, family: first },
    ...further
      .slice(0, AUTHORS_MAX - 1)
      .map((written) => ({ written, family: written.split(' ').at(-1) ?? written })),
  ];
}

/** With the authors' family names, by which entries are cited. */
export type PaperReference = Omit<ScholarReference, 'index' | 'citations'> & {
  readonly families: readonly string[];
};

export const REFERENCES_MAX = 2_000;
/** In UTF-16 units. A longer entry is text that has lost its line breaks; only this much is read. */
const ENTRY_LENGTH_MAX = 3_000;
const ENTRY_LENGTH_MIN = 15;

const LABEL = /^(?:[-*•] {1,3})?(?:\[(\d{1,4})\]|\((\d{1,4})\)|(\d{1,3})[.)])[ \t\u00a0]{1,8}(?=\S)/u;
const BULLET = /^[-*•][ \t]{1,4}(?=\S)/u;
const BEGINS_WITH_NAME = /^(?:\p{Lu}|(?:van|von|de|der|di|da|du|la|le) )[^.]{0,80}(?:,|\.)\s/u;
const YEAR =
  /\((?:[^()]{0,40}?[\s,])?((?:1[4-9]|20)\d\d[a-z]?|n\.d\.(?:-[a-z])?|in press)(?:,[^()]{0,40})?\)/u;
const BARE_YEAR = /(?<![\d–-])((?:1[4-9]|20)\d\d[a-z]?)(?![\d–-]|\.\d)/gu;
const ACCESSED =
  /[[(](?:(?:last )?(?:accessed|retrieved|viewed|visited)|cited|abgerufen|zugriff)\b[^()[\]]{0,40}[\])]|(?<=^|[.,;:]\s{1,2})(?:(?:last )?(?:accessed|retrieved|viewed|visited)|abgerufen|zugriff|letzter zugriff)(?!\p{L})(?:[^.;()[\]]|(?<=\d)\.){0,24}?(?:19|20)\d\d(?: \p{L}{3,9}\.? \d{1,2}(?!\d))?(?:,? from:?)?/giu;
const DOI = /10\.\d{4,9}\/[^\s"<>{}]{1,300}/u;
const URL = /https?:\/\/[^\s"<>{}]{1,1000}/gu;
const QUOTED = /[“"„«]([^“”"„«»]{2,500})[”"“»]/u;
/** As British styles write titles, with apostrophes in them: 'Women's work', Labour Review. */
const SINGLE_QUOTED = /^['‘](.{2,500}?)['’](?=[,.]\s)/u;

export function referencesIn(text: string, start: number, end: number): PaperReference[] {
  return entriesOf(linesIn(text.slice(start, end)))
    .filter((entry) => entry.end - entry.start >= ENTRY_LENGTH_MIN)
    .slice(0, REFERENCES_MAX)
    .map((entry) => readReference(text, start + entry.start, start + entry.end));
}

export function readReference(text: string, start: number, end: number): PaperReference {
  const raw = text.slice(start, end);
  const [label = '', ...numbers] = LABEL.exec(raw.slice(0, 40)) ?? [];
  const number = numbers.find((each) => each !== undefined);
  const written = raw
    .slice(label.length, label.length + ENTRY_LENGTH_MAX)
    .replace(BULLET, '')
    .replace(/[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}(?=[\s.,;:)]|$)/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  const found = DOI.exec(written)?.[0].replace(/[.,;)\]]{1,5}$/u, '') ?? null;
  const doi = found === null ? null : readDoi(found);
  const url = urlIn(written);
  const { authors, year, title } = partsOf(
    written
      .replace(URL, '')
      .replace(ACCESSED, '')
      .replace(/\bdoi:?\s*10\.\S+/iu, '')
      .trim(),
  );
  return {
    number: number === undefined ? null : Number(number),
    raw,
    authors: authors.map((name) => name.written),
    families: authors.map(({ family }) => family),
    year,
    title,
    doi,
    url,
    start,
    end,
  };
}

/** Entries begin at labels, bullets or blank lines; without any of these, at lines that begin with a name. */
function entriesOf(lines: readonly TextLine[]): { start: number; end: number }[] {
  const begins = beginsOf(lines.filter(({ text }) => text !== ''));
  const entries: { start: number; end: number }[] = [];
  let isAfterBlank = true;
  for (const line of lines) {
    if (line.text === '') {
      isAfterBlank = true;
      continue;
    }
    const isNew = begins(line, isAfterBlank);
    const last = entries.at(-1);
    if (!last || isNew) {
      entries.push({ start: line.start, end: line.end });
    } else {
      last.end = line.end;
    }
    isAfterBlank = false;
  }
  return entries;
}

function beginsOf(lines: readonly TextLine[]): (line: TextLine, isAfterBlank: boolean) => boolean {
  for (const mark of [LABEL, BULLET]) {
    const isMarked = ({ text }: TextLine) => mark.test(text.slice(0, 40));
    if (lines.filter(isMarked).length >= Math.max(1, lines.length / 8)) {
      return isMarked;
    }
  }
  let before = '';
  return ({ text }, isAfterBlank) => {
    const isNew =
      isAfterBlank ||
      (/(?:[.)\]]|https?:\S{1,500}|10\.\S{1,300})$/u.test(before) &&
        BEGINS_WITH_NAME.test(text.slice(0, 120)));
    before = text.slice(-600);
    return isNew;
  };
}

function urlIn(text: string): string | null {
  const urls = [...text.matchAll(URL)].map(([url]) => url.replace(/[.,;:)\]]{1,5}$/u, ''));
  return urls.find((url) => !/^https?:\/\/(?:dx\.)?doi\.org\//u.test(url)) ?? null;
}

interface Parts {
  readonly authors: ReferenceName[];
  readonly year: string | null;
  readonly title: string | null;
}

function partsOf(text: string): Parts {
  const quoted = QUOTED.exec(text);
  const untitled = quoted ? text.replace(quoted[0], (title) => title.replaceAll(/\d/gu, '#')) : text;
  const beforeColon = namesBeforeColon(text);
  const dated = beforeColon === null || /\d/u.test(beforeColon) ? YEAR.exec(untitled) : null;
  const lastYear = [...untitled.matchAll(BARE_YEAR)].at(-1)?.[1] ?? /\bn\.d\./u.exec(untitled)?.[0] ?? null;
  const year = dated?.[1] ?? lastYear;
  if (quoted && (!dated || quoted.index < dated.index)) {
    const lead = text.slice(0, quoted.index).replace(/(?<=[.,\s])(?:1[4-9]|20)\d\d[a-z]?[.,]?\s*$/u, '');
    return { authors: namesIn(lead), year, title: titleOf(quoted[1] ?? '') };
  }
  if (dated && dated.index < 600) {
    const after = text.slice(dated.index + dated[0].length).replace(/^[\s.,:]{1,5}/u, '');
    const isTitleFirst =
      sentencesOf(text.slice(0, dated.index)).length > 1 &&
      (after.length < 15 || /^\d{1,5}[–-]\d/u.test(after));
    if (!isTitleFirst) {
      const title = quoted?.[1] ?? SINGLE_QUOTED.exec(after)?.[1] ?? wholeTitle(sentencesOf(after));
      return { authors: namesIn(text.slice(0, dated.index)), year, title: titleOf(title) };
    }
  }
  const read = inSentences(text, leadingNames(text) ?? beforeColon);
  return { ...read, year: dated?.[1] ?? read.year ?? lastYear };
}

const NO_TITLE = /^(?:((?:1[4-9]|20)\d\d[a-z]?)|n\.d|eds?)\.?$/u;
/** What follows a title after a comma, but not the years of "Survival, 2000 to 2015". */
const DETAILS = /,\s(?:in: |vol|no|pp?|eds?|(?!(?:1[4-9]|20)\d\d[\s–-])\d).*$/u;

/** `Smith J, Lee K. Title. Journal. 2019;`, `Smith, Ann. 2019. Title.`, `J. Smith, Title.`, and `Smith, J.: Title.` */
function inSentences(text: string, lead: string | null): Parts {
  const [who = '', ...further] =
    lead === null ? sentencesOf(text) : [lead, ...sentencesOf(text.slice(lead.length))];
  // "1984. Secker & Warburg, 1949." is a title, and so is what follows a colon.
  const isTitle =
    lead?.endsWith(': ') || (further.length === 2 && /, (?:1[4-9]|20)\d\d\.?$/u.test(further[1] ?? ''));
  const title = wholeTitle(isTitle ? further : further.filter((sentence) => !NO_TITLE.test(sentence)));
  const year = isTitle ? null : (NO_TITLE.exec(further[0] ?? '')?.[1] ?? null);
  return { authors: namesIn(who), year, title: titleOf(title.replace(DETAILS, '')) };
}

/** Behind a question a title goes on, unless what follows is where it was published: the last sentence, or one before numbers. */
function wholeTitle([first = '', second = '', third = '']: readonly string[]): string {
  const goesOn = /[?!]$/u.test(first) && !/\d|^In\s/u.test(second) && /^\P{N}/u.test(third);
  return goesOn ? `${first} ${second}` : first;
}

const GIVEN = '\\p{Lu}[\\p{L}-]{1,40}(?: \\p{Lu}[\\p{L}.]{0,40}){0,3}';
const NAMES_IN_FULL = new RegExp(
  `^${FAMILY}, ${GIVEN}(?:(?: ?[;/]|,? (?:und|and|&)) (?:${FAMILY}, )?${GIVEN}){0,10}: $`,
  'u',
);

function namesBeforeColon(text: string): string | null {
  const colon = text.indexOf(': ');
  const lead = text.slice(0, colon + 2);
  return colon < 1_000 && (NAMES_IN_FULL.test(lead) || personsIn(lead) !== null) ? lead : null;
}

/** A full stop after an initial, an abbreviation or an ordinal number ends no sentence. */
function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const match of text.matchAll(/[.?!]\s{1,3}(?=[\p{L}\p{N}“"(])/gu)) {
    const before = text.slice(Math.max(start, match.index - 12), match.index);
    const after = text.slice(match.index + match[0].length, match.index + 24);
    const isInitial = /(?:^|[\s.,(-])\p{Lu}$/u.test(before) && !/^\d/u.test(after);
    const isOrdinal = /\d$/u.test(before) && /^(?:\p{Ll}|Jahrhundert)/u.test(after);
    const isAbbreviation = /(?:^|[\s.,(-])(?:Jr|Sr|St|vol|no|pp?|ed|eds|vs|Dr)$/iu.test(before);
    if (!match[0].startsWith('.') || !(isInitial || isOrdinal || isAbbreviation)) {
      sentences.push(text.slice(start, match.index + 1).trim());
      start = match.index + match[0].length;
    }
  }
  sentences.push(text.slice(start).trim());
  return sentences.filter((sentence) => sentence !== '');
}

function titleOf(written: string): string | null {
  const title = written
    .trim()
    .replace(/[.,]{1,3}$/u, '')
    .trim();
  return /\p{L}|^\d{2,4}$/u.test(title) ? title : null;
}
