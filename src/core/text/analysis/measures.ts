import { plainNumber } from './amounts';
import type { Entity } from './entity';
import { placeOf } from './places';

const NUMBER_WORDS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
      .split(' ')
      .map((word, index) => [word, index + 1]),
  ),
  ...{
    'twenty-four': 24,
    thirty: 30,
    'thirty-six': 36,
    forty: 40,
    'forty-five': 45,
    sixty: 60,
    ninety: 90,
    'one hundred': 100,
  },
  ...{
    zwei: 2,
    drei: 3,
    vier: 4,
    fünf: 5,
    sechs: 6,
    sieben: 7,
    acht: 8,
    neun: 9,
    zehn: 10,
    zwölf: 12,
    vierzehn: 14,
    dreißig: 30,
  },
  ...{
    deux: 2,
    trois: 3,
    quatre: 4,
    cinq: 5,
    dix: 10,
    douze: 12,
    trente: 30,
    dos: 2,
    tres: 3,
    cuatro: 4,
    cinco: 5,
    diez: 10,
  },
};
/** ISO 8601 designators; those of times stand behind a T. */
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
const words = (all: Iterable<string>) => [...all].sort((one, other) => other.length - one.length).join('|');

/** "thirty (30) days", "24-month", "2.5 hours", "five business days". */
const DURATION = new RegExp(
  String.raw`(?<![\p{L}\p{N}.$€£]|\p{N},)(?:(?<digits>\d{1,6}(?:[.,]\d{1,2})?)|(?<word>${words(Object.keys(NUMBER_WORDS))}))` +
    String.raw`(?:[ \u00a0]\((?<bracket>\d{1,6})\))?[ \u00a0\-](?:(?<business>business|working|banking|consecutive|calendar)[ \u00a0])?` +
    String.raw`(?<unit>${words(DESIGNATORS.keys())})(?![\p{L}\p{N}])`,
  'giu',
);
const PERCENTAGE =
  /(?<![\p{L}\p{N}.]|\p{N},)(?<sign>[-−+]?)(?<number>\d{1,9}(?:[.,]\d{1,6})?)[ \u00a0\u202f]?(?:%|percent(?!age)|per cent|prozent)(?![\p{L}\p{N}])/giu;
const TIME =
  /(?<![\p{L}\p{N}.:\-]|\p{N},)(?<hour>[01]?\d|2[0-3]):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d))?(?:[ \u00a0]?(?<half>[ap]\.?m\b\.?))?(?![\p{L}\p{N}])(?![:.]\d)/giu;
const HOUR =
  /(?<![\p{L}\p{N}.:\-]|\p{N},)(?<hour>1[0-2]|0?[1-9])[ \u00a0]?(?<half>[ap]\.?m\b\.?)(?![\p{L}\p{N}])/giu;

/** Durations, percentages and times of day. */
export function measuresIn(text: string): Entity[] {
  return [
    ...[...text.matchAll(DURATION)].map(duration),
    ...[...text.matchAll(PERCENTAGE)].map((match) => {
      const { sign, number = '' } = match.groups ?? {};
      const value = plainNumber(number.replace(',', '.'));
      return {
        type: 'percentage' as const,
        ...placeOf(match),
        value: sign === '-' || sign === '−' ? `-${value}` : value,
      };
    }),
    ...[...text.matchAll(TIME), ...text.matchAll(HOUR)].flatMap(timeOfDay),
  ];
}

function duration(match: RegExpExecArray): Entity {
  const { digits, word, bracket, business, unit = '' } = match.groups ?? {};
  const number = bracket ?? digits?.replace(',', '.') ?? NUMBER_WORDS[word?.toLowerCase() ?? ''];
  const designator = DESIGNATORS.get(unit.toLowerCase()) ?? '';
  // How long five business days are depends on the calendar.
  const isExact = business === undefined || /^(?:consecutive|calendar)$/iu.test(business);
  const value = `P${designator.length > 1 ? 'T' : ''}${number}${designator.at(-1)}`;
  return { type: 'duration', ...placeOf(match), value: isExact ? value : null };
}

function timeOfDay(match: RegExpExecArray): Entity[] {
  const { hour = '', minute = '00', second, half } = match.groups ?? {};
  const isAfternoon = half?.toLowerCase().startsWith('p') ?? false;
  const number = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
  if (half !== undefined && (Number(hour) > 12 || Number(hour) === 0)) {
    return [];
  }
  const parts = [String(number).padStart(2, '0'), minute, ...(second === undefined ? [] : [second])];
  return [{ type: 'time', ...placeOf(match), value: parts.join(':') }];
}
