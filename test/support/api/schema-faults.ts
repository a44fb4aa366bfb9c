import type { ValidateFunction } from 'ajv';
import { describeFaults, schemaCompiler } from '../../../src/contract/request-validator';
import type { ValidationDetail } from '../../../src/errors/api-errors';

const compiler = schemaCompiler({ fromText: false, allErrors: true });

/** Every fault that a named schema of the document finds in a value. A fault with the field '' is one of the value itself. */
export function schemaFaults(name: string, value: unknown): ValidationDetail[] {
  const validate = compiler.getSchema(`contract#/$defs/${name}`) as ValidateFunction;
  return validate(value) ? [] : describeFaults(validate.errors ?? [], value);
}
