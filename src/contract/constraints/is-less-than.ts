import { ValidateBy, type ValidationOptions } from 'class-validator';

/** The number is less than the bound, which is not allowed itself. */
export function IsLessThan(bound: number, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isLessThan',
      validator: {
        validate: (value: unknown) => typeof value === 'number' && value < bound,
        defaultMessage: () => `must be less than ${bound}`,
      },
    },
    options,
  );
}
