const NAMES: readonly string[] = [
  'january jan januar jänner janvier enero ene',
  'february feb februar février fevrier febrero',
  'march mar märz mär mars marzo',
  'april apr avril abril abr',
  'may mai mayo',
  'june jun juni juin junio',
  'july jul juli juillet julio',
  'august aug août aout agosto ago',
  'september sep sept septembre septiembre setiembre',
  'october oct oktober okt octobre octubre',
  'november nov novembre noviembre',
  'december dec dezember dez décembre decembre diciembre dic',
];

const NUMBERS = new Map(
  NAMES.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
);

/** A regular expression's alternatives: the names of months in English, German, French and Spanish, the longest first. */
export const MONTH_NAMES = [...NUMBERS.keys()].sort((one, other) => other.length - one.length).join('|');

/** 1 to 12; undefined for what is no month. */
export function monthNumber(name: string): number | undefined {
  return NUMBERS.get(name.toLowerCase());
}
