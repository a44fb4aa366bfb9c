import type { Entity } from './entity';
import { FIRST_NAMES, NOT_SURNAME_WORDS } from './known-names';
import { organizationsIn } from './organizations';
import type { Place } from './places';

const TITLES =
  'Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Dame|Lord|Lady|Judge|Justice|Senator|Hon|Rev|Capt|Captain|Herr|Herrn|Frau|Monsieur|Madame|Señor|Señora|Don|Doña';
/** "O'Neil", "Müller-Lüdenscheid", "McDonald". */
const SURNAME = String.raw`\p{Lu}[\p{L}\p{M}]{1,24}(?:['’\-]\p{Lu}?[\p{L}\p{M}]{1,24}){0,2}`;
const INITIAL = String.raw`\p{Lu}\.(?:[ ]?\p{Lu}\.){0,2}`;
const PARTICLE =
  '(?:van der|van den|van de|van|von der|von|de la|de|del|da|dos|du|di|bin|ibn|al|el|le|la|zu|ter)';
const GAP = '[ \\u00a0]';
const TITLED = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:${TITLES})\\.?${GAP}){1,3}(?<name>(?:(?:${INITIAL}|${SURNAME})${GAP}(?:${PARTICLE}${GAP})?){0,3}${SURNAME})`,
  'gu',
);
const RUN = new RegExp(
  `(?<![\\p{L}\\p{N}'’-])(?<first>\\p{Lu}[\\p{L}\\p{M}]{1,20}(?:-\\p{Lu}[\\p{L}\\p{M}]{1,20})?)(?:${GAP}(?:${INITIAL}|${SURNAME})){0,2}?${GAP}(?:${PARTICLE}${GAP})?(?<last>${SURNAME})(?![\\p{L}\\p{N}])`,
  'gu',
);
/** Lines that list people. */
const LABELLED =
  /^[ \t>*#\-]{0,8}(?:\*\*)?(?:attendees|present|participants|authors?|from|cc|contact|contact person|media contact|press contact|signed by|signed|speakers?|tenant|landlord|employee|employer|owner|chair|chairperson|minutes|facilitator|apologies|absent|teilnehmer|anwesend|verfasser|ansprechpartner)(?:\*\*)?[ \t]{0,3}:(?:\*\*)?[ \t]{1,4}(?<list>[^\n]{1,600})$/gimu;
const WHOLE_NAME = new RegExp(
  `^(?:${SURNAME}|${INITIAL})(?:${GAP}(?:${PARTICLE}${GAP})?(?:${INITIAL}|${SURNAME})){1,3}$`,
  'u',
);

/** Persons and organisations that a text marks as such; organisations win where both claim the same words. */
export function namesIn(text: string): Entity[] {
  const persons = [...titled(text), ...firstNames(text), ...listed(text)];
  return [
    ...organizationsIn(text),
    ...persons.map((place) => ({ type: 'person' as const, ...place, value: null })),
  ];
}

/** The title is no part of the name, so that "Dr. Chen" and "Chen" are the same. */
function titled(text: string): Place[] {
  return [...text.matchAll(TITLED)].map((match) => {
    const words = (match.groups?.['name'] ?? '').split(/[ \u00a0]/u);
    // "Mr. Lee In" at the end of a line: function words end the name.
    const stop = words.findIndex((word, index) => index > 0 && NOT_SURNAME_WORDS.has(word));
    const name = words.slice(0, stop === -1 ? words.length : stop).join(' ');
    const start = match.index + match[0].length - (match.groups?.['name']?.length ?? 0);
    return { text: name, start, end: start + name.length };
  });
}

/** A known first name and what stands behind it like a surname. */
function firstNames(text: string): Place[] {
  const found: Place[] = [];
  RUN.lastIndex = 0;
  for (let match = RUN.exec(text); match; match = RUN.exec(text)) {
    const { first = '', last = '' } = match.groups ?? {};
    const isKnown = FIRST_NAMES.has(first.split('-')[0] ?? '');
    if (isKnown && !NOT_SURNAME_WORDS.has(last) && last !== last.toUpperCase()) {
      found.push({ text: match[0], start: match.index, end: match.index + match[0].length });
    } else {
      // The next word may be a first name: "When Anna Becker".
      RUN.lastIndex = match.index + first.length;
    }
  }
  return found;
}

function listed(text: string): Place[] {
  return [...text.matchAll(LABELLED)].flatMap((match) => {
    const list = match.groups?.['list'] ?? '';
    const from = match.index + match[0].length - list.length;
    const places: Place[] = [];
    let offset = 0;
    for (const part of list.split(/(?<=[,;])|(?= \()|(?= and | & | und )/u)) {
      const name = part.replace(/^(?: and | & | und |\s)+/u, '').replace(/[,;.\s]+$/u, '');
      const start = from + offset + part.indexOf(name);
      offset += part.length;
      if (WHOLE_NAME.test(name) && !name.split(' ').some((word) => NOT_SURNAME_WORDS.has(word))) {
        places.push({ text: name, start, end: start + name.length });
      }
    }
    return places;
  });
}
