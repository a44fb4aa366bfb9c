import { ValidateBy, type ValidationOptions } from 'class-validator';

/** The number is more than the bound, which is not allowed itself. */
export function IsMoreThan(bound: number, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isMoreThan',
      validator: {
        validate: (value: unknown) => typeof value === 'number' && value > bound,
        defaultMessage: () => `must be more than ${bound}`,
      },
    },
    options,
  );
}
