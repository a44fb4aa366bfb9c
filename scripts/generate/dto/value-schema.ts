import { formats } from '../../../src/contract/formats';
import { isObject, type Json, type JsonObject } from '../json';
import { resolveComponent } from '../operations';
import { NoCounterpart } from './no-counterpart';

export type BranchType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';

/** What a value of one JSON type must be. */
export interface Branch {
  type: BranchType;
  /** The keywords that say something about this type, and `enum` with the values of this type. */
  keywords: JsonObject;
  /** The component whose class describes the object, null where it is a map or no object. */
  component: string | null;
}

/** A schema as one branch for each JSON type that it allows, so that each keyword becomes one decorator. */
export interface ValueSchema {
  branches: Branch[];
  nullable: boolean;
}

const ANNOTATIONS = ['title', 'description', 'default', 'example', 'examples', 'deprecated'];
const KEYWORDS: Record<BranchType, string[]> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  boolean: [],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
};
const SUPPORTED = ['type', 'enum', 'const', ...ANNOTATIONS, ...Object.values(KEYWORDS).flat()];

/** @throws NoCounterpart saying what has no counterpart among the decorators */
export function readValueSchema(document: JsonObject, schema: JsonObject): ValueSchema {
  if (typeof schema.$ref === 'string') {
    refuseOthers(schema, '$ref');
    return readReference(document, schema.$ref);
  }
  const union = (['oneOf', 'anyOf'] as const).find((keyword) => Array.isArray(schema[keyword]));
  if (union) {
    refuseOthers(schema, union);
    if (fillsDefaults(document, schema)) {
      throw new NoCounterpart('is a union with a default beneath, which the validators do not fill in');
    }
    return readUnion((schema[union] as JsonObject[]).map((branch) => readValueSchema(document, branch)));
  }
  refuseUnknown(schema, SUPPORTED);
  if (isObject(schema.properties)) {
    throw new NoCounterpart('describes an object in place; make it a named component');
  }
  return readTypes(schema);
}

/** Whether a component becomes a class. */
export function isClassSchema(schema: JsonObject): boolean {
  const types = typesOf(schema);
  return (
    isObject(schema.properties) && types.includes('object') && types.every((type) => /object|null/.test(type))
  );
}

/** @throws NoCounterpart where a class's schema says more than its fields and their number */
export function checkClassSchema(schema: JsonObject): void {
  refuseUnknown(schema, ['type', ...ANNOTATIONS, ...KEYWORDS.object]);
  if (isObject(schema.additionalProperties)) {
    throw new NoCounterpart('has a schema for fields beside those that it lists');
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  const unlisted = required.filter((name) => !Object.hasOwn(schema.properties as JsonObject, name as string));
  if (unlisted.length > 0) {
    throw new NoCounterpart(`requires fields that it does not list: ${unlisted.join(', ')}`);
  }
}

function readReference(document: JsonObject, ref: string): ValueSchema {
  const target = resolveComponent(document, { $ref: ref });
  if (!isClassSchema(target)) {
    return readValueSchema(document, target);
  }
  const component = ref.slice(ref.lastIndexOf('/') + 1);
  return {
    branches: [{ type: 'object', keywords: {}, component }],
    nullable: typesOf(target).includes('null'),
  };
}

function readUnion(members: ValueSchema[]): ValueSchema {
  const branches = members.flatMap((member) => member.branches);
  const types = branches.map(({ type }) => (type === 'integer' ? 'number' : type));
  if (new Set(types).size < types.length || members.filter(({ nullable }) => nullable).length > 1) {
    throw new NoCounterpart('is a union in which two members are of the same JSON type');
  }
  return { branches, nullable: members.some(({ nullable }) => nullable) };
}

function readTypes(schema: JsonObject): ValueSchema {
  const choices = choicesOf(schema);
  const types = typesOf(schema).filter((type, _, all) => !(type === 'integer' && all.includes('number')));
  if (types.length === 0) {
    throw new NoCounterpart('lacks a type');
  }
  if (typeof schema.format === 'string' && !(schema.format in formats)) {
    throw new NoCounterpart(`has a format that src/contract/formats.ts lacks: ${schema.format}`);
  }
  const branches = types
    .filter((type) => type !== 'null')
    .map((type) => readBranch(schema, type as BranchType, choices))
    .filter((branch) => !Array.isArray(branch.keywords.enum) || branch.keywords.enum.length > 0);
  return { branches, nullable: types.includes('null') && (choices === null || choices.includes(null)) };
}

function readBranch(schema: JsonObject, type: BranchType, choices: Json[] | null): Branch {
  const keywords = Object.fromEntries(
    Object.entries(schema).filter(([name]) => KEYWORDS[type].includes(name)),
  );
  if (choices) {
    keywords.enum = choices.filter((choice) => matches(choice, type));
  }
  return { type, keywords, component: null };
}

function choicesOf(schema: JsonObject): Json[] | null {
  const choices = schema.const === undefined ? schema.enum : [schema.const];
  if (!Array.isArray(choices)) {
    return null;
  }
  if (choices.some((choice) => typeof choice === 'object' && choice !== null)) {
    throw new NoCounterpart('offers an object or array as a constant');
  }
  return choices;
}

function typesOf(schema: JsonObject): string[] {
  if (schema.type !== undefined) {
    return (Array.isArray(schema.type) ? schema.type : [schema.type]) as string[];
  }
  const choices = choicesOf(schema) ?? [];
  return [...new Set(choices.map((choice) => (choice === null ? 'null' : typeof choice)))];
}

function matches(choice: Json, type: BranchType): boolean {
  return type === 'integer' ? Number.isInteger(choice) : typeof choice === type;
}

/** Whether anything beneath the schema has a default. */
function fillsDefaults(document: JsonObject, schema: Json, seen = new Set<string>()): boolean {
  if (Array.isArray(schema)) {
    return schema.some((member) => fillsDefaults(document, member, seen));
  }
  if (!isObject(schema) || (typeof schema.$ref === 'string' && seen.has(schema.$ref))) {
    return false;
  }
  if (typeof schema.$ref === 'string') {
    seen.add(schema.$ref);
    return fillsDefaults(document, resolveComponent(document, schema), seen);
  }
  const fields = isObject(schema.properties) ? Object.values(schema.properties) : [];
  const inner = [schema.oneOf, schema.anyOf, schema.items, schema.additionalProperties];
  return [...fields, ...inner].some(
    (member) => member !== undefined && (hasDefault(member) || fillsDefaults(document, member, seen)),
  );
}

function hasDefault(schema: Json): boolean {
  return isObject(schema) && schema.default !== undefined;
}

function refuseUnknown(schema: JsonObject, known: string[]): void {
  const unknown = Object.keys(schema).filter((name) => !known.includes(name) && !name.startsWith('x-'));
  if (unknown.length > 0) {
    throw new NoCounterpart(`has no class-validator counterpart for ${unknown.join(', ')}`);
  }
}

function refuseOthers(schema: JsonObject, keyword: string): void {
  const others = Object.keys(schema).filter((name) => name !== keyword && !ANNOTATIONS.includes(name));
  if (others.length > 0) {
    throw new NoCounterpart(`has ${others.join(', ')} beside ${keyword}`);
  }
}
