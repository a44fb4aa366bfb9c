import { isEmail, isURL, isUUID } from 'class-validator';
import { isObject } from '../runtime/json';
import type { ValidationDetail } from '../errors/api-errors';
import { hasInvisible, mixesScripts } from '../accounts/email-address';
import { readIsoTime } from '../runtime/clock';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  /** A value that means the same as the field's absence. */
  'x-absent'?: unknown;
}

export type Reader = (value: unknown) => unknown;

/**
 * Null means absence unless the schema allows it; enumerated words fit in any case, except in bodies with
 * unknown fields, which go to a provider.
 * @returns null where there is nothing to read
 */
export function readerAsMeant(schema: object, definitions: object): Reader | null {
  const root = resolved(schema, definitions);
  return new Readers(definitions, root.additionalProperties === false).of(root);
}

class Readers {
  private readonly named = new Map<string, Reader | null>();

  constructor(
    private readonly definitions: object,
    private readonly foldsCase: boolean,
  ) {}

  of(schema: Schema): Reader | null {
    const { $ref } = schema;
    if ($ref !== undefined) {
      return this.ofReference($ref);
    }
    return inTurn([
      this.foldsCase && schema.enum ? wordReader(schema.enum) : null,
      ...(schema.oneOf ?? schema.anyOf ?? []).map((form) => this.of(form)),
      this.ofFields(schema),
      this.ofItems(schema),
    ]);
  }

  private ofReference(reference: string): Reader | null {
    const known = this.named.get(reference);
    if (known !== undefined) {
      return known;
    }
    // A recursive schema finds this, which asks for the finished reader later.
    this.named.set(reference, (value) => this.named.get(reference)?.(value) ?? value);
    const reader = this.of(resolved({ $ref: reference }, this.definitions));
    this.named.set(reference, reader);
    return reader;
  }

  private ofFields({ properties = {}, required = [] }: Schema): Reader | null {
    const fields = Object.entries(properties)
      .map(([name, field]) => ({
        name,
        reader: this.of(field),
        dropsNull: !required.includes(name) && !takesNull(field, this.definitions),
        absent: resolved(field, this.definitions)['x-absent'],
      }))
      .filter(({ reader, dropsNull, absent }) => reader !== null || dropsNull || absent !== undefined);
    if (fields.length === 0) {
      return null;
    }
    return (value) => {
      if (!isObject(value)) {
        return value;
      }
      const members = value as Record<string, unknown>;
      for (const { name, reader, dropsNull, absent } of fields) {
        const isAbsent = absent !== undefined && members[name] === absent;
        if ((members[name] === null && dropsNull) || isAbsent) {
          delete members[name];
        } else if (reader && Object.hasOwn(members, name)) {
          members[name] = reader(members[name]);
        }
      }
      return value;
    };
  }

  private ofItems({ items }: Schema): Reader | null {
    const reader = items ? this.of(items) : null;
    return (
      reader &&
      ((value) => {
        if (Array.isArray(value)) {
          for (let index = 0; index < value.length; index += 1) {
            value[index] = reader(value[index]);
          }
        }
        return value;
      })
    );
  }
}

function inTurn(readers: readonly (Reader | null)[]): Reader | null {
  const [first, ...others] = readers.filter((reader) => reader !== null);
  if (!first) {
    return null;
  }
  return others.length === 0 ? first : (value) => others.reduce((read, reader) => reader(read), first(value));
}

function wordReader(words: readonly unknown[]): Reader | null {
  const texts = words.filter((word) => typeof word === 'string');
  const spellings = new Map(texts.map((word) => [word.toLowerCase(), word]));
  const lengthMax = Math.max(0, ...texts.map(({ length }) => length));
  // Words that differ in case alone are told apart by it.
  if (texts.length === 0 || spellings.size < texts.length) {
    return null;
  }
  return (value) =>
    typeof value === 'string' && value.length <= lengthMax
      ? (spellings.get(value.toLowerCase()) ?? value)
      : value;
}

function takesNull(schema: Schema, definitions: object): boolean {
  const { type, enum: choices, oneOf, anyOf } = resolved(schema, definitions);
  const forms = oneOf ?? anyOf;
  if (choices && !choices.includes(null)) {
    return false;
  }
  if (type !== undefined) {
    return [type].flat().includes('null');
  }
  return forms === undefined || forms.some((form) => takesNull(form, definitions));
}

export function resolved(schema: Schema, definitions: object): Schema {
  const { $ref } = schema;
  const named = definitions as Record<string, Schema>;
  return $ref === undefined ? schema : resolved(named[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}, named);
}

interface Format {
  readonly accepts: (text: string) => boolean;
  fault: string;
}

const FORMATS: Record<string, Format> = {
  // For what the service writes; callers send date-or-date-time.
  'date-time': {
    accepts: isDateTime,
    fault: 'must be a time with a zone, such as 2026-11-21T09:30:00Z',
  },
  'date-or-date-time': {
    accepts: (text) => readIsoTime(text) !== null,
    fault: 'must be a date or time of the calendar, such as 2026-11-21 or 2026-11-21T09:30:00Z',
  },
  // A form's file; the body holds only its checksum and name.
  binary: { accepts: () => true, fault: 'must be a file' },
  date: {
    accepts: (text) => readIsoTime(text)?.isDate === true,
    fault: 'must be a date of the calendar, such as 2026-11-21',
  },
  email: {
    // class-validator's `validator` throws on half a surrogate pair.
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

export function faultOfFormat(name: string): string {
  return FORMATS[name]?.fault ?? NOT_AS_DESCRIBED;
}

export const NOT_AS_DESCRIBED = 'is not of the form that the documentation describes';

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;

function isDateTime(text: string): boolean {
  return DATE_TIME.test(text) && readIsoTime(text) !== null;
}

/** Refuses offsets, which have no calendar in Postgres, and CET and the like, which have no summer time there. */
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

/** Letters of one script for each word, none invisible, in stored form. */
function isUsername(text: string): boolean {
  const form = text.normalize('NFKC');
  const isWritten = /^[\p{L}\p{N}_.-][\p{L}\p{M}\p{N}_.-]{2,31}$/u.test(form);
  return isWritten && !hasInvisible(text) && !mixesScripts(form);
}

/** Deeper values would exhaust the stack of recursive code, here and in schemas. */
const DEPTH_MAX = 64;
const FAULTS_MAX = 50;

interface Fault {
  path: string[];
  message: string;
}

export const NOT_FINITE = 'must be a number between -1.8e308 and 1.8e308';

/** Too deep values; unless `takesAnyText`, also texts that Postgres cannot store, and Infinity, which JSON makes null. */
export function findBadTexts(value: unknown, takesAnyText = false): ValidationDetail[] {
  const isGood = takesAnyText ? () => true : isStorable;
  return isSound(value, 0, isGood)
    ? []
    : describe(value, 0, isGood).map(({ path, message }) => ({ field: pathInWords(path, value), message }));
}

type LeafRule = (leaf: unknown) => boolean;

function isSound(value: unknown, depth: number, isGood: LeafRule): boolean {
  if (typeof value !== 'object' || value === null) {
    return isGood(value);
  }
  if (depth >= DEPTH_MAX) {
    return false;
  }
  if (Array.isArray(value)) {
    return value.every((member) => isSound(member, depth + 1, isGood));
  }
  for (const name in value) {
    if (!isGood(name) || !isSound((value as Record<string, unknown>)[name], depth + 1, isGood)) {
      return false;
    }
  }
  return true;
}

/** Builds paths on the way back up, so that a sound value costs none. */
function describe(value: unknown, depth: number, isGood: LeafRule): Fault[] {
  if (typeof value !== 'object' || value === null) {
    const message = typeof value === 'string' ? 'must be well-formed text without NUL' : NOT_FINITE;
    return isGood(value) ? [] : [{ path: [], message }];
  }
  if (depth >= DEPTH_MAX) {
    return [{ path: [], message: `must not be nested deeper than ${DEPTH_MAX} levels` }];
  }
  const faults: Fault[] = [];
  for (const name in value) {
    if (faults.length >= FAULTS_MAX) {
      break;
    }
    // An ill-formed name cannot be written into an answer, so the field is the object that has it.
    const found = isGood(name)
      ? describe((value as Record<string, unknown>)[name], depth + 1, isGood)
      : [{ path: [], message: 'has an ill-formed name' }];
    const step = isStorable(name) ? [name] : [];
    faults.push(...found.map(({ path, message }) => ({ path: [...step, ...path], message })));
  }
  return faults;
}

function isStorable(leaf: unknown): boolean {
  return typeof leaf === 'string'
    ? !leaf.includes('\0') && leaf.isWellFormed()
    : Math.abs(leaf as number) !== Infinity;
}

const FIELD_LENGTH_MAX = 200;

export function pathInWords(names: readonly string[], value: unknown): string {
  let path = '';
  let current = value;
  for (const name of names) {
    const isItem = Array.isArray(current);
    path += isItem ? `[${name}]` : path === '' ? name : `.${name}`;
    current =
      typeof current === 'object' && current !== null ? (current as Record<string, unknown>)[name] : null;
  }
  return path.length > FIELD_LENGTH_MAX ? `${path.slice(0, FIELD_LENGTH_MAX).toWellFormed()}…` : path;
}
