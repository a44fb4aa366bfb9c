import { ValidateBy, type ValidationOptions } from 'class-validator';

/** No two items of the array are equal as JSON values. class-validator's ArrayUnique compares objects by identity. */
export function HasUniqueItems(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'hasUniqueItems',
      validator: {
        validate: (value: unknown) =>
          Array.isArray(value) && new Set(value.map(canonical)).size === value.length,
        defaultMessage: () => 'must not have the same item twice',
      },
    },
    options,
  );
}

/** The same text for equal JSON values, whatever the order of their members. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join()}]`;
  }
  if (typeof value !== 'object' || value === null) {
    return String(JSON.stringify(value));
  }
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}
