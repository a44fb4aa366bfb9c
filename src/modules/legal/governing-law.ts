import type { LegalGoverningLaw } from '../../../generated/types';
import { type Place, unmarkedLines } from '../../text/places';

const NAME =
  String.raw`(?:[Tt]he )?((?:(?:Republic|Federal Republic|Kingdom|Commonwealth|[Ss]tate|[Pp]rovince|Canton|Principality|Emirate) of (?:the )?)?` +
  String.raw`\p{Lu}[\p{L}’'-]{0,30}(?:(?: (?:and|&|of|the) (?:the )?| )\p{Lu}[\p{L}’'-]{0,30}){0,6})`;
const LAWS_OF = new RegExp(String.raw`\b[Ll]aws?(?: in force)? (?:of|in) ${NAME}`, 'u');
const NAMED_LAW =
  /\b(?!(?:Union|Applicable|Governing|Choice|Common|This|Any|Law)\b)\p{Lu}\p{L}{1,30}(?: \p{Lu}\p{L}{1,30})? [Ll]aw\b/u;
const BARE_NAME = new RegExp(`^${NAME}`, 'u');
const GOVERNS =
  /\b(?:govern(?:ed|s|ing)?|construed|interpret(?:ed|ation)|enforce(?:d|ment) in accordance|applies to th(?:is|e)|shall apply|to be determined|decided,? under|subject exclusively to|subject to (?:the )?(?:laws? of|[a-z]{3,20} law)|(?:applicable|proper) law|choice of law)\b/i;
/** In UTF-16 units. So far before these words the law may be named: "The laws of Ontario govern this lease." */
const NAMED_BEFORE_MAX = 60;
const HEADING =
  /^[\s\d.()§:–-]{0,12}(?:governing law|applicable law|choice of law|law)\b(?: and [a-z]{1,20})?\s{0,3}[.:–-]?\s{0,3}/i;
const HEADING_LENGTH_MAX = 60;
/** A law that a party, a company or a deed is subject to is not the contract's. */
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
/** A law for one case is not the contract's; what stands behind "otherwise" is. */
const CONDITION =
  /^(?:[Ii]f|[Ww]here|[Ww]hen|[Ss]hould|[Ff]or (?:\p{L}{1,20} )?(?:[Cc]ustomers|[Uu]sers|[Cc]onsumers|[Cc]lients|[Ee]mployees|[Rr]esidents))\b|\b(?:[Ll]aws? of (?:the )?\p{Lu}[\p{L} ]{1,40}?|\p{Lu}\p{L}{1,30} [Ll]aw),? (?:but )?(?:only )?(?:if|where|when|provided that|in case)\b/u;
/** A schedule may have its own law. */
const OF_SCHEDULE =
  /^(?:(?:as regards|for|in respect of|with respect to) )?(?:(?:this|the|each) )?(?:\p{L}{3,20} (?:in|of|under) )?(?:schedule|annex|appendix|exhibit|attachment)\b(?!.{0,40}\band (?:this|the) (?:agreement|contract)\b)/iu;
/** What an amendment puts in place of a clause stands behind these words. */
const REPLACED =
  /^.*\b(?:replac|substitut|amend)(?:ed|ing)\b.{0,80}?\b(?:by|with|to read(?: as follows)?)\b(?=.{0,200}\b[Ll]aw)/u;
const NO_LAW =
  /^(?:This|Any|All|Some|Such|Each|Either|No|If|The|Disputes?|Licensor|Company)\b|\bJurisdiction$|^(?:.{0,60} Member )?State$/;
/** Ends of sentences, items and headings; an item or a heading may name the law as well as a sentence. */
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
  const told = cases
    .filter((each) => !CONDITION.test(each))
    .join('; ')
    .replace(SET_ASIDE, '');
  const near = told.slice(Math.max(0, told.search(GOVERNS) - NAMED_BEFORE_MAX));
  const law =
    LAWS_OF.exec(near)?.[1] ??
    NAMED_LAW.exec(near)?.[0] ??
    (isHeaded ? BARE_NAME.exec(told)?.[1] : undefined);
  return law === undefined || NO_LAW.test(law) ? null : law.replace(/[.’']$/u, '');
}
