import { ValidateIf } from 'class-validator';

/** The property may be null. Unlike IsOptional this does not let it be left out. */
export function MayBeNull(): PropertyDecorator {
  return ValidateIf((_: object, value: unknown) => value !== null);
}
