import { ValidateBy, type ValidationOptions } from 'class-validator';
import { formats } from '../formats';

/** The text has one of the document's formats. @throws TypeError where the document knows no such format */
export function HasFormat(name: string, options?: ValidationOptions): PropertyDecorator {
  const isValid = formats[name];
  if (!isValid) {
    throw new TypeError(`there is no format ${name}`);
  }
  return ValidateBy(
    {
      name: 'hasFormat',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isValid(value),
        defaultMessage: () => `must be a valid ${name}`,
      },
    },
    options,
  );
}
