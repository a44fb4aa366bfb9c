import { isEmail, isURL, isUUID } from 'class-validator';
import { hasInvisible, mixesScripts } from '../accounts/email-address';
import { readIsoTime } from '../runtime/clock';

interface Format {
  readonly accepts: (text: string) => boolean;
  /** What a caller is told whose text is not accepted. */
  fault: string;
}

/** The string formats of the document, as Ajv judges them. */
const FORMATS: Record<string, Format> = {
  // What the service itself writes; what callers send is a date-or-date-time.
  'date-time': {
    accepts: isDateTime,
    fault: 'must be a time with a zone, such as 2026-11-21T09:30:00Z',
  },
  'date-or-date-time': {
    accepts: (text) => readIsoTime(text) !== null,
    fault: 'must be a date or time of the calendar, such as 2026-11-21 or 2026-11-21T09:30:00Z',
  },
  // A file of a form. Of it the body has no more than its checksum and its name.
  binary: { accepts: () => true, fault: 'must be a file' },
  date: {
    accepts: (text) => readIsoTime(text)?.isDate === true,
    fault: 'must be a date of the calendar, such as 2026-11-21',
  },
  email: {
    // The package `validator`, which class-validator asks, throws on half a surrogate pair instead of refusing it.
    accepts: (text) => text.isWellFormed() && isEmail(text),
    fault: 'must be an e-mail address, such as ada@example.com',
  },
  uri: {
    accepts: (text) => text.isWellFormed() && isURL(text, { require_tld: false, require_protocol: true }),
    fault: 'must be a URL, such as https://example.com/hook',
  },
  uuid: {
    accepts: (text) => isUUID(text),
    fault: 'must be an id of 36 characters, such as 0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11',
  },
  'time-zone': {
    accepts: isTimeZone,
    fault: 'must be the name of an IANA time zone, such as Europe/Berlin',
  },
  username: {
    accepts: isUsername,
    fault:
      'must be letters, digits, dots, hyphens and underscores only, 3 to 32 of them, and the letters of a word of one script',
  },
};

export const formats: Record<string, (text: string) => boolean> = Object.fromEntries(
  Object.entries(FORMATS).map(([name, { accepts }]) => [name, accepts]),
);

/** What a caller is told whose text is not of this format. */
export function faultOfFormat(name: string): string {
  return FORMATS[name]?.fault ?? 'is not of the form that the documentation describes';
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;

/** RFC 3339, with the real number of days in the month. */
function isDateTime(text: string): boolean {
  return DATE_TIME.test(text) && readIsoTime(text) !== null;
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

/**
 * The letters of all scripts, with their marks, but in a word those of one script alone, and none that nobody sees. Judged
 * in the form in which it is stored, which may be longer.
 */
function isUsername(text: string): boolean {
  const form = text.normalize('NFKC');
  const isWritten = /^[\p{L}\p{N}_.-][\p{L}\p{M}\p{N}_.-]{2,31}$/u.test(form);
  return isWritten && !hasInvisible(text) && !mixesScripts(form);
}
