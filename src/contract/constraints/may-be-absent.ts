import { ValidateIf } from 'class-validator';

/** The property may be left out. Unlike IsOptional this does not let null pass. */
export function MayBeAbsent(): PropertyDecorator {
  return ValidateIf((_: object, value: unknown) => value !== undefined);
}
