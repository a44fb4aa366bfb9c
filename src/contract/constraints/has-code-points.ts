import { ValidateBy, type ValidationOptions } from 'class-validator';

/**
 * The text's length in Unicode code points, as JSON Schema counts it. class-validator's Length leaves variation
 * selectors out, so it would accept what the document refuses.
 */
export function HasCodePoints(
  range: { min?: number; max?: number },
  options?: ValidationOptions,
): PropertyDecorator {
  const { min = 0, max = Infinity } = range;
  return ValidateBy(
    {
      name: 'hasCodePoints',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isWithin(value, min, max),
        defaultMessage: () =>
          max === Infinity ? `must have at least ${min} characters` : `must have ${min} to ${max} characters`,
      },
    },
    options,
  );
}

function isWithin(text: string, min: number, max: number): boolean {
  // A code point takes one or two code units, so most texts need no counting.
  if (text.length < min || text.length > 2 * max) {
    return false;
  }
  if (text.length <= max && text.length >= 2 * min) {
    return true;
  }
  const length = countCodePoints(text);
  return length >= min && length <= max;
}

function countCodePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; count += 1) {
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  }
  return count;
}
