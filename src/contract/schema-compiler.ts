import Ajv2020, { type ErrorObject } from 'ajv/dist/2020';
import { definitions } from '../../generated/schemas';
import type { ValidationDetail } from '../core/errors/request-errors';
import { formats } from './formats';

export interface CompilerOptions {
  /** Whether every value arrives as text, and is read as the type that its schema names. */
  fromText: boolean;
  /** Whether to look on after the first fault. The verdict is the same. */
  allErrors: boolean;
}

/** An Ajv with the document's schemas as `contract#/$defs/Name`; it fills in defaults. */
export function schemaCompiler({ fromText, allErrors }: CompilerOptions): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    coerceTypes: fromText,
    useDefaults: true,
    strict: false,
    // JSON's 1e400 is Infinity here. Where text is coerced the bounds refuse it, which strict numbers would skip.
    strictNumbers: !fromText,
    formats,
  });
  ajv.addSchema({ $id: 'contract', $defs: definitions });
  return ajv;
}

/** A fault as callers are told of it; the field '' is the value itself. */
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
