import { Injectable } from '@nestjs/common';
import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { definitions, schemas } from '../../generated/schemas';
import type { components } from '../../generated/types';
import { type ValidationDetail, ValidationFailed } from '../errors/api-errors';
import {
  faultOfFormat,
  findBadTexts,
  formats,
  NOT_FINITE,
  NOT_AS_DESCRIBED,
  pathInWords,
  type Reader,
  readerAsMeant,
  resolved,
  type Schema,
} from './input-values';

/** With the document's schemas as `contract#/$defs/Name`. @param fromText reads texts as their schemas' types */
export function schemaCompiler({ fromText, allErrors }: Record<'fromText' | 'allErrors', boolean>): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    coerceTypes: fromText,
    useDefaults: true,
    // For describeFaults; costs a valid value nothing.
    verbose: true,
    strict: false,
    // Refuses 1e400, which JSON.parse reads as Infinity; from text the schema's bounds refuse it.
    strictNumbers: !fromText,
    formats,
  });
  ajv.addSchema({ $id: 'contract', $defs: definitions });
  return ajv;
}

/** With more members only the first fault is sought, so that a million cost no more than one. */
const MEMBERS_MAX = 4_000;

const ofJson = compilers(false);
const ofTexts = compilers(true);

/** Nearly every request is valid: one validator stops at the first fault, the other then finds all. */
class PartValidator {
  readonly names: readonly string[];
  readonly numbers: readonly (readonly [name: string, type: 'integer' | 'number'])[];
  readonly takesNothing: boolean;
  private readonly readAsMeant: Reader | null;
  private readonly accepts: ValidateFunction;
  private judge: ValidateFunction | null = null;

  constructor(
    private readonly part: RequestPart,
    private readonly schema: object,
  ) {
    this.readAsMeant = readerAsMeant(schema, definitions);
    this.accepts = this.compilers.first.compile(schema);
    const { properties = {} } = resolved(schema, definitions);
    this.names = Object.keys(properties);
    this.numbers = Object.entries(properties).flatMap(([name, { type }]) =>
      type === 'integer' || type === 'number' ? [[name, type] as const] : [],
    );
    this.takesNothing = this.accepts({});
  }

  /** @param known earlier faults @throws ValidationFailed naming all, or the first of thousands of members */
  read(written: unknown, known: readonly ValidationDetail[] = [], takesAnyText = false): unknown {
    const value = this.readAsMeant ? this.readAsMeant(written) : written;
    const faults = [...known, ...this.faultsOf(value, takesAnyText)];
    if (faults.length > 0) {
      throw new ValidationFailed(answeredFaults(faults, this.part));
    }
    return value;
  }

  private faultsOf(value: unknown, takesAnyText: boolean): ValidationDetail[] {
    const badTexts = () => findBadTexts(value, takesAnyText);
    if (this.accepts(value)) {
      return badTexts();
    }
    if (hasManyMembers(value)) {
      return describeFaults(this.accepts.errors ?? [], value, this.part).slice(0, 1);
    }
    this.judge ??= this.compilers.every.compile(this.schema);
    this.judge(value);
    const faults = describeFaults(this.judge.errors ?? [], value, this.part);
    const named = new Set(faults.map(({ field }) => field));
    return [
      ...faults,
      ...badTexts().filter(({ field, message }) => message !== NOT_FINITE || !named.has(field)),
    ];
  }

  private get compilers() {
    return this.part === 'body' ? ofJson : ofTexts;
  }
}

function compilers(fromText: boolean) {
  return {
    first: schemaCompiler({ fromText, allErrors: false }),
    every: schemaCompiler({ fromText, allErrors: true }),
  };
}

function hasManyMembers(value: unknown): boolean {
  const open = [value];
  let members = 0;
  while (open.length > 0) {
    const next = open.pop();
    const inner: unknown[] = typeof next === 'object' && next !== null ? Object.values(next) : [];
    members += inner.length;
    if (members > MEMBERS_MAX) {
      return true;
    }
    open.push(...inner);
  }
  return false;
}

interface Validators {
  body: PartValidator | null;
  bodyRequired: boolean;
  query: PartValidator;
  headers: PartValidator | null;
}

const NONE = Object.freeze({});
const WRITTEN_NUMBERS = { integer: /^-?\d+$/, number: /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i };
const WITHOUT_PARAMETERS = { type: 'object', additionalProperties: false, properties: {} };

@Injectable()
export class RequestValidator {
  private readonly compiled = new Map<string, Validators>();

  takesNothing(operationId: string): boolean {
    const { body = null, query = null, headers = null } = schemas[operationId] ?? {};
    return body === null && query === null && headers === null;
  }

  takesBody(operationId: string): boolean {
    return this.validators(operationId).body !== null;
  }

  /** @param options `takesAnyText`: nothing is stored @throws ValidationFailed naming every fault */
  validateBody(operationId: string, body: unknown, options: { takesAnyText?: boolean } = {}): unknown {
    const { body: validator, bodyRequired } = this.validators(operationId);
    if (!validator) {
      return undefined;
    }
    if (body === undefined && bodyRequired) {
      throw new ValidationFailed([{ field: 'body', message: 'is required' }]);
    }
    return validator.read(body === undefined ? {} : body, [], options.takesAnyText);
  }

  /** @param options `ignoresUnknown` drops unknown parameters @throws ValidationFailed */
  validateQuery(
    operationId: string,
    query: unknown,
    { ignoresUnknown = false }: { ignoresUnknown?: boolean } = {},
  ): Record<string, unknown> {
    const { query: validator } = this.validators(operationId);
    const { names, numbers } = validator;
    const entries = Object.entries(query as Record<string, unknown>);
    const value = Object.fromEntries(entries.filter(([name]) => !ignoresUnknown || names.includes(name)));
    const repeated = Object.keys(value).filter((name) => Array.isArray(value[name]) && names.includes(name));
    const faults = repeated.map((field) => {
      const times = (value[field] as unknown[]).length;
      // The schema would only say that a list is no text.
      delete value[field];
      return { field, message: `is given ${times} times, but may be given once` };
    });
    for (const [field, type] of numbers) {
      const text = value[field];
      // Ajv would also read 0x10, a leading space, and 1e1 as an integer.
      if (typeof text === 'string' && !WRITTEN_NUMBERS[type].test(text)) {
        faults.push({ field, message: `must be ${TYPES[type]}` });
        delete value[field];
      }
    }
    return validator.read(value, faults) as Record<string, unknown>;
  }

  /** Only headers that the document names. @throws ValidationFailed */
  validateHeaders(
    operationId: string,
    headers: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, string | undefined>> {
    const { headers: validator } = this.validators(operationId);
    if (
      !validator ||
      (validator.takesNothing && validator.names.every((name) => headers[name] === undefined))
    ) {
      return NONE;
    }
    const named = validator.names.filter((name) => headers[name] !== undefined);
    const values = Object.fromEntries(named.map((name) => [name, headers[name]]));
    return validator.read(values) as Record<string, string>;
  }

  private validators(operationId: string): Validators {
    let validators = this.compiled.get(operationId);
    if (!validators) {
      const operation = schemas[operationId];
      if (!operation) {
        throw new Error(`the document has no operation ${operationId}`);
      }
      const { body, bodyRequired, query, headers } = operation;
      validators = {
        body: body && new PartValidator('body', body),
        bodyRequired,
        query: new PartValidator('query', query ?? WITHOUT_PARAMETERS),
        headers: headers && new PartValidator('header', headers),
      };
      this.compiled.set(operationId, validators);
    }
    return validators;
  }
}

type Schemas = components['schemas'];

const messages = new Map<string, PartValidator>();

/** A socket's message, read in place as a body is. @param takesAnyText its body is judged later @throws ValidationFailed */
export function readMessage<Name extends keyof Schemas>(
  name: Name,
  message: unknown,
  takesAnyText = false,
): Schemas[Name] {
  // First, because it bounds the depth that the schemas follow.
  const badTexts = findBadTexts(message, takesAnyText);
  if (badTexts.length > 0) {
    throw new ValidationFailed(answeredFaults(badTexts, 'body'));
  }
  const validator = messages.get(name) ?? new PartValidator('body', { $ref: `contract#/$defs/${name}` });
  messages.set(name, validator);
  return validator.read(message, [], takesAnyText) as Schemas[Name];
}

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
const NUMBERS = new Intl.NumberFormat('en', { maximumFractionDigits: 20, useGrouping: false });

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

export function answeredFaults(faults: readonly ValidationDetail[], part: RequestPart): ValidationDetail[] {
  const prefix = part === 'header' ? 'header ' : '';
  const named = faults
    .slice(0, DETAILS_MAX)
    .map(({ field, message }) => ({ field: field === '' ? part : `${prefix}${field}`, message }));
  const left = faults.length - named.length;
  return left === 0 ? named : [...named, { field: part, message: `has ${left} more faults` }];
}

/** Of several forms reports only the one of the value's type, or the types there are. */
function withoutOtherForms(errors: readonly ErrorObject[]): ErrorObject[] {
  const isUnion = ({ keyword }: ErrorObject) => keyword === 'oneOf' || keyword === 'anyOf';
  const unions = new Set(errors.filter(isUnion).map(({ instancePath }) => instancePath));
  const ofWords = errors.filter(({ keyword }) => keyword === 'enum').map(({ instancePath }) => instancePath);
  const named = new Set([...unions, ...ofWords]);
  const isOfAnotherForm = ({ keyword, instancePath }: ErrorObject) =>
    keyword === 'type' && named.has(instancePath);
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
  pattern?: string;
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
  minLength: ({ limit }, { pattern, 'x-fault': fault }) =>
    (pattern === undefined && fault) || `must be at least ${counted(limit, 'character')} long`,
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
