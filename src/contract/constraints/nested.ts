import { Type } from 'class-transformer';
import { ValidateBy, type ValidationOptions } from 'class-validator';
import type { ValidationDetail } from '../../core/errors/request-errors';
import { dtoFaults, within, type DtoClass } from '../dto-faults';

/**
 * The object, or every object of the array, is valid by another class. What is no object is left to the other
 * decorators: unlike ValidateNested this lets a property also be a text, and does not look into arrays of arrays.
 */
export function Nested(type: () => DtoClass, options?: ValidationOptions): PropertyDecorator {
  const faultsWithin = (value: unknown): ValidationDetail[] =>
    Array.isArray(value)
      ? value.flatMap((item: unknown, index) => within(String(index), objectFaults(type(), item)))
      : objectFaults(type(), value);
  const validate = ValidateBy(
    {
      name: 'nested',
      validator: {
        validate: (value: unknown) => faultsWithin(value).length === 0,
        defaultMessage: () => 'is not valid',
      },
    },
    { ...options, context: { faultsWithin } },
  );
  return (target, property) => {
    validate(target, property);
    Type(type)(target, property);
  };
}

function objectFaults(type: DtoClass, value: unknown): ValidationDetail[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? dtoFaults(type, value) : [];
}
