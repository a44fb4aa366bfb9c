import { Injectable } from '@nestjs/common';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { definitions, schemas } from '../../generated/schemas';
import type { components } from '../../generated/types';
import { type ValidationDetail, ValidationFailed } from '../errors/api-errors';
import { formats, type Reader, readerAsMeant, resolved } from './input-values';
import { answeredFaults, describeFaults, pathInWords, type RequestPart } from './validation-messages';

interface CompilerOptions {
  /** Whether every value arrives as text and has to be read as the type that its schema names. */
  fromText: boolean;
  allErrors: boolean;
}

/** An Ajv with the document's schemas as `contract#/$defs/Name`; it fills in defaults. */
export function schemaCompiler({ fromText, allErrors }: CompilerOptions): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    coerceTypes: fromText,
    useDefaults: true,
    // What describeFaults needs of the schema; it costs a valid value nothing.
    verbose: true,
    strict: false,
    // JSON.parse reads 1e400 as Infinity, which strict numbers refuse. For values read from text they are off: with
    // them Ajv would not compare an infinite number with the bounds, and there it is the bounds that refuse it.
    strictNumbers: !fromText,
    formats,
  });
  ajv.addSchema({ $id: 'contract', $defs: definitions });
  return ajv;
}

/** Beyond these only the first fault is looked for, so that a million faults cost little more than one. */
const MEMBERS_MAX = 4_000;

const ofJson = compilers(false);
const ofTexts = compilers(true);

/** Nearly every request is valid: one validator stops at the first fault, and the other finds all once there is one. */
class PartValidator {
  private readonly readAsMeant: Reader | null;
  private readonly accepts: ValidateFunction;
  private judge: ValidateFunction | null = null;

  constructor(
    private readonly part: RequestPart,
    private readonly schema: object,
  ) {
    this.readAsMeant = readerAsMeant(schema, definitions);
    this.accepts = this.compilers.first.compile(schema);
  }

  takesNothing(): boolean {
    return this.accepts({});
  }

  /** `known` are faults found before. @throws ValidationFailed naming all, or the first of thousands of members */
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
    return [...describeFaults(this.judge.errors ?? [], value, this.part), ...badTexts()];
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
  queryNames: ReadonlySet<string>;
  headers: HeaderValidator | null;
}

interface HeaderValidator {
  part: PartValidator;
  names: string[];
  areOptional: boolean;
}

const NONE = Object.freeze({});
const WITHOUT_PARAMETERS = { type: 'object', additionalProperties: false, properties: {} };

/** A body with thousands of members is refused with its first fault, any other request with all of them. */
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

  /** Undefined where none is taken. `takesAnyText`: nothing of it is stored. @throws ValidationFailed naming every fault */
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

  /** @param options `ignoresUnknown` leaves out parameters that the operation does not have. @throws ValidationFailed */
  validateQuery(
    operationId: string,
    query: unknown,
    { ignoresUnknown = false }: { ignoresUnknown?: boolean } = {},
  ): Record<string, unknown> {
    const { query: validator, queryNames } = this.validators(operationId);
    const given = Object.entries(query as Record<string, unknown>);
    const value = Object.fromEntries(given.filter(([name]) => !ignoresUnknown || queryNames.has(name)));
    const repeated = Object.keys(value).filter((name) => Array.isArray(value[name]) && queryNames.has(name));
    const faults = repeated.map((field) => {
      const times = (value[field] as unknown[]).length;
      // The schema would only say that a list is no text.
      delete value[field];
      return { field, message: `is given ${times} times, but may be given once` };
    });
    return validator.read(value, faults) as Record<string, unknown>;
  }

  /** Judges and returns only the headers that the document names. @throws ValidationFailed */
  validateHeaders(
    operationId: string,
    headers: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, string | undefined>> {
    const { headers: header } = this.validators(operationId);
    if (!header || (header.areOptional && header.names.every((name) => headers[name] === undefined))) {
      return NONE;
    }
    const named = header.names.filter((name) => headers[name] !== undefined);
    const values = Object.fromEntries(named.map((name) => [name, headers[name]]));
    return header.part.read(values) as Record<string, string>;
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
        queryNames: new Set(Object.keys(resolved(query ?? {}, definitions).properties ?? {})),
        headers: headers && headerValidator(headers),
      };
      this.compiled.set(operationId, validators);
    }
    return validators;
  }
}

function headerValidator(schema: { properties?: object }): HeaderValidator {
  const part = new PartValidator('header', schema);
  return { part, names: Object.keys(schema.properties ?? {}), areOptional: part.takesNothing() };
}

/** Code that walks values recursively, as this file and the schemas do, would run out of stack on deeper ones. */
const DEPTH_MAX = 64;
const ILL_FORMED_NAME = 'has an ill-formed name';
/** More than one answer names. */
const FAULTS_MAX = 50;

interface Fault {
  path: string[];
  message: string;
}

/** Texts with NUL or half a surrogate pair, which Postgres can't store; with `takesAnyText` only what is too deep. */
export function findBadTexts(value: unknown, takesAnyText = false): ValidationDetail[] {
  const isGood = takesAnyText ? () => true : isStorable;
  // Nearly every value is sound, so the cheap check comes first and paths are only built for faults.
  return isSound(value, 0, isGood)
    ? []
    : describe(value, 0, isGood).map(({ path, message }) => ({ field: pathInWords(path, value), message }));
}

type TextRule = (text: string) => boolean;

function isSound(value: unknown, depth: number, isGood: TextRule): boolean {
  if (typeof value === 'string') {
    return isGood(value);
  }
  if (typeof value !== 'object' || value === null) {
    return true;
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

/** Collects the faults; a path is built on the way back up, so a sound value costs none. */
function describe(value: unknown, depth: number, isGood: TextRule): Fault[] {
  if (typeof value === 'string') {
    return isGood(value) ? [] : [{ path: [], message: 'must be well-formed text without NUL' }];
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  if (depth >= DEPTH_MAX) {
    return [{ path: [], message: `must not be nested deeper than ${DEPTH_MAX} levels` }];
  }
  const faults: Fault[] = [];
  for (const name in value) {
    if (faults.length >= FAULTS_MAX) {
      break;
    }
    // An ill-formed name can't be written into an answer, so the field is the object that has it.
    const found = isGood(name)
      ? describe((value as Record<string, unknown>)[name], depth + 1, isGood)
      : [{ path: [], message: ILL_FORMED_NAME }];
    const step = isStorable(name) ? [name] : [];
    faults.push(...found.map(({ path, message }) => ({ path: [...step, ...path], message })));
  }
  return faults;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

type Schemas = components['schemas'];

const refToName = (name: string) => ({ $ref: `contract#/$defs/${name}` });
const messages = new Map<string, PartValidator>();

/** Every fault that a named schema of the document finds in a value. A fault with the field '' is one of the value itself. */
export function schemaFaults(name: string, value: unknown): ValidationDetail[] {
  const validate = ofJson.every.getSchema(refToName(name).$ref) as ValidateFunction;
  return validate(value) ? [] : describeFaults(validate.errors ?? [], value);
}

/** A socket's message, judged as the body of a request is, and changed in place to what was meant. @throws ValidationFailed */
export function readMessage<Name extends keyof Schemas>(name: Name, message: unknown): Schemas[Name] {
  // Looked for first, because it also bounds the depth to which the schemas are then followed.
  const badTexts = findBadTexts(message);
  if (badTexts.length > 0) {
    throw new ValidationFailed(answeredFaults(badTexts, 'body'));
  }
  const validator = messages.get(name) ?? new PartValidator('body', refToName(name));
  messages.set(name, validator);
  return validator.read(message) as Schemas[Name];
}
