import type { ValidationOptions } from 'class-validator';

/**
 * Which values a decorator judges, as JSON Schema's keywords do: a length says nothing about a value that is no text.
 * Needed where a property may be of several types.
 */
export const where = {
  text: whereTypeIs('string'),
  number: whereTypeIs('number'),
  boolean: whereTypeIs('boolean'),
  array: only((value) => Array.isArray(value)),
  object: only((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
  /** Judges the items of an array; class-validator's bare `each` would judge a value that is no array itself. */
  eachItem: { ...only((value) => Array.isArray(value)), each: true },
} as const satisfies Record<string, ValidationOptions>;

function whereTypeIs(type: string): ValidationOptions {
  return only((value) => typeof value === type);
}

function only(applies: (value: unknown) => boolean): ValidationOptions {
  return { validateIf: (_: object, value: unknown) => applies(value) };
}
