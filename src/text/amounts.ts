import { detectLanguage } from './detect-language';
import { longestFirst, matchesIn, type Place, placeOf, unmarkedText, withoutOverlaps } from './places';
import { UNSPACED_SCRIPTS, withPlainDigits } from './searchable-text';
import { cellsApart } from './tables';

export interface FoundAmount extends Place {
  readonly amount: string;
  /** ISO 4217; null for a name that several countries' currencies share, such as "kr". "$" alone means USD. */
  readonly currency: string | null;
}

const SIGNS: ReadonlyMap<string, string | null> = new Map(
  `us$=USD|c$=CAD|ca$=CAD|a$=AUD|au$=AUD|nz$=NZD|hk$=HKD|nt$=TWD|s$=SGD|r$=BRL|$=USD|€=EUR|£=GBP|¥=JPY|zł=PLN|tl=TRY|rs.=|kč=CZK|kr=|kr.=|fr.=CHF|us dollars=USD|u.s. dollars=USD|
    united states dollars=USD|canadian dollars=CAD|australian dollars=AUD|dollars=USD|dollar=USD|euros=EUR|
    euro=EUR|pounds sterling=GBP|swiss francs=CHF|schweizer franken=CHF|yen=JPY|rupees=INR|yuan=CNY|
    元=CNY|人民币=CNY|美元=USD|欧元=EUR|日元=JPY|円=JPY|원=KRW|руб.=RUB|руб=RUB|рублей=RUB|рубля=RUB|грн=UAH|
    лв.=BGN|лв=BGN|lei=RON|гривень=UAH|гривні=UAH|złotych=PLN|kronor=SEK|kroner=|korun=CZK|forint=HUF|baht=THB|บาท=THB|đồng=VND|ευρώ=EUR|евро=EUR|
    रुपये=INR|रुपए=INR|שקלים=ILS|ש"ח=ILS|ש״ח=ILS|ر.س=SAR|د.إ=AED|ج.م=EGP|ريال=|درهم=|جنيه=|دينار=|
    ؋=AFN|֏=AMD|₼=AZN|৳=BDT|₡=CRC|₾=GEL|₪=ILS|₹=INR|⃀=KGS|៛=KHR|₩=KRW|₸=KZT|₭=LAK|₮=MNT|₦=NGN|₱=PHP|₲=PYG|₽=RUB|฿=THB|₺=TRY|₴=UAH|₫=VND`
    .split(/\|\s*/u)
    .map((pair) => pair.split('='))
    .map(([name = '', code = '']) => [name, code || null]),
);
/** As written: "rs", "ft" and "try" are words of other languages and units. Rupees are those of several countries. */
const CODES: ReadonlyMap<string, string | null> = new Map(
  `USD EUR GBP JPY CHF CAD AUD NZD CNY INR SEK NOK DKK PLN CZK HUF RON BGN TRY BRL MXN ZAR SGD HKD TWD KRW
  THB IDR MYR PHP VND ILS AED SAR EGP RUB UAH ARS CLP COP
  Ft=HUF RM=MYR Rp=IDR S/=PEN Rs=`
    .split(/\s+/)
    .map((each) => each.split('='))
    .map(([name = '', code = name]) => [name, code || null]),
);
/** An Italian "she", English feet and the mark of the German Reich. */
const WORD_OF: ReadonlyMap<string, string> = new Map([
  ['lei', 'it'],
  ['Ft', 'en'],
  ['RM', 'de'],
]);
/** Dollars whose country stands behind: "$100 CAD", but "$100, CAD 50". */
const COUNTRY_BEHIND = /[ \u00a0]?(AUD|CAD|HKD|MXN|NZD|SGD|TWD)(?![\p{L}\p{N}]|[ \u00a0]?[\p{N}$])/uy;
const SCALES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    'k thousand tausend mil tsd tys tis duizend тыс тысяч тис': 3,
    'lakh lakhs': 5,
    'm mm mn mio mln mill million millions millionen millón millones milione milioni milhão milhões': 6,
    'miljoen miljoenen miljon miljoner milion miliony milionów milyon juta млн миллион миллиона миллионов': 6,
    'crore crores': 7,
    'bn b bln billion billions mrd mld milliarde milliarden milliard milliards miliardo miliardi': 9,
    'miljard miljarder miliard miliardy miliardów milyar miliar bilhão bilhões млрд миллиард миллиарда': 9,
    'миллиардов mil_millones mil_milhões': 9,
    'trillion trillions tn trn billionen lakh_crore': 12,
    '万 萬 만': 4,
    '亿 億 억': 8,
  }).flatMap(([names, zeros]) => names.split(' ').map((name) => [name.replace('_', ' '), zeros] as const)),
);

/** In front of a number these are the ends of words: "公元2000年", "회원 100명". */
const UNIT = '[元円원]';
const WRITTEN_BEFORE = longestFirst([
  ...[...SIGNS.keys()].filter(
    (sign) => !/^(?:[a-z. ]+|[元円원]|[\p{L}\p{M}]{4,})$/u.test(sign) || /^(?:kr|rs)\.?$/.test(sign),
  ),
  ...CODES.keys(),
]);
const WRITTEN_AFTER = longestFirst([...SIGNS.keys(), ...CODES.keys()]);

/** Not the year of a date in the next cell: "EUR 80,2027-04-15". */
const DECIMALS = String.raw`(?:[.,](?!\d{4}-\d)\d{1,4})?`;
/** All lengths are bounded. */
const NUMBER = String.raw`(?:\d{1,3}(?:[,.'’ \u00a0\u202f]\d{2,3}){0,5}[,.'’ \u00a0\u202f]\d{3}(?!\d)${DECIMALS}|\d{1,15}${DECIMALS})`;
/** What stands before the last number of "1億2000万" and of "3만 5,000". */
const HEAD = String.raw`(?<head>(?:\d{1,4}(?:[亿億]|억 ?))?(?:\d{1,4}(?:[万萬]|만 ?))?(?=\d))`;
const HAN_SCALE = '[万萬만亿億억千천百백十십]';
/** Where no spaces are written a letter may stand beside an amount. */
const LETTER = `(?![${UNSPACED_SCRIPTS}])\\p{L}`;
const SCALE = String.raw`(?:[ \u00a0-]?(?<scale>${longestFirst(SCALES.keys())})(?!${LETTER}|\p{N})\.?)?`;
const SPACE = String.raw`[ \u00a0\u202f]{0,3}`;
/** A comma belongs to a number only after another number: "Acme,80.50 EUR". */
const STARTS = String.raw`(?<!${LETTER}|[\p{N}$€£¥.第제]|[\p{N}$€£¥],|${HAN_SCALE}|\d[만억천백십] )`;
const SIGN = `(?<sign>(?:(?<!${UNIT})[-−])?)`;
/** Words between a currency and the scale of its number, or of the range that begins with it. */
const RUN = String.raw`(?:[\d., \u00a0\u202f–—-]|to|and|bis){1,40}`;
const LINKING = 'an?|and|as|at|by|for|from|in|is|of|on|or|over|per|the|this|to|was|with';
/** A mill is a tenth of a cent too, a noun or name may follow "tn" and "mill", and "tis" is an English word: "€40 Mill Street". */
const OWN_SCALE = String.raw`(?!(?:[ \u00a0-](?:mill|tn)(?:-|\.?[ ](?!(?:${LINKING})(?!\p{L}))\p{L})|[ \u00a0-]mill(?!${LETTER})(?<=\$${RUN}mill)|[ \u00a0-]?tis(?!${LETTER})))|(?<=(?:kr\.?|SEK|NOK|DKK|CZK|Kč)${RUN})`;
const BEFORE = new RegExp(
  `${STARTS}${SIGN}(?<currency>${WRITTEN_BEFORE})${SPACE}(?<number>[-−]?${HEAD}(?<last>${NUMBER}))(?!\\d)(?:(?:${OWN_SCALE})${SCALE})?(?!${HAN_SCALE})`,
  'giu',
);
/** Neither "元素" nor the first of January in "1月1日元旦". */
const AFTER_ENDS = `(?<!月\\d{1,2}日元)(?:(?<=${UNIT})(?!组(?!合)|[旦素帅气気町周形満칙색소론])|(?<!${UNIT})(?!${LETTER}|\\p{N}))`;
const AFTER = new RegExp(
  `${STARTS}${SIGN}(?<number>${HEAD}(?<last>${NUMBER}))(?!\\d)${SCALE}(?:,[-–—]{1,2})?[ \\u00a0\\u202f-]?(?:d['’]|d[ei] )?(?<currency>${WRITTEN_AFTER})${AFTER_ENDS}`,
  'giu',
);
/** The rest of a range, whose scale counts for both ends: "$10–20 million". */
const UPPER_END = new RegExp(
  `${SPACE}(?:-|–|—|to|and|bis)${SPACE}(?:${WRITTEN_BEFORE})?${SPACE}${NUMBER}(?!\\d)(?:${OWN_SCALE})${SCALE}`,
  'iuy',
);

/** 1,250.00 is read as 1.250,00 and 1 250,00; words alone are no amount. */
export function amountsIn(text: string): FoundAmount[] {
  const cells = cellsApart(withPlainDigits(unmarkedText(text)));
  const others = cells.replaceAll(/\b(?:lei|Ft|RM)\b/gu, '');
  const language = others === cells ? null : detectLanguage(others);
  const isOwn = ({ groups }: RegExpExecArray) =>
    language === null || WORD_OF.get(groups?.['currency'] ?? '') !== language;
  const after = matchesIn(cells, AFTER).filter(isOwn);
  const before = withoutCurrenciesOfOthers(matchesIn(cells, BEFORE).filter(isOwn), after);
  const found = [...before, ...after].flatMap((match) => readAmount(cells, match) ?? []);
  return withoutOverlaps(found).map((amount) => ({ ...amount, text: text.slice(amount.start, amount.end) }));
}

/**
 * In "245,50 € 1.473,00 €" the last currency of the row decides. A sign that touches its number keeps it: "12 $185".
 * "USD 300元" are dollars.
 */
function withoutCurrenciesOfOthers(
  before: readonly RegExpExecArray[],
  after: readonly RegExpExecArray[],
): RegExpExecArray[] {
  const ends = new Set(after.map((match) => match.index + match[0].length));
  const currencyPlaces = new Map(
    after.flatMap((match) => {
      const end = match.index + match[0].length;
      const { currency = '' } = match.groups ?? {};
      return currency === '元' ? [] : [[match.index, end - currency.length] as const];
    }),
  );
  const taken = new Set<number>();
  const isOwn = ({ index, 0: text, groups }: RegExpExecArray) => {
    const { sign = '', currency = '', number = '' } = groups ?? {};
    const currencyStart = index + sign.length;
    const currencyEnd = currencyStart + currency.length;
    const numberStart = index + text.indexOf(number, sign.length + currency.length);
    const gap = numberStart - currencyEnd;
    const next = currencyPlaces.get(numberStart);
    const hasAnother = next !== undefined && !taken.has(next);
    const isFarther = gap > 1 && ends.has(currencyEnd);
    if (gap > 0 && (hasAnother || isFarther)) {
      return false;
    }
    taken.add(currencyStart);
    return true;
  };
  return [...before].reverse().filter(isOwn).reverse();
}

function readAmount(text: string, match: RegExpExecArray): FoundAmount | null {
  const { sign = '', currency = '', number = '', head = '', last = '', scale } = match.groups ?? {};
  const found = placeOf(match);
  const country = currency === '$' ? countryBehind(text, found.end) : null;
  const place = country === null ? found : { ...found, end: country.end };
  const code =
    country?.code ?? (CODES.has(currency) ? CODES.get(currency) : SIGNS.get(currency.toLowerCase()));
  // Fewer than a hundred "TL" may be teaspoons in German, "Ft" feet, "RM" the number of a room.
  const isSmall = !/\d{3}|\d[.,]\d\d$/u.test(number);
  if (code === undefined || (/(?:tl|ft|lei)$|^rm\s/iu.test(found.text) && isSmall)) {
    return null;
  }
  const digits = plainNumber(last, code ?? 'SEK');
  const isShared = head === '' && !/[元円원]$/u.test(currency);
  const shared = scale ?? (isShared ? scaleOfRange(text, found.end) : undefined);
  if (digits === null) {
    return null;
  }
  const isNegative = sign !== '' || /^[-−]/u.test(number);
  const scaleName = shared?.toLowerCase() ?? '';
  // A thousand in Spanish and Portuguese, a million in Czech and Romanian.
  const isMillion = scaleName === 'mil' && (code === 'CZK' || code === 'RON');
  const amount = withHead(head, scaled(digits, isMillion ? 6 : (SCALES.get(scaleName) ?? 0)));
  return { ...place, amount: isNegative ? `-${amount}` : amount, currency: code };
}

function countryBehind(text: string, at: number): { code: string; end: number } | null {
  COUNTRY_BEHIND.lastIndex = at;
  const [written = '', code] = COUNTRY_BEHIND.exec(text) ?? [];
  return code === undefined ? null : { code, end: at + written.length };
}

function scaleOfRange(text: string, at: number): string | undefined {
  UPPER_END.lastIndex = at;
  return UPPER_END.exec(text)?.groups?.['scale'];
}

/** "1.250" is one and a quarter in dollars and pounds, and more than a thousand on the European continent. */
const CONTINENTAL = ['EUR', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN', 'BRL', 'TRY', 'IDR', 'VND', 'HUF', 'RON'];

/** Null where the number's marks contradict each other. */
export function plainNumber(written: string, currency: string | null = null): string | null {
  const number = written.replaceAll(/['’ \u00a0\u202f]/gu, '');
  const marks = [...number.matchAll(/[.,]/g)].map(({ 0: mark, index }) => ({
    mark,
    after: number.length - index - 1,
  }));
  const last = marks.at(-1);
  if (!last) {
    return number;
  }
  const isRepeated = marks.filter(({ mark }) => mark === last.mark).length > 1;
  const isThousands =
    marks.length === 1 &&
    last.after === 3 &&
    !number.startsWith('0') &&
    (last.mark === ',' ||
      CONTINENTAL.includes(currency ?? '') ||
      (currency !== null && /^[1-9]\d{0,2}\.000$/.test(number)));
  if (isRepeated || isThousands) {
    return last.after === 3 && new Set(marks.map(({ mark }) => mark)).size === 1
      ? number.replaceAll(/[.,]/g, '')
      : null;
  }
  const [whole, decimals] = [number.slice(0, -last.after - 1), number.slice(-last.after)];
  return `${whole.replaceAll(/[.,]/g, '')}.${decimals}`;
}

function scaled(digits: string, zeros: number): string {
  const [whole = '0', decimals = ''] = digits.split('.');
  const padded = decimals.padEnd(zeros + 2, '0');
  const shifted = `${whole}${padded.slice(0, zeros)}`.replace(/^0+(?=\d)/, '');
  return `${shifted}.${padded.slice(zeros)}`;
}

function withHead(head: string, amount: string): string {
  const [whole = '0', decimals] = amount.split('.');
  const parts = [...head.matchAll(/(\d+)(\D)/gu)].map(
    ([, part = '', unit = '']) => BigInt(part) * 10n ** BigInt(SCALES.get(unit) ?? 0),
  );
  return `${parts.reduce((sum, part) => sum + part, BigInt(whole))}.${decimals}`;
}
