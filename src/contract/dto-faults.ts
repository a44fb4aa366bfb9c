import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import type { ValidationDetail } from '../core/errors/request-errors';
import { fieldPolicyOf } from './constraints/fields';
import { valueFromText } from './constraints/from-text';
import { fieldCountFault } from './constraints/has-field-count';

export type DtoClass<Dto extends object = object> = new () => Dto;

type Values = Record<string, unknown>;

const declaredNames = new WeakMap<DtoClass, ReadonlySet<string>>();

/**
 * Every fault of a value by a class's decorators, the field '' being the value itself. Where there is none, the class's
 * defaults and the values that were read from text are written into the value, as Ajv does.
 *
 * Neither class-transformer nor class-validator's whitelist sees the value as it came: the one runs what a field called
 * `constructor` holds, the other takes such a field for a declared one.
 */
export function dtoFaults(type: DtoClass, value: unknown): ValidationDetail[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ field: '', message: 'must be an object' }];
  }
  const fields = value as Values;
  const names = namesOf(type);
  const dto = instantiate(type, names, fields);
  const faults = [
    ...policyFaults(type, names, fields, dto),
    ...validateSync(dto, { stopAtFirstError: true, validationError: { target: false } }).flatMap(detailsOf),
  ];
  if (faults.length === 0) {
    Object.assign(fields, dto);
  }
  return faults;
}

/** The same faults, seen from the object that holds the value in `field`. */
export function within(field: string, faults: ValidationDetail[]): ValidationDetail[] {
  return faults.map((fault) => ({ ...fault, field: fault.field === '' ? field : `${field}.${fault.field}` }));
}

function instantiate(type: DtoClass, names: ReadonlySet<string>, fields: Values): Values {
  const dto = new type() as Values;
  for (const name of names) {
    if (fields[name] !== undefined) {
      dto[name] = valueFromText(dto, name, fields[name]);
    }
  }
  return dto;
}

function policyFaults(
  type: DtoClass,
  names: ReadonlySet<string>,
  fields: Values,
  dto: Values,
): ValidationDetail[] {
  const policy = fieldPolicyOf(type);
  const unknown = policy.keepsUnknown ? [] : Object.keys(fields).filter((name) => !names.has(name));
  const countFault = fieldCountFault(new Set([...Object.keys(fields), ...Object.keys(dto)]).size, policy);
  return [
    ...unknown.map((field) => ({ field, message: 'is not a known field' })),
    ...(countFault === null ? [] : [{ field: '', message: countFault }]),
  ];
}

function namesOf(type: DtoClass): ReadonlySet<string> {
  let names = declaredNames.get(type);
  if (!names) {
    const metadata = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    names = new Set(metadata.map(({ propertyName }) => propertyName));
    declaredNames.set(type, names);
  }
  return names;
}

function detailsOf(error: ValidationError): ValidationDetail[] {
  const field = error.property;
  if (error.value === undefined) {
    return [{ field, message: 'is required' }];
  }
  return Object.entries(error.constraints ?? {}).flatMap(([name, message]) => {
    const context = error.contexts?.[name] as
      { faultsWithin?: (value: unknown) => ValidationDetail[] } | undefined;
    const inner = within(field, context?.faultsWithin?.(error.value) ?? []);
    return inner.length > 0 ? inner : [{ field, message: withoutName(message, field) }];
  });
}

/** class-validator's own texts begin with the property's name, which the detail tells apart. */
function withoutName(message: string, name: string): string {
  const each = `each value in ${name} `;
  if (message.startsWith(each)) {
    return `each item ${message.slice(each.length)}`;
  }
  return message.startsWith(`${name} `) ? message.slice(name.length + 1) : message;
}
