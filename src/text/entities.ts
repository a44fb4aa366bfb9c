import { addTo } from '../runtime/collections';
import { amountsIn, plainNumber } from './amounts';
import { datesIn } from './dates';
import { detectLanguage } from './detect-language';
import { namesIn } from './names';
import {
  type Entity,
  FINDINGS_MAX,
  longestFirst,
  matchesIn,
  type Place,
  placeOf,
  unmarkedText,
  withoutOverlaps,
} from './places';
import { withPlainDigits } from './searchable-text';
import { cellsApart } from './tables';

const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  `one=1|two=2|three=3|four=4|five=5|six=6|seven=7|eight=8|nine=9|ten=10|eleven=11|twelve=12|thirteen=13|
    fourteen=14|fifteen=15|sixteen=16|seventeen=17|eighteen=18|nineteen=19|twenty=20|twenty-four=24|thirty=30|
    thirty-six=36|forty=40|forty-five=45|sixty=60|ninety=90|one hundred=100|zwei=2|drei=3|vier=4|fünf=5|sechs=6|
    sieben=7|acht=8|neun=9|zehn=10|zwölf=12|vierzehn=14|dreißig=30|deux=2|trois=3|quatre=4|cinq=5|dix=10|
    douze=12|trente=30|dos=2|tres=3|cuatro=4|cinco=5|diez=10`
    .split(/\|\s*/u)
    .map((pair) => pair.split('='))
    .map(([word = '', number]) => [word, Number(number)]),
);
/** ISO 8601; designators of times stand after a T. */
const UNITS: readonly (readonly [names: string, designator: string])[] = [
  ['second seconds sekunde sekunden seconde secondes segundo segundos', 'TS'],
  ['minute minutes minuten minuto minutos', 'TM'],
  ['hour hours stunde stunden heure heures hora horas', 'TH'],
  ['day days tage tagen jour jours día días', 'D'],
  ['week weeks woche wochen semaine semaines semana semanas', 'W'],
  ['month months monat monate monaten mois meses', 'M'],
  ['year years jahr jahre jahren ans année années año años', 'Y'],
];
const DESIGNATORS = new Map(
  UNITS.flatMap(([names, designator]) => names.split(' ').map((name) => [name, designator] as const)),
);

const DURATION = new RegExp(
  String.raw`(?<![\p{L}\p{N}.$€£]|\p{N},)(?:(?<digits>\d{1,6}(?:[.,]\d{1,2})?)|(?<word>${longestFirst(NUMBER_WORDS.keys())}))` +
    String.raw`(?:[ \u00a0]\((?<bracket>\d{1,6})\))?[ \u00a0\-](?:(?<business>business|working|banking|consecutive|calendar)[ \u00a0])?` +
    String.raw`(?<unit>${longestFirst(DESIGNATORS.keys())})(?![\p{L}\p{N}]|[ -]old(?!\p{L}))`,
  'giu',
);
const PERCENTAGE =
  /(?<![\p{L}\p{N}.]|\p{N},)(?<sign>[-−+]?)(?<number>\d{1,9}(?:[.,]\d{1,6})?)[ \u00a0\u202f]?(?:%|percent(?!age)|per cent|prozent)(?![\p{L}\p{N}])/giu;
const TIME =
  /(?<![\p{L}\p{N}.:\-]|\p{N},)(?<hour>[01]?\d|2[0-3]):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d))?(?:[ \u00a0]?(?<half>[ap]\.?m\b\.?))?(?![\p{L}\p{N}])(?![:.]\d)/giu;
const HOUR =
  /(?<![\p{L}\p{N}.:\-]|\p{N},)(?<hour>1[0-2]|0?[1-9])[ \u00a0]?(?<half>[ap]\.?m\b\.?)(?![\p{L}\p{N}])/giu;

/** "18 h 30", "à 14h", "18 Uhr", "18.30 Uhr". "2 h" alone, or after "for", is a duration. */
const HOUR_WORD =
  /(?<![\p{L}\p{N}.:,\-]|(?:pendant|durant|durée|durée de|dure|for|of|in)[ \u00a0])(?<hour>[01]?\d|2[0-3])(?:[ \u00a0]?h[ \u00a0]?(?<minute>[0-5]\d)(?![ \u00a0]?min)|(?<=(?:à|vers|dès)[ \u00a0]\d{1,2})[ \u00a0]?h|(?:[.:](?<minutes>[0-5]\d))?[ \u00a0]Uhr)(?![\p{L}\p{N}])/giu;

function measuresIn(text: string): Entity[] {
  let found: string | null | undefined;
  const language = () => (found === undefined ? (found = detectLanguage(text)) : found);
  return [
    ...matchesIn(text, DURATION).map(duration),
    ...matchesIn(text, PERCENTAGE).map((match) => percentage(match, language)),
    ...[...matchesIn(text, TIME), ...matchesIn(text, HOUR), ...matchesIn(text, HOUR_WORD)].flatMap(timeOfDay),
  ];
}

function duration(match: RegExpExecArray): Entity {
  const { digits, word, bracket, business, unit = '' } = match.groups ?? {};
  const number = bracket ?? digits?.replace(',', '.') ?? NUMBER_WORDS.get(word?.toLowerCase() ?? '');
  const designator = DESIGNATORS.get(unit.toLowerCase()) ?? '';
  const isExact = business === undefined || /^(?:consecutive|calendar)$/iu.test(business);
  const value = `P${designator.length > 1 ? 'T' : ''}${number}${designator.at(-1)}`;
  return { type: 'duration', ...placeOf(match), value: isExact ? value : null };
}

function percentage(match: RegExpExecArray, languageOfText: () => string | null): Entity {
  const { sign, number = '' } = match.groups ?? {};
  const place = placeOf(match);
  if (/^[1-9]\d{0,2},\d{3}$/u.test(number) && mayBeThousands(place.text, languageOfText)) {
    return { type: 'percentage', ...place, value: null };
  }
  const value = plainNumber(number.replace(',', '.'));
  return { type: 'percentage', ...place, value: sign === '-' || sign === '−' ? `-${value}` : value };
}

/** "1,000%" is a thousand in English; "3,125%", "1,000 %" and "1,000 Prozent" are more likely of other languages. */
function mayBeThousands(written: string, languageOfText: () => string | null): boolean {
  if (!written.endsWith('%')) {
    return /cent$/iu.test(written);
  }
  const language = languageOfText();
  return language === 'en' || (language === null && /^[-−+]|0%$/u.test(written));
}

function timeOfDay(match: RegExpExecArray): Entity[] {
  const { hour = '', minutes = '00', minute = minutes, second, half } = match.groups ?? {};
  const isAfternoon = half?.toLowerCase().startsWith('p') ?? false;
  const number = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
  if (half !== undefined && (Number(hour) > 12 || Number(hour) === 0)) {
    return [];
  }
  const parts = [String(number).padStart(2, '0'), minute, ...(second === undefined ? [] : [second])];
  return [{ type: 'time', ...placeOf(match), value: parts.join(':') }];
}

const EMAIL =
  /(?<![\p{L}\p{N}._%+\-])[A-Za-z0-9][A-Za-z0-9._%+\-]{0,63}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,6}(?![\p{L}\p{N}])/gu;
const URL_TEXT = /(?<![\p{L}\p{N}])(?:https?:\/\/|www\.)[^\s<>"'“”«»`]{2,2000}/giu;
const DOI = /(?<![\p{L}\p{N}])10\.\d{4,9}\/[^\s"<>“”]{1,200}/gu;
const UUID =
  /(?<![\p{L}\p{N}-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\p{L}\p{N}-])/giu;
const IBAN = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![\p{L}\p{N}])/gu;
const ISBN =
  /(?<![\p{L}\p{N}-])(?:97[89][ -]?)?\d{1,5}[ -]?\d{1,7}[ -]?\d{1,7}[ -]?[\dXx](?![\p{L}\p{N}-])/gu;
const CODE =
  /(?<![\p{L}\p{N}\-/])[A-Z]{2,8}[-/]\d{2,12}(?:[-/][A-Z0-9]{1,12}){0,4}(?![\p{L}\p{N}])(?!-\p{L})/gu;
const LABELLED =
  /(?<![\p{L}\p{N}])(?:invoice|order|case|ticket|reference|ref|account|contract|policy|customer|serial|docket|tracking|purchase order|po|vat|tax id|ein|rechnung|rechnungsnummer|kundennummer|vertragsnummer|aktenzeichen)[ \t]{0,3}(?:no\.?|number|nr\.?|num\.?|id|#|№)?[ \t]{0,3}[:#]?[ \t]{0,3}(?<code>[A-Z0-9][A-Z0-9/\-]{2,30}\d|\d{3,20})(?![\p{L}\p{N}])(?!\.\d)/giu;
/** A country code, the American form, or three groups, the first with a zero. Whole runs of digits, to stay fast. */
const PHONE =
  /(?<![\p{L}\p{N}+.\-])(?:\+(?:\d{1,3}[ .\-]?\(\d{1,5}\)[ .\-]?)?\d{1,15}(?!\d)(?:[ .\-/]\d{1,15}(?!\d)){0,6}|\(\d{3}\) ?\d{3}[ .\-]\d{4}|\d{3}[.\-]\d{3}[.\-]\d{4}|0[1-9]\d{1,3} \d{3,4} \d{3,4})(?![\p{L}\p{N}])/gu;
const LABELLED_PHONE =
  /(?<![\p{L}\p{N}])(?:phone|tel|telephone|telefon|fax|mobile|mobil|cell|call)\.?[ \t]{0,3}:?[ \t]{0,3}(?<code>\(?\d{2,5}\)?(?:[ .\-/]{1,3}\d{1,6}){1,6})(?![\p{L}\p{N}])/giu;

function identifiersIn(text: string): Entity[] {
  const all = (pattern: RegExp) => matchesIn(text, pattern);
  const lower = (found: string) => found.toLowerCase();
  return [
    ...all(EMAIL).map((match) => entity('email', placeOf(match), lower)),
    ...all(URL_TEXT).map((match) =>
      entity('url', withoutEnd(placeOf(match)), (found) =>
        /^www\./iu.test(found) ? `http://${found}` : found,
      ),
    ),
    ...all(DOI).map((match) => entity('identifier', withoutEnd(placeOf(match)), lower)),
    ...all(UUID).map((match) => entity('identifier', placeOf(match), lower)),
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

function codeOf(match: RegExpExecArray): Place {
  const text = match.groups?.['code'] ?? '';
  const end = match.index + match[0].length;
  return { text, start: end - text.length, end };
}

/** Punctuation at the end belongs to the sentence, and so does a bracket that the address does not open. */
function withoutEnd({ text, start }: Place): Place {
  const opened = text.split('(').length;
  let closed = text.split(')').length;
  let end = text.length;
  for (; /[.,;:!?*_\]})]/u.test(text[end - 1] ?? ''); end -= 1) {
    if (text[end - 1] === ')' && closed-- <= opened) {
      break;
    }
  }
  return { text: text.slice(0, end), start, end: start + end };
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

/** ISO 13616: rearranged and read as a number, it leaves 1 when divided by 97. */
function isIban(code: string): boolean {
  const moved = code.slice(4) + code.slice(0, 4);
  let rest = 0;
  for (const character of moved) {
    const number = Number.parseInt(character, 36);
    rest = (rest * (number > 9 ? 100 : 10) + number) % 97;
  }
  return code.length >= 15 && code.length <= 34 && rest === 1;
}

/** ISO 2108, only with 13 digits: every eleventh ten-digit number would pass the check. */
function isIsbn(code: string): boolean {
  const weighed = [...code].map((digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 3));
  return /^97[89]\d{10}$/u.test(code) && weighed.reduce((sum, each) => sum + each) % 10 === 0;
}

const COUNTRIES = `Afghanistan|Albania|Algeria|Andorra|Angola|Argentina|Armenia|Australia|Austria|Azerbaijan|Bahamas|Bahrain|Bangladesh|
  Barbados|Belarus|Belgium|Belize|Benin|Bhutan|Bolivia|Botswana|Brazil|Brunei|Bulgaria|Burkina Faso|Burundi|Cambodia|Cameroon|Canada|
  Chile|China|Colombia|Congo|Costa Rica|Croatia|Cuba|Cyprus|Czech Republic|Czechia|Denmark|Djibouti|Dominican Republic|Ecuador|Egypt|
  El Salvador|Eritrea|Estonia|Eswatini|Ethiopia|Fiji|Finland|France|Gabon|Gambia|Germany|Ghana|Greece|Grenada|Guatemala|Guyana|Haiti|
  Honduras|Hungary|Iceland|India|Indonesia|Iran|Iraq|Ireland|Israel|Italy|Ivory Coast|Jamaica|Japan|Kazakhstan|Kenya|Kosovo|Kuwait|
  Kyrgyzstan|Laos|Latvia|Lebanon|Lesotho|Liberia|Libya|Liechtenstein|Lithuania|Luxembourg|Madagascar|Malawi|Malaysia|Maldives|Malta|
  Mauritania|Mauritius|Mexico|Moldova|Monaco|Mongolia|Montenegro|Morocco|Mozambique|Myanmar|Namibia|Nepal|Netherlands|New Zealand|
  Nicaragua|Niger|Nigeria|North Korea|North Macedonia|Norway|Oman|Pakistan|Palestine|Panama|Papua New Guinea|Paraguay|Peru|Philippines|
  Poland|Portugal|Qatar|Romania|Russia|Rwanda|Samoa|San Marino|Saudi Arabia|Senegal|Serbia|Seychelles|Sierra Leone|Singapore|Slovakia|
  Slovenia|Somalia|South Africa|South Korea|South Sudan|Spain|Sri Lanka|Sudan|Suriname|Sweden|Switzerland|Syria|Taiwan|Tajikistan|
  Tanzania|Thailand|Tunisia|Turkmenistan|Tuvalu|Uganda|Ukraine|United Arab Emirates|United Kingdom|United States of America|
  United States|Uruguay|Uzbekistan|Vanuatu|Venezuela|Vietnam|Yemen|Zambia|Zimbabwe|England|Scotland|Wales|Northern Ireland|
  European Union|Hong Kong|Greenland|Puerto Rico|Deutschland|Österreich|Schweiz|Frankreich|Italien|Spanien|Niederlande`;

const REGIONS = `Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|
  Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|
  New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|
  South Dakota|Tennessee|Texas|Utah|Vermont|West Virginia|Wisconsin|Wyoming|British Columbia|Ontario|Quebec|Bavaria|Catalonia|
  Brittany|Normandy|Tuscany|New South Wales|Queensland|Bayern|Hessen|Sachsen|Europe|Africa|Asia|North America|South America|
  Latin America|Middle East`;

const CITIES = `Aberdeen|Abu Dhabi|Accra|Amsterdam|Ankara|Antwerp|Athens|Atlanta|Auckland|Baghdad|Baltimore|Bangalore|Bangkok|Barcelona|Basel|
  Beijing|Belfast|Belgrade|Bengaluru|Bergen|Berlin|Bern|Bilbao|Birmingham|Bogotá|Bologna|Bonn|Bordeaux|Boston|Bratislava|Bremen|
  Brisbane|Brooklyn|Brussels|Bucharest|Budapest|Buenos Aires|Cairo|Calgary|Cambridge|Canberra|Cape Town|Cardiff|Chicago|Cleveland|
  Cologne|Copenhagen|Delhi|Denver|Detroit|Dhaka|Doha|Dortmund|Dresden|Dubai|Dublin|Düsseldorf|Edinburgh|Eindhoven|Essen|Frankfurt am Main|
  Frankfurt|Geneva|Genoa|Ghent|Glasgow|Gothenburg|Graz|Guangzhou|Hamburg|Hanoi|Hanover|Heidelberg|Helsinki|Ho Chi Minh City|Istanbul|
  Jakarta|Jerusalem|Johannesburg|Karachi|Kiel|Köln|Kolkata|Krakow|Kraków|Kuala Lumpur|Kyiv|Kyoto|Lagos|Lahore|Las Vegas|Lausanne|
  Leeds|Leipzig|Lima|Lisbon|Liverpool|Ljubljana|London|Los Angeles|Lucerne|Lyon|Madrid|Malmö|Manchester|Manila|Mannheim|Marseille|
  Melbourne|Mexico City|Miami|Milan|Minneapolis|Minsk|Montevideo|Montreal|Moscow|Mumbai|Munich|München|Münster|Nairobi|Naples|New Delhi|
  New Orleans|New York City|Nuremberg|Nürnberg|Oakland|Osaka|Oslo|Ottawa|Oxford|Palermo|Paris|Perth|Philadelphia|Pittsburgh|Portland|
  Porto|Potsdam|Prague|Pretoria|Quito|Reykjavik|Riga|Rio de Janeiro|Riyadh|Rome|Rotterdam|Sacramento|Salt Lake City|Salzburg|
  San Antonio|San Diego|San Francisco|San José|San Jose|Santiago|São Paulo|Sarajevo|Seattle|Seoul|Seville|Shanghai|Sheffield|Shenzhen|
  Sofia|Stockholm|St. Louis|Strasbourg|Stuttgart|Sydney|Taipei|Tallinn|Tampa|Tehran|Tel Aviv|The Hague|Tokyo|Toronto|Toulouse|
  Turin|Utrecht|Valencia|Vancouver|Venice|Verona|Vienna|Vilnius|Warsaw|Washington, D.C.|Washington, DC|Wellington|Wien|Winnipeg|Wuhan|Yokohama|Zagreb|Zaragoza|
  Zurich|Zürich`;

const AMBIGUOUS = `Austin|Bath|Bristol|Buffalo|Carolina|Chad|Charlotte|Cork|Dallas|Dominica|Essen|Florence|Georgia|
  Guinea|Houston|Jackson|Jordan|Lincoln|Madison|Mali|Mobile|Nancy|Nice|Orlando|Phoenix|Reading|Split|
  Sofia|Togo|Turkey|Verona|Victoria|Virginia|Washington|Wellington|Valencia|Santiago|Lima|Niger|
  Monaco|Savannah|Tours|Kent|Essex|Sussex|Devon|Cornwall|Cleveland|Memphis|Como|Jersey|Guernsey`;

const names = (list: string) => list.split('|').map((name) => name.trim());

const AMBIGUOUS_PLACES: ReadonlySet<string> = new Set(names(AMBIGUOUS));
const PLACES: readonly string[] = [
  ...new Set([...names(COUNTRIES), ...names(REGIONS), ...names(CITIES), ...AMBIGUOUS_PLACES]),
];

const BY_FIRST_WORD = new Map<string, string[]>();
for (const place of [...PLACES].sort((one, other) => other.length - one.length)) {
  const first = /^[\p{L}]+/u.exec(place)?.[0] ?? place;
  addTo(BY_FIRST_WORD, first, place);
}
const CAPITALISED = /(?<![\p{L}\p{N}'’-])\p{Lu}\p{L}{1,30}/gu;
const BEFORE_PLACE =
  /(?<![\p{L}])(?:in|from|to|near|at|of|across|throughout|within|outside|between|visiting|leaving|aus|nach|à)\s{1,3}$/iu;
const AFTER_COMMA = /\p{L},\s{1,3}$/u;
const CONTINUES = /^[ \t\u00a0]{1,2}\p{Lu}\p{Ll}/u;
const STREET_KINDS =
  'Street|St\\.?|Avenue|Ave\\.?|Road|Rd\\.?|Boulevard|Blvd\\.?|Lane|Ln\\.?|Drive|Dr\\.?|Way|Square|Court|Place|Parkway|Terrace|Highway|Quay';
const ADDRESS = new RegExp(
  String.raw`(?<![\p{L}\p{N}])\d{1,5}[A-Za-z]?[ ](?:(?:N|S|E|W|North|South|East|West)\.?[ ])?(?:[\p{Lu}\d][\p{L}\d'’.]{0,20}[ ]){1,4}(?:${STREET_KINDS})(?![\p{L}\p{N}])`,
  'gu',
);
const GERMAN_ADDRESS =
  /(?<![\p{L}\p{N}])\p{Lu}\p{L}{1,25}(?:straße|strasse|str\.|weg|platz|allee|gasse)[ ]\d{1,4}[a-z]?(?![\p{L}\p{N}])/gu;

function locationsIn(text: string): Entity[] {
  const addresses = [...matchesIn(text, ADDRESS), ...matchesIn(text, GERMAN_ADDRESS)];
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

/** Without overlaps. Only names that the text marks are found, because a wrong one is worse than a missing one. */
export function entitiesIn(text: string): Entity[] {
  const cells = cellsApart(text);
  const money = amountsIn(cells).map(({ amount, currency, ...place }) => ({
    type: 'money' as const,
    ...place,
    value: currency === null ? amount : `${currency} ${amount}`,
  }));
  const dates = datesIn(cells).map(({ date, ...place }) => ({
    type: 'date' as const,
    ...place,
    value: date,
  }));
  const found: Entity[] = [
    ...identifiersIn(cells),
    ...dates,
    ...money,
    ...measuresIn(withPlainDigits(cells)),
    ...namesIn(unmarkedText(cells)),
    ...locationsIn(cells),
  ];
  return withoutOverlaps(found)
    .slice(0, FINDINGS_MAX)
    .map((entity) => ({ ...entity, text: text.slice(entity.start, entity.end) }));
}
