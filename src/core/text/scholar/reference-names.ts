/** In UTF-16 units: what stands before a title is read for names up to here. */
const AUTHORS_LENGTH_MAX = 2_000;
const AUTHORS_MAX = 100;

const PARTICLE =
  "(?:(?:van|von|de|den|der|del|della|di|da|du|dos|la|le|ter|ten|bin|al|el|st\\.)[ \\u00a0'’-]{1,2}){0,3}";
const FAMILY = `${PARTICLE}(?:[dDlLO]['’])?\\p{Lu}[\\p{L}\\p{M}'’-]{0,40}(?:[ \\u00a0-]\\p{Lu}[\\p{L}\\p{M}'’-]{1,40}){0,2}`;
const INITIALS = '(?:\\p{Lu}\\p{Ll}{0,2}\\.[ \\u00a0-]{0,2}){1,5}';
const SUFFIX = '(?:,?[ ](?:Jr\\.?|Sr\\.?|II|III|IV)(?=[,.\\s]|$))?';
/** `Smith, J. A.` */
const INVERTED_INITIALS = new RegExp(`${FAMILY},[ \\u00a0]{1,2}${INITIALS}${SUFFIX}`, 'gu');
/** `J. A. Smith` */
const DIRECT_INITIALS = new RegExp(`(?<![\\p{L}.])${INITIALS}${FAMILY}`, 'gu');
/** `Smith JA` */
const VANCOUVER = new RegExp(`(?<![\\p{L}])${FAMILY}[ ]\\p{Lu}{1,3}(?=[,.;]|$)`, 'gu');

/** A name as it stands in a reference, and the part by which the text cites it. */
export interface ReferenceName {
  readonly written: string;
  readonly family: string;
}

/** The authors that stand at the beginning of a reference; an organisation is one name. */
export function namesIn(part: string): ReferenceName[] {
  return personsIn(part) ?? wholeNames(trimmed(part));
}

/** People with initials; null where a text is not a list of such names. */
export function personsIn(part: string): ReferenceName[] | null {
  const text = trimmed(part);
  for (const [pattern, familyOf] of FORMS) {
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

const DIRECT_LEAD = new RegExp(`^(?:${INITIALS}${FAMILY}(?:,? and |, )){1,20}(?=\\p{Lu}\\p{Ll})`, 'u');

const VANCOUVER_LEAD = new RegExp(
  `^(?:${FAMILY} \\p{Lu}{1,3}, ){0,40}(?:${FAMILY} \\p{Lu}{1,3}|et al)\\. (?=\\S)`,
  'u',
);

/** The names of the forms `J. Smith, A. Lee, ` and `Smith J, Lee A. ` with which a reference begins; null where it does not. */
export function leadingNames(text: string): string | null {
  const head = text.slice(0, AUTHORS_LENGTH_MAX);
  return (DIRECT_LEAD.exec(head) ?? VANCOUVER_LEAD.exec(head))?.[0] ?? null;
}

type Form = readonly [pattern: RegExp, familyOf: (written: string) => string];

const FORMS: readonly Form[] = [
  [INVERTED_INITIALS, (written) => written.split(',')[0] ?? written],
  [DIRECT_INITIALS, (written) => written.replace(new RegExp(`^${INITIALS}`, 'u'), '')],
  [VANCOUVER, (written) => written.replace(/ \p{Lu}{1,3}$/u, '')],
];

/** Whether the names are what the text consists of, and not a few words in it. */
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
    .split(/,\s{1,3}(?:and |& )?|\s(?:and|&)\s/u)
    .filter((each) => each !== '');
  const isPerson =
    given !== undefined &&
    /^\p{Lu}[\p{L}\p{M}.'’-]{0,30}(?: [\p{L}\p{M}.'’-]{1,30}){0,3}$/u.test(given) &&
    wordsOf(first) <= 3;
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

function wordsOf(text: string): number {
  return text.split(/\s+/u).length;
}
