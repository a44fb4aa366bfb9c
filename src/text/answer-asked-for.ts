import { amountsIn } from './amounts';
import { datesIn } from './dates';
import { FUNCTION_WORDS } from './detect-language';
import { firstNot, matchesIn, type Place, placeOf } from './places';

type SentenceOfPassage = Place & { readonly passage: number };

/** The weight of a sentence that has what the question asks for; 0 where it answers another question. */
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
    const isOther = ofOtherDate(question);
    return (sentence) => (isOther(sentence.text) ? 0 : tellsTime(sentence) ? TIME_FACTOR : 1);
  }
  const [priced, measured] = PRICE_ASKED_FOR.exec(question) ?? [];
  if (priced !== undefined) {
    const tellsPrice = withPriceOf(question.slice(priced.length), measured !== undefined);
    return ({ text }) => (tellsPrice(text) ? 1 : 0);
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
  String.raw`(?<![\p{L}\p{N}.,]|\p{L}[-/])(?:1\d\d\d|20\d\d|[0-2]?\d(?:[:h][0-5]\d| ?[ap]\.?m\.?| ?Uhr| heures)|(?:${WEEKDAYS.join('|')}|weekday|weekend|noon|midnight)s?)(?![\p{L}\p{N}])`,
  'giu',
);
const TIME_FACTOR = 1.5;

/** Of whole passages: searching each sentence for dates would cost twenty times as much. */
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

const OF_BARE_DATE = /^(?:dat|draw|held|issu|made|plac|plan|schedul|sen[dt]|sign|writ)/iu;

/** An "Invoice date:" does not answer when the invoice is due, nor an "Order date:" when it was delivered. */
function ofOtherDate(question: string): (sentence: string) => boolean {
  const [, noun, asked] = /(\p{L}{3,30}) (\p{L}{2,30})\P{L}{0,3}$/u.exec(question) ?? [];
  if (noun === undefined || asked === undefined || OF_BARE_DATE.test(asked)) {
    return () => false;
  }
  const label = new RegExp(`^\\P{L}{0,8}${noun}s? ?(?:date|datum)\\P{L}{0,4}[:|\\t]`, 'iu');
  return (sentence) => label.test(sentence);
}

const PRICE_ASKED_FOR =
  /^\P{L}{0,3}(?:what(?:['’]s| is| are| was| were) the (?:price|cost|fee)s? (?:of|for) |(how much) (?:is|are|was|were) (?=\P{L}*(?:the|a|an|your|our|one) )|(?:what|how much) (?:do|does|did) (?=.{1,60} cost(?!\p{L})))/iu;
const NO_THING = new Set('the your our one does did cost costs'.split(' '));
const PRICE = /(?<!\p{L})(?:price|cost|fee|rent|charge)[sd]?(?!\p{L})/iu;
const NUMBER_IN_ANY_FORM = /\p{N}|hundred|thousand|million/iu;
const IN_WORDS = /(?<!\p{L})(?:euros?|dollars?|pounds?|pence|cents?|francs?|free|nothing)(?!\p{L})/iu;
const PRICE_OF =
  /(?:price|cost|fee|charge)s? (?:of|for) (?!(?:it|this|that|them)(?!\p{L}))|^\P{L}{0,8}(?!(?:it|this|that|they|these|the (?:price|cost))(?!\p{L}))(?:\p{L}{1,30} ){1,6}(?<!(?<!\p{L})(?:it|this|that|they|these) )costs? /iu;

/** "Delivery costs £300" is not the boat's price. @param mayBeMeasure "How much is the dose?" */
function withPriceOf(asked: string, mayBeMeasure: boolean): (sentence: string) => boolean {
  const words = asked.slice(0, 200).match(/\p{L}{3,40}/gu) ?? [];
  const things = words.filter((word) => !NO_THING.has(word.toLowerCase()));
  const named = `(?<!\\p{L})(?:${things.map((word) => word.slice(0, 4)).join('|')})`;
  const thing = new RegExp(named, 'iu');
  const measure = new RegExp(`${named}\\p{L}{0,30}(?: is| are| was| were|:) \\P{L}{0,9}\\p{N}`, 'iu');
  return (sentence) =>
    sentence.startsWith('|') ||
    (PRICE_OF.test(sentence)
      ? thing.test(sentence)
      : (PRICE.test(sentence) && NUMBER_IN_ANY_FORM.test(sentence)) ||
        IN_WORDS.test(sentence) ||
        (mayBeMeasure && measure.test(sentence)) ||
        amountsIn(sentence).length > 0);
}

const ROLE_ASKED_FOR =
  /^\P{L}{0,3}(?:who|wer|qui|quién|chi)(?:['’]s| (?:is|are|was|were|ist|sind|est|es|è)) (?:(?:the|our|your|der|die|das|le|la|el|il) |l['’])(\p{L}{3,30}(?: \p{L}{3,30})?)(?: (?:in|under) (?:this|the) \p{L}{1,20})?\P{L}{0,3}$/iu;
const ROLE_FACTOR = 10;

/** Finds who has the role: `Acme Ltd (the "Client")` or "the client, Acme", but no sentence on the client's duties. */
function factorOfRole(role: string): (sentence: string) => number {
  const lower = role.toLowerCase();
  const forms = [
    lower,
    lower.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase()),
    lower.toUpperCase(),
  ];
  const written = `(?<!\\p{L})(?:${forms.join('|')})`.replaceAll(/ies(?=[|)])/g, '(?:y|ies)');
  const named = new RegExp(
    `["“„«][^"“”„«»()]{0,40}${written} ?["”“»]|\\((?:(?:the|der|die|das) )?${written}\\)|${written}(?:,|:| is| are| was| shall be| ist| est| es| è)[*_]{0,2} \\p{Lu}|(?:,| as| is| was| als| ist) (?:(?:the|der|die|das) )?${written}(?=[,.;)]|$)`,
    'u',
  );
  const duty = new RegExp(
    `\\bshall\\b(?! (?:be|(?:act|serve) as) (?:\\p{Lu}|(?:the )?${written}))|${written} (?:may|must|will(?! be)|(?:is|are) (?:not|to|allowed|entitled|liable|obliged|permitted|required|responsible))(?!\\p{L})`,
    'u',
  );
  const described = new RegExp(`${written}(?:[,:]| (?:is|are|was|were)(?!\\p{L}))`, 'u');
  return (sentence) => {
    if (named.test(sentence)) {
      return ROLE_FACTOR;
    }
    return duty.test(sentence) || (isNameless(sentence) && !described.test(sentence)) ? 0 : 1;
  };
}

function isNameless(sentence: string): boolean {
  const [, first] = /^\P{L}*(\p{L}{1,20})(?!\p{L})\P{Lu}*$/u.exec(sentence) ?? [];
  return first !== undefined && FUNCTION_WORDS.get('en')?.has(first.toLowerCase()) === true;
}

const NUMBER_ASKED_FOR =
  /\bwhat(?:['’]s| is| was) (?:[a-z'’]+ ){0,3}?(?!the|this|that|your|our|his|her|its|max|min|total)([a-z]{3,40}) number\b(?! of)/i;
const NUMBER = /^(?:[\s:#№.(]|numbers?|no|nr|is|was|at){1,9}(?:[A-Z-]{1,8} ?)?\+?\d/u;

/** "The invoice number" is what has that label, or a number right after it, and no other of an invoice's text. */
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
