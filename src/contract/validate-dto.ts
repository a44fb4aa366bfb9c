import type { ValidateFunction } from 'ajv/dist/2020';
import { ValidateBy, validateSync, type ValidationError } from 'class-validator';
import 'reflect-metadata';
import { definitions } from '../../generated/schemas';
import { type ValidationDetail, ValidationFailed } from '../errors/api-errors';
import { isObject } from '../runtime/json';
import { type Reader, readerAsMeant } from './coerce-input';
import { schemaCompiler } from './request-validator';
import { answeredFaults, describeFaults, findBadTexts } from './validation-messages';

/** What a generated class says about itself: the component it was made from, and whether its values arrive as text. */
interface DtoSchema {
  name: string;
  fromText: boolean;
}

const SCHEMA = 'contract:schema';
const compiled = new Map<string, ValidateFunction>();

const compiler = schemaCompiler({ fromText: false, allErrors: true });

/**
 * On a property: its value is what the document's schema at this pointer says, `CreateKeyRequest/properties/name`, by the
 * same compiled validator as on the wire. On a class: the component that says which fields there may be.
 */
export function MatchesSchema(
  pointer: string,
  { fromText = false } = {},
): (target: object, property?: string | symbol) => void {
  return (target, property) => {
    if (property === undefined) {
      Reflect.defineMetadata(SCHEMA, { name: pointer, fromText } satisfies DtoSchema, target);
      return;
    }
    const validator = {
      validate: (value: unknown) => schemaFaults(pointer, value).length === 0,
      defaultMessage: () => 'is not valid',
    };
    ValidateBy({ name: 'matchesSchema', validator }, { context: { pointer } })(target, property);
  };
}

/** The component that a generated class was made from. @throws TypeError for any other class */
function schemaOf(type: new () => object): DtoSchema {
  const schema = Reflect.getMetadata(SCHEMA, type) as DtoSchema | undefined;
  if (!schema) {
    throw new TypeError(`${type.name} does not say which schema it matches`);
  }
  return schema;
}

/** Every fault that the schema at a pointer finds in a value. A fault with the field '' is one of the value itself. */
export function schemaFaults(pointer: string, value: unknown): ValidationDetail[] {
  let validate = compiled.get(pointer);
  if (!validate) {
    const fragment = pointer.split('/').map(encodeURIComponent).join('/');
    validate = compiler.compile({ $ref: `contract#/$defs/${fragment}` });
    compiled.set(pointer, validate);
  }
  return validate(value) ? [] : describeFaults(validate.errors ?? [], value);
}

export type DtoClass = new () => object;

interface ObjectSchema {
  properties: Record<string, { type?: unknown; default?: unknown }>;
}

/** What the decorators of a class can't say: which fields are allowed and required, how many, and their defaults. */
interface Shape {
  names: string[];
  validate: ValidateFunction;
  readAsMeant: Reader | null;
}

const ofJson = schemaCompiler({ fromText: false, allErrors: true });
const ofTexts = schemaCompiler({ fromText: true, allErrors: true });
const shapes = new WeakMap<DtoClass, Shape>();

/**
 * The faults that a generated class finds in a value; none where it is valid. Judges as RequestValidator judges
 * requests: unknown fields are refused unless the class keeps them, text must be storable, and the value gets the
 * class's defaults. For what does not come by HTTP (socket messages, queue payloads). @throws TypeError where the class
 * is not a generated one
 */
export function validateDto(type: DtoClass, value: unknown): ValidationDetail[] {
  // Looked for first, because it also bounds the depth to which the schemas are then followed.
  const badTexts = findBadTexts(value);
  return answeredFaults(badTexts.length > 0 ? badTexts : dtoFaults(type, value), 'body');
}

/**
 * Neither class-transformer nor the whitelist of class-validator is used, because a field called `constructor` defeats
 * both: class-transformer runs what the field holds, and the whitelist takes it for a declared field.
 */
function dtoFaults(type: DtoClass, value: unknown): ValidationDetail[] {
  const { names, validate, readAsMeant } = shapeOf(type);
  readAsMeant?.(value);
  const shapeFaults = validate(value) ? [] : describeFaults(validate.errors ?? [], value);
  if (!isObject(value)) {
    return shapeFaults;
  }
  const dto = Object.assign(new type(), Object.fromEntries(names.map((name) => [name, value[name]])));
  const told = new Set(shapeFaults.map(({ field }) => field));
  const errors = validateSync(dto, { stopAtFirstError: true, validationError: { target: false } });
  return [
    ...shapeFaults,
    ...errors.filter(({ property }) => !told.has(property)).flatMap((error) => detailsOf(type, error)),
  ];
}

function shapeOf(type: DtoClass): Shape {
  let shape = shapes.get(type);
  if (!shape) {
    const { name, fromText } = schemaOf(type);
    const schema = (definitions as Record<string, unknown>)[name] as ObjectSchema;
    const fields = Object.entries(schema.properties).map(([field, property]) => [
      field,
      {
        ...(fromText ? { type: property.type } : {}),
        ...('default' in property ? { default: property.default } : {}),
      },
    ]);
    const validate = (fromText ? ofTexts : ofJson).compile({
      ...schema,
      properties: Object.fromEntries(fields) as object,
    });
    shape = {
      names: Object.keys(schema.properties),
      validate,
      readAsMeant: readerAsMeant(schema, definitions),
    };
    shapes.set(type, shape);
  }
  return shape;
}

/** In the words of the wire, which judges by the same schema; class-validator's own are for programmers. */
function detailsOf(type: DtoClass, { property, value, constraints }: ValidationError): ValidationDetail[] {
  const pointer = `${schemaOf(type).name}/properties/${property.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const faults = schemaFaults(pointer, value).map(({ field, message }) => ({
    field: field === '' || field.startsWith('[') ? `${property}${field}` : `${property}.${field}`,
    message,
  }));
  return faults.length > 0
    ? faults
    : Object.values(constraints ?? {}).map((message) => ({ field: property, message }));
}

/** A message as its generated class. @throws ValidationFailed naming every fault */
export function readMessage<Message extends object>(type: new () => Message, message: unknown): Message {
  const faults = validateDto(type, message);
  if (faults.length > 0) {
    throw new ValidationFailed(faults);
  }
  return message as Message;
}
