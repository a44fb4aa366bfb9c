import { ValidateBy, type ValidationOptions } from 'class-validator';
import type { ValidationDetail } from '../../core/errors/request-errors';
import { dtoFaults, within, type DtoClass } from '../dto-faults';

/** A class whose one property says what each member must be. */
type MemberClass = DtoClass<{ member: unknown }>;

/**
 * Every value of the map, or every item of the array, is what the class's property `member` declares. For members that
 * `each` cannot express: those of a map, arrays within arrays, and members of several types.
 */
export function HasMembers(type: () => MemberClass, options?: ValidationOptions): PropertyDecorator {
  const faultsWithin = (value: unknown): ValidationDetail[] =>
    Object.entries(Object(value) as object).flatMap(([name, member]: [string, unknown]) =>
      dtoFaults(type(), { member }).flatMap((fault) =>
        within(name, [{ ...fault, field: fault.field.slice('member.'.length) }]),
      ),
    );
  return ValidateBy(
    {
      name: 'hasMembers',
      validator: {
        validate: (value: unknown) => faultsWithin(value).length === 0,
        defaultMessage: () => 'has a member that is not valid',
      },
    },
    { ...options, context: { faultsWithin } },
  );
}
