import Ajv2020, { type ErrorObject } from 'ajv/dist/2020';
import { definitions } from '../../generated/schemas';
import type { ValidationDetail } from '../core/errors/request-errors';
import { formats } from './formats';

export interface CompilerOptions {
  /** Whether every value arrives as text and has to be read as the type that its schema names. */
  fromText: boolean;
  /** Whether to go on after the first fault. The verdict is the same either way. */
  allErrors: boolean;
}

/** An Ajv with the document's schemas as `contract#/$defs/Name`; it fills in defaults. */
export function schemaCompiler({ fromText, allErrors }: CompilerOptions): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    coerceTypes: fromText,
    useDefaults: true,
    strict: false,
    // JSON.parse reads 1e400 as Infinity, which strict numbers refuse. For values read from text they are off: with
    // them Ajv would not compare an infinite number with the bounds, and there it is the bounds that refuse it.
    strictNumbers: !fromText,
    formats,
  });
  ajv.addSchema({ $id: 'contract', $defs: definitions });
  return ajv;
}

/** A fault of Ajv's in the form that callers see. The field '' stands for the whole value. */
export function detailOf(error: ErrorObject): ValidationDetail {
  const path = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const parameters = error.params as Record<string, unknown>;
  const inner = parameters.missingProperty ?? parameters.additionalProperty;
  const field = [path, inner].filter((part) => part !== undefined && part !== '').join('.');
  return { field, message: messageOf(error, parameters) };
}

function messageOf(error: ErrorObject, parameters: Record<string, unknown>): string {
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a known field';
    case 'enum':
      return `must be one of ${(parameters.allowedValues as unknown[]).join(', ')}`;
    case 'format':
      return `must be a valid ${String(parameters.format)}`;
    default:
      return error.message ?? 'is not valid';
  }
}
