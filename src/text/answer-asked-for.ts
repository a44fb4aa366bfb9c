import { datesIn } from './dates';
import { firstNot, matchesIn, type Place, placeOf } from './places';

type SentenceOfPassage = Place & { readonly passage: number };

/** By how much more a sentence counts that has what the question asks for; 0 for one that answers another question. */
export function factorAskedFor(
  question: string,
  passages: readonly { readonly text: string }[],
): (sentence: SentenceOfPassage) => number {
  const [, role] = ROLE_ASKED_FOR.exec(question) ?? [];
  if (role !== undefined) {
    const factorOf = factorOfRole(role);
    return ({ text }) => factorOf(text);
  }
  if (TIME_ASKED_FOR.test(question)) {
    const tellsTime = withTime(passages);
    return (sentence) => (tellsTime(sentence) ? TIME_FACTOR : 1);
  }
  return () => 1;
}

/** "Since when", "¿Cuándo", "In welchem Jahr". */
const TIME_ASKED_FOR =
  /^\P{L}{0,3}(?:\p{L}{1,6} )?(?:when|(?:what|which) (?:time|day|date|year)|wann|welche[mnrs] (?:tag|datum|jahr)|quand|cuándo|qué (?:día|año)|quando|когда)(?!\p{L})/iu;
const WEEKDAYS = ['en', 'de', 'fr', 'es', 'it', 'pt'].flatMap((locale) => {
  const names = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  return Array.from({ length: 7 }, (_, day) => names.format(Date.UTC(2024, 0, day + 1)));
});
const YEAR_OR_TIME = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,])(?:1\d\d\d|20\d\d|[0-2]?\d(?:[:h][0-5]\d| ?[ap]\.?m\.?| ?Uhr| heures)|(?:${WEEKDAYS.join('|')}|weekday|weekend|noon|midnight)s?)(?![\p{L}\p{N}])`,
  'giu',
);
/** How much more a sentence counts that tells a time. */
const TIME_FACTOR = 1.5;

function withTime(passages: readonly { readonly text: string }[]): (sentence: SentenceOfPassage) => boolean {
  const times = passages.map(({ text }) =>
    [...matchesIn(text, YEAR_OR_TIME).map(placeOf), ...datesIn(text)]
      .map(({ start }) => start)
      .sort((one, other) => one - other),
  );
  return ({ passage, start, end }) => {
    const starts = times[passage] ?? [];
    return (starts[firstNot(starts, (each) => each < start)] ?? end) < end;
  };
}

/** "Who is the client?", "Wer ist der Verkäufer?" */
const ROLE_ASKED_FOR =
  /^\P{L}{0,3}(?:who|wer|qui|quién|chi)(?:['’]s| (?:is|are|was|were|ist|sind|est|es|è)) (?:(?:the|our|your|der|die|das|le|la|el|il) |l['’])(\p{L}{3,30}(?: \p{L}{3,30})?)(?: (?:in|under) (?:this|the) \p{L}{1,20})?\P{L}{0,3}$/iu;
/** How much more a sentence counts that names who has the role. */
const ROLE_FACTOR = 10;

/** Who is the client tells `Acme Ltd (the "Client")` or "the client, Acme", and no sentence on what the client has to do. */
function factorOfRole(role: string): (sentence: string) => number {
  const lower = role.toLowerCase();
  const forms = [
    lower,
    lower.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase()),
    lower.toUpperCase(),
  ];
  const written = `(?<!\\p{L})(?:${forms.join('|')})`.replaceAll(/ies(?=[|)])/g, '(?:y|ies)');
  const named = new RegExp(
    `["“„«][^"“”„«»()]{0,40}${written} ?["”“»]|\\((?:(?:the|der|die|das) )?${written}\\)|${written}(?:,|:| is| are| was| ist| est| es| è)[*_]{0,2} \\p{Lu}|(?:,| as| is| was| als| ist) (?:(?:the|der|die|das) )?${written}(?=[,.;)]|$)`,
    'u',
  );
  const duty = new RegExp(
    `\\bshall\\b|${written} (?:may|must|will(?! be)|(?:is|are) (?:not|to|allowed|entitled|liable|obliged|permitted|required|responsible))(?!\\p{L})`,
    'u',
  );
  return (sentence) => (named.test(sentence) ? ROLE_FACTOR : duty.test(sentence) ? 0 : 1);
}

const NUMBER_ASKED_FOR =
  /\bwhat(?:['’]s| is| was) (?:[a-z'’]+ ){0,3}?(?!the|this|that|your|our|his|her|its|max|min|total)([a-z]{3,40}) number\b(?! of)/i;
const NUMBER = /^(?:[\s:#№.(]|numbers?|no|nr|is|was|at){1,9}(?:[A-Z-]{1,8} ?)?\+?\d/u;

/** "The invoice number" is what is called so, or a number right behind its name, and no other of a text on invoices. */
export function withNumberAskedFor(question: string): ((sentence: string) => boolean) | null {
  const [, numbered] = NUMBER_ASKED_FOR.exec(question) ?? [];
  if (numbered === undefined) {
    return null;
  }
  const named = new RegExp(numbered, 'i');
  const called = new RegExp(`\\b${numbered} (?:number|n[or]\\.)`, 'i');
  const label = new RegExp(`(?:${numbered}|\\b(?:numbers?|no|nr))(?![a-z])`, 'gi');
  return (sentence) =>
    called.test(sentence) ||
    (named.test(sentence) &&
      [...sentence.matchAll(label)].some((found) => {
        const end = found.index + found[0].length;
        return NUMBER.test(sentence.slice(end, end + 80));
      }));
}
