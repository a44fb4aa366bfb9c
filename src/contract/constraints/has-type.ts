import { ValidateBy, type ValidationOptions } from 'class-validator';

/** JSON's types, and JSON Schema's integer. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

const CHECKS: Record<JsonType, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  null: (value) => value === null,
};

/** The value is of one of these types. */
export function HasType(types: readonly JsonType[], options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'hasType',
      validator: {
        validate: (value: unknown) => types.some((type) => CHECKS[type](value)),
        defaultMessage: () => `must be of type ${types.join(' or ')}`,
      },
    },
    options,
  );
}
