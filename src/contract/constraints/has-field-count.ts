import { ValidateBy, type ValidationOptions } from 'class-validator';

/** How many fields the object has, whatever their names. */
export function HasFieldCount(
  range: { min?: number; max?: number },
  options?: ValidationOptions,
): PropertyDecorator {
  return ValidateBy(
    {
      name: 'hasFieldCount',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'object' &&
          value !== null &&
          fieldCountFault(Object.keys(value).length, range) === null,
        defaultMessage: (args) =>
          fieldCountFault(Object.keys(Object(args?.value) as object).length, range) ?? '',
      },
    },
    options,
  );
}

/** What is wrong with this number of fields, or null. */
export function fieldCountFault(count: number, range: { min?: number; max?: number }): string | null {
  if (range.min !== undefined && count < range.min) {
    return `must have at least ${range.min} ${range.min === 1 ? 'field' : 'fields'}`;
  }
  if (range.max !== undefined && count > range.max) {
    return `must have at most ${range.max} ${range.max === 1 ? 'field' : 'fields'}`;
  }
  return null;
}
