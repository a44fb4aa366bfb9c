import Ajv2020 from 'ajv/dist/2020';
import { Unprocessable } from '../../errors/request-errors';
import type { JsonSchema } from './answer-schema';

const BYTES_MAX = 16 * 1024;
const DEPTH_MAX = 16;
/** Of the schema with all of its references followed: a value is held to each of them. */
const NODES_MAX = 2_000;
const ENUM_VALUES_MAX = 500;

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
const LOCAL = /^#\/(\$defs|definitions)\/([^/]{1,100})$/;

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
  new SchemaWalk(schema).walk(schema, 'schema', 0);
  const ajv = new Ajv2020({ strict: false, logger: false });
  if (!ajv.validateSchema(schema)) {
    const [fault] = ajv.errors ?? [];
    const place = `schema${(fault?.instancePath ?? '').replaceAll('/', '.').slice(0, 200)}`;
    throw new Unprocessable(`${place} is no JSON Schema: ${fault?.message ?? 'it is not valid'}.`);
  }
}

class SchemaWalk {
  private nodes = 0;
  /** The references that lead to where the walk is. */
  private readonly open = new Set<string>();

  constructor(private readonly root: JsonSchema) {}

  walk(node: unknown, place: string, depth: number): void {
    if (typeof node === 'boolean') {
      return;
    }
    if (typeof node !== 'object' || node === null || Array.isArray(node)) {
      throw new Unprocessable(`${place} must be a schema.`);
    }
    this.nodes += 1;
    if (depth > DEPTH_MAX || this.nodes > NODES_MAX) {
      throw new Unprocessable(
        'The schema nests too deeply, or has too many parts with its references followed.',
      );
    }
    for (const [keyword, value] of Object.entries(node)) {
      this.keyword(keyword, value, `${place}.${keyword.slice(0, 100)}`, depth + 1);
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
    } else if (keyword === 'enum' && listOf(value, place).length > ENUM_VALUES_MAX) {
      throw new Unprocessable(`${place} must not have more than ${ENUM_VALUES_MAX} values.`);
    }
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
