import type { Entity } from './entity';
import { AMBIGUOUS_PLACES, PLACES } from './known-places';
import { placeOf } from './places';

/** The known places by their first word, the longest first. */
const BY_FIRST_WORD = new Map<string, string[]>();
for (const place of [...PLACES].sort((one, other) => other.length - one.length)) {
  const first = /^[\p{L}]+/u.exec(place)?.[0] ?? place;
  BY_FIRST_WORD.set(first, [...(BY_FIRST_WORD.get(first) ?? []), place]);
}
const CAPITALISED = /(?<![\p{L}\p{N}'’-])\p{Lu}\p{L}{1,30}/gu;
const BEFORE_PLACE =
  /(?<![\p{L}])(?:in|from|to|near|at|of|across|throughout|within|outside|between|visiting|leaving|aus|nach|à)\s{1,3}$/iu;
const AFTER_COMMA = /\p{L},\s{1,3}$/u;
/** What makes a name of a place part of another name: "Paris Hilton", "Berlin-based" is still Berlin. */
const CONTINUES = /^[ \t\u00a0]{1,2}\p{Lu}\p{Ll}/u;
const STREET_KINDS =
  'Street|St\\.?|Avenue|Ave\\.?|Road|Rd\\.?|Boulevard|Blvd\\.?|Lane|Ln\\.?|Drive|Dr\\.?|Way|Square|Court|Place|Parkway|Terrace|Highway|Quay';
const ADDRESS = new RegExp(
  String.raw`(?<![\p{L}\p{N}])\d{1,5}[A-Za-z]?[ ](?:(?:N|S|E|W|North|South|East|West)\.?[ ])?(?:[\p{Lu}\d][\p{L}\d'’.]{0,20}[ ]){1,4}(?:${STREET_KINDS})(?![\p{L}\p{N}])`,
  'gu',
);
const GERMAN_ADDRESS =
  /(?<![\p{L}\p{N}])\p{Lu}\p{L}{1,25}(?:straße|strasse|str\.|weg|platz|allee|gasse)[ ]\d{1,4}[a-z]?(?![\p{L}\p{N}])/gu;

/** Addresses of streets, and places of a list: countries, states, large cities. */
export function locationsIn(text: string): Entity[] {
  const addresses = [...text.matchAll(ADDRESS), ...text.matchAll(GERMAN_ADDRESS)];
  return [
    ...addresses.map((match) => ({ type: 'location' as const, ...placeOf(match), value: null })),
    ...knownPlaces(text),
  ];
}

function knownPlaces(text: string): Entity[] {
  const found: Entity[] = [];
  let end = 0;
  for (const { 0: first, index } of text.matchAll(CAPITALISED)) {
    const name = index < end ? undefined : placeAt(text, first, index);
    if (name !== undefined) {
      end = index + name.length;
      found.push({ type: 'location', text: name, start: index, end, value: null });
    }
  }
  return found;
}

function placeAt(text: string, first: string, index: number): string | undefined {
  return BY_FIRST_WORD.get(first)?.find((name) => {
    const end = index + name.length;
    if (!text.startsWith(name, index) || /[\p{L}\p{N}]/u.test(text[end] ?? '')) {
      return false;
    }
    const before = text.slice(Math.max(0, index - 14), index);
    const isNamedAsPlace = BEFORE_PLACE.test(before);
    return AMBIGUOUS_PLACES.has(name)
      ? (isNamedAsPlace || AFTER_COMMA.test(before)) && !CONTINUES.test(text.slice(end, end + 4))
      : isNamedAsPlace || !CONTINUES.test(text.slice(end, end + 4));
  });
}
