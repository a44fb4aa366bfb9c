import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { Unprocessable } from '../../errors/api-errors';
import { endOfValue, isObject, parsedJson, shownValue, valuesIn } from '../../runtime/json';

/** In UTF-16 units. The largest answer allowed, 32,768 tokens, is seldom longer. */
const TEXT_LENGTH_MAX = 200_000;
/** The text is read again from each bracket that opens no value. This bounds all passes together. */
const CHARACTERS_READ_MAX = 2 * TEXT_LENGTH_MAX;
/** The cost of trying a bracket, however little it holds: JSON.parse creates an error for each failure. */
const CHARACTERS_PER_TRY_MIN = 100;
const OPENING = /[{[]/g;
const FENCE = '```';
const LANGUAGE = /^[a-z]*$/i;

/** The whole text where that is JSON, fenced or not; otherwise the objects and arrays in it, in order. */
export function* jsonInText(text: string): Generator<unknown> {
  const trimmed = withoutThoughts(text.slice(0, TEXT_LENGTH_MAX)).trim();
  const bare = parsedJson(trimmed);
  const whole = bare === undefined ? parsedJson(insideFence(trimmed) ?? '') : bare;
  if (whole !== undefined) {
    yield whole;
    return;
  }
  let charactersRead = 0;
  let start = nextStart(trimmed, 0);
  while (start !== -1 && charactersRead < CHARACTERS_READ_MAX) {
    const end = endOfValue(trimmed, start);
    charactersRead += Math.max(CHARACTERS_PER_TRY_MIN, end - start);
    const found = parsedJson(trimmed.slice(start, end));
    if (found !== undefined) {
      yield found;
    }
    start = nextStart(trimmed, found === undefined ? start + 1 : end);
  }
}

const THOUGHTS_END = '</think>';

/** Some servers leave in a model's thoughts, which may hold drafts of the answer. */
function withoutThoughts(text: string): string {
  const at = text.lastIndexOf(THOUGHTS_END);
  return at === -1 || !text.trimStart().startsWith('<think>') ? text : text.slice(at + THOUGHTS_END.length);
}

/** Null for any text but one code fence. A regular expression would take cubic time on hostile line breaks. */
function insideFence(text: string): string | null {
  const opened = text.indexOf('\n');
  const closed = text.lastIndexOf('\n');
  const isFenced =
    text.startsWith(FENCE) &&
    opened < closed &&
    LANGUAGE.test(text.slice(FENCE.length, opened).trimEnd()) &&
    text.slice(closed + 1).trimStart() === FENCE;
  return isFenced ? text.slice(opened + 1, closed) : null;
}

/** One search for both brackets: searching again and again for a distant one takes quadratic time. */
function nextStart(text: string, from: number): number {
  OPENING.lastIndex = from;
  return OPENING.exec(text)?.index ?? -1;
}

const FAULTS_MAX = 10;
const FAULT_LENGTH_MAX = 400;

/** A JSON Schema without `$id`. Reuse one object: its compiled form is cached for as long as the object lives. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export type Verdict = { readonly value: unknown } | { readonly faults: readonly string[] };

/** The most checks of a caller's schema against an answer: some tenths of a second. */
const CHECKS_MAX = 300_000;
/** In UTF-16 units: this much text counts as one more part of an answer. */
const TEXT_PER_PART = 200;

const ajv = new Ajv2020({ allErrors: true, strict: false, logger: false });
/** Callers' schemas stop at the first fault: all faults could fill the memory. */
const firstFault = new Ajv2020({ inlineRefs: false, strict: false, logger: false });
const compiled = new WeakMap<JsonSchema, ValidateFunction>();
/** Callers' schemas, each with the most parts of it that check the same part of an answer. */
const boundedSchemas = new WeakMap<JsonSchema, number>();

export function isCallersSchema(schema: JsonSchema): boolean {
  return boundedSchemas.has(schema);
}

/** @throws Error where `schema` is not a JSON Schema */
export function judgeAnswer(
  text: string,
  schema: JsonSchema,
  check?: (value: never) => readonly string[],
): Verdict {
  let faults: string[] | null = null;
  const partsPerValue = boundedSchemas.get(schema) ?? 0;
  let checksLeft = CHECKS_MAX;
  for (const value of jsonInText(text)) {
    checksLeft -= partsPerValue === 0 ? 0 : partsPerValue * partsOf(value, checksLeft / partsPerValue);
    if (checksLeft < 0) {
      return { faults: faults ?? ['The value has too many parts to be checked by this schema.'] };
    }
    const found = judgeValue(value, schema, check);
    if (found.length === 0) {
      return { value };
    }
    faults ??= found;
  }
  return { faults: faults ?? [text.trim() === '' ? 'The answer is empty.' : 'The answer holds no JSON.'] };
}

export function judgeValue(
  value: unknown,
  schema: JsonSchema,
  check?: (value: never) => readonly string[],
): string[] {
  const lacks = faultsOf(value, schema);
  return lacks.length === 0 && check
    ? check(value as never)
        .slice(0, FAULTS_MAX)
        .map(shortened)
    : lacks;
}

function faultsOf(value: unknown, schema: JsonSchema): string[] {
  const validate = compiled.get(schema) ?? compile(schema);
  try {
    return validate(value) ? [] : (validate.errors ?? []).slice(0, FAULTS_MAX).map(describe);
  } catch (error) {
    // A recursive schema is checked recursively, and an answer may nest deeper than the stack goes.
    if (error instanceof RangeError) {
      return ['The value nests too deeply.'];
    }
    throw error;
  }
}

/** Ajv would keep every schema and its compiled form for ever, callers' included. */
function compile(schema: JsonSchema): ValidateFunction {
  const compiler = boundedSchemas.has(schema) ? firstFault : ajv;
  const validate = compiler.compile(schema);
  compiler.removeSchema(schema);
  compiled.set(schema, validate);
  return validate;
}

function partsOf(value: unknown, countMax: number): number {
  let count = 0;
  for (const part of valuesIn(value)) {
    count += typeof part === 'string' ? 1 + part.length / TEXT_PER_PART : 1;
    if (count > countMax) {
      break;
    }
  }
  return count;
}

function describe({ instancePath, message, params }: ErrorObject): string {
  const named = Object.entries(params as Record<string, unknown>)
    .filter(([name]) => ['additionalProperty', 'allowedValues'].includes(name))
    .map(([, value]) => ` (${JSON.stringify(value)?.slice(0, 200)})`);
  return shortened(`${instancePath || 'The value'} ${message ?? 'is not valid'}${named.join('')}`);
}

function shortened(fault: string): string {
  return fault.slice(0, FAULT_LENGTH_MAX);
}

const BYTES_MAX = 16 * 1024;
const DEPTH_MAX = 16;
/** With all references followed, because a value is checked against each. */
const NODES_MAX = 2_000;
const ENUM_VALUES_MAX = 500;
/** This many enum values cost as much as one part of the schema. */
const ENUM_VALUES_PER_PART = 20;

const keywords = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/u));

const PLAIN = keywords(`type title description default examples enum const format minimum maximum
  exclusiveMinimum exclusiveMaximum multipleOf
  minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains required dependentRequired
  deprecated readOnly writeOnly $comment $schema`);
const ONE_SCHEMA = keywords(`items additionalProperties not if then else contains
  propertyNames unevaluatedItems unevaluatedProperties`);
const LISTS = keywords('allOf anyOf oneOf prefixItems');
const MAPS = keywords('properties $defs definitions dependentSchemas');
const SHARING = keywords(`allOf anyOf oneOf not if then else dependentSchemas contains
  propertyNames unevaluatedItems unevaluatedProperties`);
// Ajv unescapes names with ~ or %, and would follow another reference than the one counted.
const LOCAL = /^#\/(\$defs|definitions)\/([^/~%]{1,100})$/;
const DIALECT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

const dialect = new Ajv2020({ strict: false, logger: false });

/**
 * Refuses what could keep the service busy: patterns may never end, unique items take quadratic time, identifiers and
 * outer references would keep compiled forms, and circular references have no end.
 * @throws Unprocessable saying what is wrong, and where
 */
export function judgeCallersSchema(schema: JsonSchema): void {
  if (Buffer.byteLength(JSON.stringify(schema)) > BYTES_MAX) {
    throw new Unprocessable('The schema has more than 16 KiB.');
  }
  if (schema.type !== 'object') {
    throw new Unprocessable('The schema must be of the type object.');
  }
  const walk = new SchemaWalk(schema);
  walk.walk(schema, 'schema', 0);
  if (!dialect.validateSchema(schema)) {
    const [fault] = dialect.errors ?? [];
    const place = `schema${(fault?.instancePath ?? '').replaceAll('/', '.').slice(0, 200)}`;
    throw new Unprocessable(`${place} is no JSON Schema: ${fault?.message ?? 'it is not valid'}.`);
  }
  boundedSchemas.set(schema, walk.partsPerValue);
}

class SchemaWalk {
  private nodes = 0;
  private shared = 0;
  /** How many keywords that share a value stand above the current node. */
  private sharing = 0;
  private readonly open = new Set<string>();

  constructor(private readonly root: JsonSchema) {}

  get partsPerValue(): number {
    return 1 + Math.ceil(this.shared);
  }

  walk(node: unknown, place: string, depth: number): void {
    if (typeof node === 'boolean') {
      return;
    }
    if (!isObject(node)) {
      throw new Unprocessable(`${place} must be a schema.`);
    }
    this.nodes += 1;
    this.shared += this.sharing > 0 ? 1 : 0;
    if (depth > DEPTH_MAX || this.nodes > NODES_MAX) {
      throw new Unprocessable(
        'The schema nests too deeply, or has too many parts with its references followed.',
      );
    }
    // What stands beside a reference checks the same value as its target.
    const besideReference = Object.hasOwn(node, '$ref') ? 1 : 0;
    this.shared += besideReference;
    for (const [keyword, value] of Object.entries(node)) {
      const isShared = SHARING.has(keyword) || (besideReference > 0 && Object.keys(node).length > 1);
      this.sharing += isShared ? 1 : 0;
      this.keyword(keyword, value, `${place}.${keyword.slice(0, 100)}`, depth + 1);
      this.sharing -= isShared ? 1 : 0;
    }
  }

  private keyword(keyword: string, value: unknown, place: string, depth: number): void {
    if (keyword === '$ref') {
      this.follow(value, place, depth);
    } else if (ONE_SCHEMA.has(keyword)) {
      this.walk(value, place, depth);
    } else if (LISTS.has(keyword)) {
      listOf(value, place).forEach((member, index) => this.walk(member, `${place}.${index}`, depth));
    } else if (MAPS.has(keyword)) {
      if (!isObject(value)) {
        throw new Unprocessable(`${place} must be an object.`);
      }
      for (const [name, member] of Object.entries(value)) {
        this.walk(member, `${place}.${name.slice(0, 100)}`, depth);
      }
    } else if (!PLAIN.has(keyword)) {
      throw new Unprocessable(`${place} is a keyword that is not taken.`);
    } else if (keyword === 'enum') {
      this.enumerated(listOf(value, place), place);
    } else if (keyword === '$schema' && !DIALECT.test(shownValue(value))) {
      throw new Unprocessable(`${place} must be https://json-schema.org/draft/2020-12/schema, or absent.`);
    }
  }

  private enumerated(values: unknown[], place: string): void {
    if (values.length > ENUM_VALUES_MAX) {
      throw new Unprocessable(`${place} must not have more than ${ENUM_VALUES_MAX} values.`);
    }
    this.shared += values.length / ENUM_VALUES_PER_PART;
  }

  private follow(reference: unknown, place: string, depth: number): void {
    const [, group = '', name = ''] = LOCAL.exec(shownValue(reference)) ?? [];
    const target = Object.hasOwn(this.root, group) ? (this.root[group] as Record<string, unknown>) : {};
    if (group === '' || !Object.hasOwn(target, name)) {
      throw new Unprocessable(`${place} must lead to one of the schema's own $defs.`);
    }
    if (this.open.has(`${group}/${name}`)) {
      throw new Unprocessable(`${place} leads back to itself.`);
    }
    this.open.add(`${group}/${name}`);
    this.walk(target[name], place, depth);
    this.open.delete(`${group}/${name}`);
  }
}

function listOf(value: unknown, place: string): unknown[] {
  if (!Array.isArray(value)) {
    throw new Unprocessable(`${place} must be a list.`);
  }
  return value;
}
