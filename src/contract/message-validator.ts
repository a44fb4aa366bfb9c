import type { ValidateFunction } from 'ajv/dist/2020';
import { definitions } from '../../generated/schemas';
import type { components } from '../../generated/types';
import { type ValidationDetail, ValidationFailed } from '../errors/api-errors';
import { type Reader, readerAsMeant } from './coerce-input';
import { findBadTexts, schemaCompiler } from './request-validator';
import { answeredFaults, describeFaults } from './validation-messages';

type Schemas = components['schemas'];

const compiler = schemaCompiler({ fromText: false, allErrors: true });
const validators = new Map<string, ValidateFunction>();
const readers = new Map<string, Reader | null>();

/** Every fault that a named schema of the document finds in a value. A fault with the field '' is one of the value itself. */
export function schemaFaults(name: string, value: unknown): ValidationDetail[] {
  let validate = validators.get(name);
  if (!validate) {
    validate = compiler.compile({ $ref: `contract#/$defs/${name}` });
    validators.set(name, validate);
  }
  return validate(value) ? [] : describeFaults(validate.errors ?? [], value);
}

/**
 * A socket's message, judged by its schema as RequestValidator judges the body of a request, and changed in place to what was
 * meant, with defaults filled in.
 * @throws ValidationFailed naming every fault
 */
export function readMessage<Name extends keyof Schemas>(name: Name, message: unknown): Schemas[Name] {
  // Looked for first, because it also bounds the depth to which the schemas are then followed.
  const badTexts = findBadTexts(message);
  const faults = badTexts.length > 0 ? badTexts : schemaFaults(name, asMeant(name, message));
  if (faults.length > 0) {
    throw new ValidationFailed(answeredFaults(faults, 'body'));
  }
  return message as Schemas[Name];
}

function asMeant(name: keyof Schemas, message: unknown): unknown {
  let reader = readers.get(name);
  if (reader === undefined) {
    reader = readerAsMeant({ $ref: `contract#/$defs/${name}` }, definitions);
    readers.set(name, reader);
  }
  return reader ? reader(message) : message;
}
