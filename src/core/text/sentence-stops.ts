import { FUNCTION_WORDS } from './language/function-words';

const listed = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/u));

/**
 * Behind these a word follows whatever its first letter is. "etc." and "usw." are not among them: before a capital they end
 * a sentence more often than not. In lower case, without spaces; in a text the first letter may be a capital.
 */
const OPEN = listed(`mr mrs ms dr prof st vs cf e.g i.e viz
  z.b d.h u.a u.u z.t i.d.r s.o s.u m.e o.ä bzw vgl evtl ggf inkl exkl zzgl einschl sog bspw insb bzgl hrsg
  p.ex c.-à-d mme mlle mgr p.ej bijv dhr mevr t.ex bl.a f.eks tzw tzn т.е т.к ул`);
/** Those that mean something else in other letters: CA is a state, mm a measure. */
const OPEN_AS_WRITTEN = listed(
  'ca Ca Sr Sra Sres Srta Dra Dña Lic Sig Sigg Sig.ra Dott Dott.ssa Avv Ing Dipl Hr Hrn Fr Frl Exmo Exma MM',
);
/** English writes this behind a name, where it may end a sentence: "King Sr. He …" */
const ENGLISH_SENIOR = /(?<!\p{L})(?!Estimad|Distinguid|Querid)\p{Lu}\p{Ll}{2,20} Sr$/u;
/** "EE. UU.", the United States. */
const FIRST_OF_TWO = /^(?:EE UU|\p{Ll} \p{Lu}\p{Ll}?)\./u;
/** What a number or a section sign follows. */
const LABELS = listed(`no nos fig figs eq art arts sec para vol ch p pp
  nr nrn abs ziff rn rz kap bd hs tel lit n núm pág págs pag pagg cap odst čl kl stk blz poz ust pkt ст п стр рис gem
  jan feb mar mär apr jun jul aug sep sept oct okt nov dec dez`);
const WORD = /(?<!\p{L})\p{L}[\p{L}.-]{0,11}$/u;
const SPACED = /(?<!\p{L})\p{L}{1,2}\.(?:[ \u00a0\u202f]?\p{L}{1,2}\.)?[ \u00a0\u202f]?\p{L}{1,2}$/u;
const INITIAL = /(?:^|[.-])\p{Lu}$/u;

/** A number of a day, a century or an edition, and the word before it. */
const ORDINAL =
  /(?:(?<![\p{L}\p{N}])(?<before>\p{L}{1,12})[ \u00a0\u202f]{1,3})?(?<![\p{L}\p{N}.,:])\d{1,2}$/u;
/** Names of months that stand behind an ordinal with a full stop, and those of them that English has too. */
const MONTHS = listed(
  'Januar Jänner Februar Feber März Mär Marts Mai Maj Juni Juli Oktober Okt Dezember Dez Desember',
);
const ENGLISH_MONTHS = listed(
  'April August September November December Jan Feb Apr Jun Jul Aug Sep Sept Nov Dec',
);
/** What stands before an ordinal in German; the second list holds words of other languages too. */
const BEFORE_ORDINAL = listed('am im vom zum zur beim dem der');
const BEFORE_GERMAN_ORDINAL = listed(
  'die das den des ab bis seit und oder jeder jedem jeden ein eine einem einer',
);
const YEAR = /^\p{L}{3,9}\.? \d{4}(?!\d)/u;
const GERMAN_BEGINNINGS = listed('bitte danach deshalb deswegen trotzdem außerdem ferner jedoch');

/** In UTF-16 units: how much before and behind a full stop tells whether it ends a sentence. */
export const STOP_CONTEXT_LENGTH = 24;

/** Whether a full stop belongs to an abbreviation or an initial, so that the sentence goes on with whatever follows it. */
export function isAbbreviation(before: string, after: string): boolean {
  const word = WORD.exec(before)?.[0] ?? '';
  const spaced = SPACED.exec(before)?.[0].replaceAll(/\s/gu, '') ?? '';
  if (OPEN_AS_WRITTEN.has(word)) {
    return !ENGLISH_SENIOR.test(before);
  }
  return (
    INITIAL.test(word) ||
    OPEN.has(word.toLowerCase()) ||
    OPEN.has(spaced.toLowerCase()) ||
    FIRST_OF_TWO.test(`${word} ${after}`)
  );
}

/** Whether a word is one that a number follows, as in "Art. 5"; without a number it ends its sentence, as in "No. We won't." */
export function isLabel(before: string): boolean {
  return LABELS.has(WORD.exec(before)?.[0].toLowerCase() ?? '');
}

/**
 * Whether a full stop makes an ordinal of the number before it, as German writes days: "am 1. März", "im 19. Jahrhundert".
 * The text's language decides where a word is not enough: "There were 12. April came." is English.
 */
export function isOrdinal(before: string, after: string, language: () => string | null): boolean {
  const ordinal = ORDINAL.exec(before);
  const next = /^\p{Lu}[\p{L}-]*/u.exec(after)?.[0] ?? '';
  if (!ordinal || next === '') {
    return false;
  }
  if (MONTHS.has(next)) {
    return true;
  }
  const word = ordinal.groups?.before?.toLowerCase() ?? '';
  const isCertain = BEFORE_ORDINAL.has(word) && !/(?<!\p{L})I am \d+$/u.test(before);
  const isPossible = isCertain || BEFORE_GERMAN_ORDINAL.has(word);
  if (ENGLISH_MONTHS.has(next)) {
    return isCertain || ((isPossible || YEAR.test(after)) && language() !== 'en');
  }
  if (!isPossible || beginsGerman(next)) {
    return false;
  }
  const told = language();
  return told === 'de' || (told === null && isCertain);
}

/** Whether a word with a capital is one that German writes so at the beginning of a sentence only. */
function beginsGerman(word: string): boolean {
  const lower = word.toLowerCase();
  return GERMAN_BEGINNINGS.has(lower) || (FUNCTION_WORDS.get('de')?.has(lower) ?? false);
}
