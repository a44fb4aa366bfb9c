import type { ErrorObject } from 'ajv/dist/2020';
import { definitions } from '../../generated/schemas';
import type { ValidationDetail } from '../errors/api-errors';
import { faultOfFormat, NOT_AS_DESCRIBED, resolved, type Schema } from './input-values';

const TYPES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function typesInWords(types: readonly string[]): string {
  return listed(
    [...new Set(types)].map((type) => TYPES[type] ?? type),
    'or',
  );
}

function listed(members: readonly string[], conjunction: 'and' | 'or'): string {
  return members.length < 2
    ? members.join('')
    : `${members.slice(0, -1).join(', ')} ${conjunction} ${members.at(-1)}`;
}

export type RequestPart = 'body' | 'query' | 'header';

const DETAILS_MAX = 20;
const FIELD_LENGTH_MAX = 200;
const NUMBERS = new Intl.NumberFormat('en', { maximumFractionDigits: 20, useGrouping: false });

/** The faults that a validator of schemaCompiler's found, in sentences. The field '' stands for the whole value. */
export function describeFaults(
  errors: readonly ErrorObject[],
  value: unknown,
  part: RequestPart = 'body',
): ValidationDetail[] {
  const details = withoutOtherForms(errors).map((error) => ({
    field: fieldOf(error, value),
    message: messageOf(error, part),
  }));
  const distinct = new Map(details.map((detail) => [`${detail.field}\n${detail.message}`, detail]));
  return [...distinct.values()];
}

/** The faults of one part of a request as the answer names them: each with a field, and not too many. */
export function answeredFaults(faults: readonly ValidationDetail[], part: RequestPart): ValidationDetail[] {
  const prefix = part === 'header' ? 'header ' : '';
  const named = faults
    .slice(0, DETAILS_MAX)
    .map(({ field, message }) => ({ field: field === '' ? part : `${prefix}${field}`, message }));
  const left = faults.length - named.length;
  return left === 0 ? named : [...named, { field: part, message: `has ${left} more faults` }];
}

/** The path to a value as people write it, `messages[3].role`. */
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

/** Of several forms only the one whose type the value has is told, or which types there are; no type beside listed words. */
function withoutOtherForms(errors: readonly ErrorObject[]): ErrorObject[] {
  const isUnion = ({ keyword }: ErrorObject) => keyword === 'oneOf' || keyword === 'anyOf';
  const unions = new Set(errors.filter(isUnion).map(({ instancePath }) => instancePath));
  const ofWords = errors.filter(({ keyword }) => keyword === 'enum').map(({ instancePath }) => instancePath);
  const told = new Set([...unions, ...ofWords]);
  const isOfAnotherForm = ({ keyword, instancePath }: ErrorObject) =>
    keyword === 'type' && told.has(instancePath);
  const explained = new Set<string>();
  for (const error of errors.filter((candidate) => !isOfAnotherForm(candidate))) {
    let path = isUnion(error) ? parentOf(error.instancePath) : error.instancePath;
    while (path !== null && !explained.has(path)) {
      explained.add(path);
      path = parentOf(path);
    }
  }
  return errors.filter(
    (error) => !isOfAnotherForm(error) && !(isUnion(error) && explained.has(error.instancePath)),
  );
}

function parentOf(path: string): string | null {
  return path === '' ? null : path.slice(0, path.lastIndexOf('/'));
}

function fieldOf({ instancePath, params }: ErrorObject, value: unknown): string {
  const names = instancePath
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
  const inner = missingProperty ?? additionalProperty;
  return pathInWords(inner === undefined ? names : [...names, inner], value);
}

interface FaultySchema {
  'x-fault'?: string;
  oneOf?: unknown[];
  anyOf?: unknown[];
  properties?: object;
}

const isRequired = () => 'is required';
const formsInWords: Sentence = (_, { oneOf, anyOf = [] }) =>
  `must be ${typesInWords((oneOf ?? anyOf).flatMap(typesOf))}`;
const bounded = (limit: unknown) => NUMBERS.format(Number(limit));

type Sentence = (parameters: Record<string, unknown>, schema: FaultySchema, part: RequestPart) => string;

const SENTENCES: Readonly<Record<string, Sentence>> = {
  required: isRequired,
  dependentRequired: isRequired,
  additionalProperties: (_, { properties = {} }, part) => unknownField(Object.keys(properties), part),
  type: ({ type }) => `must be ${typesInWords([type].flat() as string[])}`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).map(String).join(', ')}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  format: ({ format }) => faultOfFormat(String(format)),
  pattern: (_, schema) => schema['x-fault'] ?? NOT_AS_DESCRIBED,
  oneOf: formsInWords,
  anyOf: formsInWords,
  minLength: ({ limit }) => `must be at least ${counted(limit, 'character')} long`,
  maxLength: ({ limit }) => `must be at most ${counted(limit, 'character')} long`,
  minItems: ({ limit }) => `must have at least ${counted(limit, 'item')}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit, 'item')}`,
  uniqueItems: () => 'must not have the same item twice',
  minProperties: ({ limit }) => `must have at least ${counted(limit, 'field')}`,
  maxProperties: ({ limit }) => `must have at most ${counted(limit, 'field')}`,
  minimum: ({ limit }) => `must be at least ${bounded(limit)}`,
  maximum: ({ limit }) => `must be at most ${bounded(limit)}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${bounded(limit)}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${bounded(limit)}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${bounded(multipleOf)}`,
};

function messageOf({ keyword, parentSchema, params }: ErrorObject, part: RequestPart): string {
  const parameters = params as Record<string, unknown>;
  return SENTENCES[keyword]?.(parameters, (parentSchema ?? {}) as FaultySchema, part) ?? NOT_AS_DESCRIBED;
}

function unknownField(known: readonly string[], part: RequestPart): string {
  const taken = known.length === 0 ? 'none' : listed(known, 'and');
  return part === 'query'
    ? `is not a parameter of this operation, which takes ${taken}`
    : `is not a known field; known here ${known.length === 1 ? 'is' : 'are'} ${taken}`;
}

function counted(limit: unknown, thing: string): string {
  return `${bounded(limit)} ${thing}${Number(limit) === 1 ? '' : 's'}`;
}

function typesOf(form: unknown): string[] {
  return [resolved(form as Schema, definitions).type ?? []].flat();
}
