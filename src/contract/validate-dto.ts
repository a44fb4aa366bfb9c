import type { ValidationDetail } from '../core/errors/request-errors';
import { findBadText } from './bad-text';
import { dtoFaults, type DtoClass } from './dto-faults';

const DETAILS_MAX = 50;

/**
 * The faults of a value by a class-validator class; none where it is valid. Judges as RequestValidator judges requests:
 * unknown fields are refused unless the class keeps them, text must be storable, and a valid value gets the class's
 * defaults. For what does not come by HTTP (socket messages, queue payloads) and for modules with classes of their own.
 *
 * Objects within objects need the Nested decorator; class-transformer's Type alone is not followed.
 */
export function validateDto(type: DtoClass, value: unknown): ValidationDetail[] {
  const badText = findBadText(value);
  // First, because it bounds the depth to which the classes are then followed.
  const faults = badText ? [badText] : dtoFaults(type, value);
  return faults.slice(0, DETAILS_MAX).map(({ field, message }) => ({ field: field || 'body', message }));
}
