import Ajv2020 from 'ajv/dist/2020';
import { Unprocessable } from '../../errors/request-errors';
import { boundChecks, type JsonSchema } from './answer-schema';

const BYTES_MAX = 16 * 1024;
const DEPTH_MAX = 16;
/** Of the schema with all of its references followed: a value is held to each of them. */
const NODES_MAX = 2_000;
const ENUM_VALUES_MAX = 500;
/** So many values of an enum cost as much as one part of the schema. */
const ENUM_VALUES_PER_PART = 20;

/** Keywords whose value is data. */
const PLAIN = new Set(
  (
    'type title description default examples enum const format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
    'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains required dependentRequired ' +
    'deprecated readOnly writeOnly $comment $schema'
  ).split(' '),
);
const ONE_SCHEMA = new Set(
  'items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties'.split(
    ' ',
  ),
);
const LISTS = new Set('allOf anyOf oneOf prefixItems'.split(' '));
const MAPS = new Set('properties $defs definitions dependentSchemas'.split(' '));
/** Keywords by which several parts of a schema are held against the same value. */
const SHARING = new Set(
  'allOf anyOf oneOf not if then else dependentSchemas contains propertyNames unevaluatedItems unevaluatedProperties'.split(
    ' ',
  ),
);
// A name with ~ or % would be another one for Ajv, which unescapes it, than the one that is followed here.
const LOCAL = /^#\/(\$defs|definitions)\/([^/~%]{1,100})$/;
const DIALECT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** Judges schemas alone, and keeps none. */
const dialect = new Ajv2020({ strict: false, logger: false });

/**
 * Refuses a caller's JSON Schema that could keep the service busy or reach beyond itself. Patterns are refused because a
 * regular expression may take for ever, unique items because comparing them takes the square of their number, identifiers and
 * references to elsewhere because compiled forms would be kept by them, and references in a circle because they have no end.
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
  boundChecks(schema, walk.partsPerValue);
}

class SchemaWalk {
  private nodes = 0;
  private shared = 0;
  /** How many keywords that share a value the walk is below. */
  private sharing = 0;
  /** The references that lead to where the walk is. */
  private readonly open = new Set<string>();

  constructor(private readonly root: JsonSchema) {}

  /** At most so many parts of the schema are held against one and the same part of a value. */
  get partsPerValue(): number {
    return 1 + Math.ceil(this.shared);
  }

  walk(node: unknown, place: string, depth: number): void {
    if (typeof node === 'boolean') {
      return;
    }
    if (typeof node !== 'object' || node === null || Array.isArray(node)) {
      throw new Unprocessable(`${place} must be a schema.`);
    }
    this.nodes += 1;
    this.shared += this.sharing > 0 ? 1 : 0;
    if (depth > DEPTH_MAX || this.nodes > NODES_MAX) {
      throw new Unprocessable(
        'The schema nests too deeply, or has too many parts with its references followed.',
      );
    }
    // What stands beside a reference is held against the same value as what it leads to.
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
      for (const [name, member] of Object.entries(mapOf(value, place))) {
        this.walk(member, `${place}.${name.slice(0, 100)}`, depth);
      }
    } else if (!PLAIN.has(keyword)) {
      throw new Unprocessable(`${place} is a keyword that is not taken.`);
    } else if (keyword === 'enum') {
      this.enumerated(listOf(value, place), place);
    } else if (keyword === '$schema' && !DIALECT.test(String(value))) {
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
    const [, group = '', name = ''] = LOCAL.exec(String(reference)) ?? [];
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

function mapOf(value: unknown, place: string): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Unprocessable(`${place} must be an object.`);
  }
  return value;
}
