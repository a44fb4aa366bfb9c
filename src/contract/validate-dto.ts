import { validateSync, type ValidationError } from 'class-validator';
import type { ValidateFunction } from 'ajv/dist/2020';
import { definitions } from '../../generated/schemas';
import type { ValidationDetail } from '../core/errors/request-errors';
import { isObject } from '../infrastructure/json/json-object';
import { findBadText } from './bad-text';
import { schemaFaults, schemaOf } from './matches-schema';
import { detailOf, schemaCompiler } from './schema-compiler';

export type DtoClass = new () => object;

interface ObjectSchema {
  properties: Record<string, { type?: unknown; default?: unknown }>;
}

/** What the decorators of a class can't say: which fields are allowed and required, how many, and their defaults. */
interface Shape {
  names: string[];
  validate: ValidateFunction;
}

const DETAILS_MAX = 50;
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
  const badText = findBadText(value);
  const faults = badText ? [badText] : dtoFaults(type, value);
  return faults.slice(0, DETAILS_MAX).map(({ field, message }) => ({ field: field || 'body', message }));
}

/**
 * Neither class-transformer nor the whitelist of class-validator is used, because a field called `constructor` defeats
 * both: class-transformer runs what the field holds, and the whitelist takes it for a declared field.
 */
function dtoFaults(type: DtoClass, value: unknown): ValidationDetail[] {
  const { names, validate } = shapeOf(type);
  const shapeFaults = validate(value) ? [] : (validate.errors ?? []).map(detailOf);
  if (!isObject(value)) {
    return shapeFaults;
  }
  const dto = Object.assign(new type(), Object.fromEntries(names.map((name) => [name, value[name]])));
  const told = new Set(shapeFaults.map(({ field }) => field));
  const errors = validateSync(dto, { stopAtFirstError: true, validationError: { target: false } });
  return [...shapeFaults, ...errors.filter(({ property }) => !told.has(property)).flatMap(detailsOf)];
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
    shape = { names: Object.keys(schema.properties), validate };
    shapes.set(type, shape);
  }
  return shape;
}

function detailsOf({ property, value, constraints, contexts }: ValidationError): ValidationDetail[] {
  const pointer = (contexts?.matchesSchema as { pointer: string } | undefined)?.pointer;
  if (pointer !== undefined) {
    return schemaFaults(pointer, value).map(({ field, message }) => ({
      field: field === '' ? property : `${property}.${field}`,
      message,
    }));
  }
  // class-validator's own texts begin with the property's name, which the detail tells apart.
  return Object.values(constraints ?? {}).map((message) => ({
    field: property,
    message: message.startsWith(`${property} `) ? message.slice(property.length + 1) : message,
  }));
}
