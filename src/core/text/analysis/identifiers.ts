import type { Entity } from './entity';
import { placeOf, type Place } from './places';

const EMAIL =
  /(?<![\p{L}\p{N}._%+\-])[A-Za-z0-9][A-Za-z0-9._%+\-]{0,63}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,6}(?![\p{L}\p{N}])/gu;
const URL_TEXT = /(?<![\p{L}\p{N}])(?:https?:\/\/|www\.)[^\s<>"'“”«»`]{2,2000}/giu;
const DOI = /(?<![\p{L}\p{N}])10\.\d{4,9}\/[^\s"<>“”]{1,200}/gu;
const UUID =
  /(?<![\p{L}\p{N}-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\p{L}\p{N}-])/giu;
const IBAN = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![\p{L}\p{N}])/gu;
const ISBN =
  /(?<![\p{L}\p{N}-])(?:97[89][ -]?)?\d{1,5}[ -]?\d{1,7}[ -]?\d{1,7}[ -]?[\dXx](?![\p{L}\p{N}-])/gu;
/** Letters, a hyphen and digits: "INV-2026-001". */
const CODE =
  /(?<![\p{L}\p{N}\-/])[A-Z]{2,8}[-/]\d{2,12}(?:[-/][A-Z0-9]{1,12}){0,4}(?![\p{L}\p{N}])(?!-\p{L})/gu;
/** What follows its label: "Order No. 4711", "Ref: A/5". */
const LABELLED =
  /(?<![\p{L}\p{N}])(?:invoice|order|case|ticket|reference|ref|account|contract|policy|customer|serial|docket|tracking|purchase order|po|vat|tax id|ein|rechnung|rechnungsnummer|kundennummer|vertragsnummer|aktenzeichen)[ \t]{0,3}(?:no\.?|number|nr\.?|num\.?|id|#|№)?[ \t]{0,3}[:#]?[ \t]{0,3}(?<code>[A-Z0-9][A-Z0-9/\-]{2,30}\d|\d{3,20})(?![\p{L}\p{N}])(?!\.\d)/giu;
/** A country code, or the American form. */
const PHONE =
  /(?<![\p{L}\p{N}+.\-])(?:\+\d{1,3}[ .\-]?(?:\(\d{1,5}\)[ .\-]?)?\d{1,5}(?:[ .\-/]?\d{1,5}){1,6}|\(\d{3}\) ?\d{3}[ .\-]\d{4}|\d{3}[.\-]\d{3}[.\-]\d{4})(?![\p{L}\p{N}])/gu;
const LABELLED_PHONE =
  /(?<![\p{L}\p{N}])(?:phone|tel|telephone|telefon|fax|mobile|mobil|cell|call)\.?[ \t]{0,3}:?[ \t]{0,3}(?<code>\(?\d{2,5}\)?(?:[ .\-/]{1,3}\d{1,6}){1,6})(?![\p{L}\p{N}])/giu;

/** E-mail addresses, addresses of pages, telephone numbers and identifiers, those first that may hold another. */
export function identifiersIn(text: string): Entity[] {
  const all = (pattern: RegExp) => [...text.matchAll(pattern)];
  return [
    ...all(EMAIL).map((match) => entity('email', placeOf(match), (found) => found.toLowerCase())),
    ...all(URL_TEXT).map((match) => entity('url', withoutEnd(placeOf(match)), linkOf)),
    ...all(DOI).map((match) =>
      entity('identifier', withoutEnd(placeOf(match)), (found) => found.toLowerCase()),
    ),
    ...all(UUID).map((match) => entity('identifier', placeOf(match), (found) => found.toLowerCase())),
    ...checked(all(IBAN), isIban),
    ...checked(all(ISBN), isIsbn),
    ...phones(all(PHONE).map(placeOf)),
    ...phones(all(LABELLED_PHONE).map(codeOf)),
    ...all(LABELLED).map((match) => entity('identifier', codeOf(match), (found) => found)),
    ...all(CODE).map((match) => entity('identifier', placeOf(match), (found) => found)),
  ];
}

function entity(type: Entity['type'], place: Place, valueOf: (text: string) => string): Entity {
  return { type, ...place, value: valueOf(place.text) };
}

/** The place of the group `code` of a match, at whose end it stands. */
function codeOf(match: RegExpExecArray): Place {
  const text = match.groups?.['code'] ?? '';
  const end = match.index + match[0].length;
  return { text, start: end - text.length, end };
}

/** Marks at the end of an address belong to the sentence around it, and so does a bracket that it does not open. */
function withoutEnd({ text, start }: Place): Place {
  let end = text.length;
  while (end > 0 && isSentenceMark(text, end)) {
    end -= 1;
  }
  return { text: text.slice(0, end), start, end: start + end };
}

function isSentenceMark(text: string, end: number): boolean {
  const last = text[end - 1] ?? '';
  return /[.,;:!?*_\]}]/u.test(last) || (last === ')' && !text.slice(0, end).includes('('));
}

function linkOf(found: string): string {
  return /^www\./iu.test(found) ? `http://${found}` : found;
}

function phones(found: readonly Place[]): Entity[] {
  return found.flatMap((place) => {
    const digits = place.text.replaceAll(/\D/gu, '');
    const value = place.text.startsWith('+') ? `+${digits}` : digits;
    return digits.length >= 7 && digits.length <= 15 ? [entity('phone', place, () => value)] : [];
  });
}

function checked(found: readonly RegExpExecArray[], isValid: (code: string) => boolean): Entity[] {
  return found.flatMap((match) => {
    const code = match[0].replaceAll(/[ -]/gu, '').toUpperCase();
    return isValid(code) ? [entity('identifier', placeOf(match), () => code)] : [];
  });
}

/** ISO 13616: moved and read as a number, it leaves 1 when divided by 97. */
function isIban(code: string): boolean {
  const moved = code.slice(4) + code.slice(0, 4);
  let rest = 0;
  for (const character of moved) {
    const number = Number.parseInt(character, 36);
    rest = (rest * (number > 9 ? 100 : 10) + number) % 97;
  }
  return code.length >= 15 && code.length <= 34 && rest === 1;
}

/** ISO 2108, with 13 digits or the older 10. */
function isIsbn(code: string): boolean {
  const digits = [...code].map((character) => (character === 'X' ? 10 : Number(character)));
  if (code.length === 13 && /^97[89]\d{10}$/u.test(code)) {
    return digits.reduce((sum, digit, index) => sum + digit * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0;
  }
  // Ten digits alone may be anything, and every eleventh number passes the check.
  return false;
}
