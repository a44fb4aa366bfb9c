import { ValidationFailed } from '../errors/api-errors';

/** Foreign JSON: any member may be missing or of another type. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];
}

export function* valuesIn(value: unknown): Generator<unknown, undefined> {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    yield next;
    if (typeof next === 'object' && next !== null) {
      for (const member of Object.values(next) as unknown[]) {
        open.push(member);
      }
    }
  }
}

export function jsonField(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** A member that is null counts as absent. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** String() would throw for an object with a member `toString`. */
export function shownValue(value: unknown): string {
  return typeof value === 'string' ? value : String(JSON.stringify(value));
}

export function given(members: JsonObject): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isGiven(value)));
}

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;
const ARRAY_INDEX = /^(?:0|[1-9]\d{0,8})$/;

/** RFC 6901, section 3. */
export function isJsonPointer(text: string): boolean {
  return POINTER.test(text);
}

/** RFC 6901, section 4. @param decoded undoes an outer encoding, as of a URL's fragment */
export function valueAt(
  document: unknown,
  pointer: string,
  decoded = (token: string): string => token,
): unknown {
  let value = document;
  for (const token of pointer.split('/').slice(1)) {
    value = memberOf(value, decoded(token).replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return value;
}

function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) {
    return ARRAY_INDEX.test(name) ? (value as unknown[])[Number(name)] : undefined;
  }
  // Inherited members are no part of a document.
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Of equal names the last counts, as in JSON.parse. Linear, no recursion; works on latin1 too.
 * @param from where the object begins
 */
export function memberSpan(json: string, name: string, from = 0): Span | null {
  let found: Span | null = null;
  let index = afterSpace(json, from);
  if (json[index] !== '{') {
    return null;
  }
  index = afterSpace(json, index + 1);
  while (index < json.length && json[index] !== '}') {
    const keyEnd = endOfString(json, index);
    const start = afterSpace(json, afterSpace(json, keyEnd) + 1);
    const end = endOfValue(json, start);
    if (isName(json.slice(index, keyEnd), name)) {
      found = { start, end };
    }
    index = afterSpace(json, end);
    index = json[index] === ',' ? afterSpace(json, index + 1) : index;
  }
  return found;
}

export function withMember(json: string, name: string, value: string, from = 0): string {
  const present = memberSpan(json, name, from);
  if (present) {
    return json.slice(0, present.start) + value + json.slice(present.end);
  }
  const start = afterSpace(json, from);
  if (json[start] !== '{') {
    return json;
  }
  const brace = endOfValue(json, start) - 1;
  const isEmpty = afterSpace(json, start + 1) === brace;
  return `${json.slice(0, brace)}${isEmpty ? '' : ','}${JSON.stringify(name)}:${value}${json.slice(brace)}`;
}

function isName(key: string, name: string): boolean {
  return key === `"${name}"` || (key.includes('\\') && JSON.parse(key) === name);
}

/** The index behind the value; beyond the end where its brackets never close. */
export function endOfValue(json: string, start: number): number {
  let depth = 0;
  let index = start;
  while (index < json.length) {
    const character = json[index];
    if (character === '"') {
      index = endOfString(json, index);
    } else {
      index += 1;
      if (character === '{' || character === '[') {
        depth += 1;
      } else if (character === '}' || character === ']') {
        depth -= 1;
      } else if (depth > 0 || !endsScalar(json[index])) {
        continue;
      }
    }
    if (depth === 0) {
      return index;
    }
  }
  return index;
}

function endsScalar(next: string | undefined): boolean {
  return next === undefined || next === ',' || next === '}' || next === ']' || isSpace(next);
}

export function endOfString(json: string, start: number): number {
  return endOfPartialString(json, start) ?? json.length + 1;
}

function afterSpace(json: string, from: number): number {
  let index = from;
  while (index < json.length && isSpace(json[index])) {
    index += 1;
  }
  return index;
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t';
}

/** Reads cut-off JSON: closes what is open, drops a cut number, literal or name. Undefined for no value. */
export function partialJson(text: string): unknown {
  return cutJson(text)?.value;
}

interface CutJson {
  readonly value: unknown;
  readonly open: number;
  readonly isStringCut: boolean;
}

export function cutJson(text: string): CutJson | null {
  const { end, closers, cutString } = new Beginning(text);
  try {
    const value = JSON.parse(text.slice(0, end) + cutString + closers) as unknown;
    return { value, open: closers.length, isStringCut: cutString !== '' };
  } catch {
    return null;
  }
}

const SYNTAX = /["{}[\],:]/g;
const ESCAPE_LENGTH_MAX = 6;

class Beginning {
  /** Up to this index the text lacks only closing brackets. */
  end = 0;
  cutString = '';
  private readonly open: string[] = [];
  private isValueNext = true;

  constructor(private readonly text: string) {
    SYNTAX.lastIndex = 0;
    for (let at = this.next(0); at < text.length; at = this.next(at)) {
      at = this.take(at);
    }
  }

  get closers(): string {
    return [...this.open].reverse().join('');
  }

  private next(from: number): number {
    SYNTAX.lastIndex = from;
    return SYNTAX.exec(this.text)?.index ?? this.text.length;
  }

  private take(at: number): number {
    const character = this.text[at];
    switch (character) {
      case '"':
        return this.takeString(at);
      case '{':
      case '[':
        this.open.push(character === '{' ? '}' : ']');
        this.isValueNext = character === '[';
        this.end = at + 1;
        break;
      case '}':
      case ']':
        this.open.pop();
        this.end = at + 1;
        break;
      case ',':
        this.isValueNext = this.open.at(-1) === ']';
        this.end = at;
        break;
      default:
        this.isValueNext = true;
    }
    return at + 1;
  }

  private takeString(at: number): number {
    const after = endOfPartialString(this.text, at);
    if (after !== null) {
      this.end = this.isValueNext ? after : this.end;
      return after;
    }
    if (this.isValueNext) {
      this.cutString = `${withoutCutEscape(this.text.slice(this.end))}"`;
    }
    return this.text.length;
  }
}

/** The index behind the closing quote; null where the string is cut. */
export function endOfPartialString(text: string, at: number): number | null {
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    if (slashesBefore(text, quote) % 2 === 0) {
      return quote + 1;
    }
  }
  return null;
}

function withoutCutEscape(text: string): string {
  const at = text.lastIndexOf('\\');
  const length = text.length - at;
  const isEscaped = at === -1 || slashesBefore(text, at) % 2 === 1;
  const isCut = length === 1 || (text[at + 1] === 'u' && length < ESCAPE_LENGTH_MAX);
  return !isEscaped && isCut ? text.slice(0, at) : text;
}

function slashesBefore(text: string, at: number): number {
  let count = 0;
  while (text[at - 1 - count] === '\\') {
    count += 1;
  }
  return count;
}

const METADATA_BYTES_MAX = 16 * 1024;
/** Postgres compares each value of a filter with each stored one: 100,000 on both sides took minutes. */
const METADATA_VALUES_MAX = 256;

/** 16 KiB of JSON and 256 values at all depths. @param field path in the request @throws ValidationFailed */
export function limitMetadata(metadata: Record<string, unknown>, field: string): void {
  if (
    Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES_MAX ||
    countValues(metadata) > METADATA_VALUES_MAX
  ) {
    const message = `must not hold more than ${METADATA_VALUES_MAX} values or ${METADATA_BYTES_MAX} bytes`;
    throw new ValidationFailed([{ field, message }]);
  }
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) {
    return 1;
  }
  return Object.values(value).reduce((sum: number, member) => sum + countValues(member), 1);
}

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';
type Written<Value> = Value extends Date ? string : Value;

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '');
}

/** Picks properties as the API writes them: names in snake case, times in ISO 8601. */
export function inSnakeCase<Properties extends object, Name extends keyof Properties & string>(
  properties: Properties,
  ...names: Name[]
): { [Each in Name as SnakeCase<Each>]: Written<Properties[Each]> } {
  const members = names.map((name) => {
    const value = properties[name];
    return [snakeCase(name), value instanceof Date ? value.toISOString() : value];
  });
  return Object.fromEntries(members) as { [Each in Name as SnakeCase<Each>]: Written<Properties[Each]> };
}
