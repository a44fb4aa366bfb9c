import { isEmail, isURL, isUUID } from 'class-validator';

/** The string formats of the document, judged alike on the wire (Ajv) and in the class-validator classes. */
export const formats: Record<string, (text: string) => boolean> = {
  'date-time': isDateTime,
  'date-or-date-time': (text) => isDate(text) || isDateTime(text),
  date: isDate,
  // The package `validator`, which class-validator asks, throws on half a surrogate pair instead of refusing it.
  email: (text) => text.isWellFormed() && isEmail(text),
  uri: (text) => text.isWellFormed() && isURL(text, { require_tld: false, require_protocol: true }),
  uuid: (text) => isUUID(text),
  'time-zone': isTimeZone,
};

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** RFC 3339, with the real number of days in the month. A leap second is refused because a Date cannot hold it. */
function isDateTime(text: string): boolean {
  const match = DATE_TIME.exec(text);
  return match !== null && isDate(match[1] ?? '');
}

function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (!match) {
    return false;
  }
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const date = new Date(Date.UTC(2000, 0, 1));
  date.setUTCFullYear(year, month - 1, day);
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/**
 * An IANA name. Offsets such as +02:00 are refused: they have no calendar of their own in Postgres. So are names of
 * three letters such as CET: Postgres takes them for abbreviations without summer time, some of another country's.
 */
function isTimeZone(text: string): boolean {
  const isAbbreviation = /^[A-Z]{3}$/i.test(text) && !/^(?:UTC|GMT)$/i.test(text);
  if (isAbbreviation || !/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(text)) {
    return false;
  }
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
