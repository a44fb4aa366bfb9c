import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { jsonInText } from './json-in-text';

const FAULTS_MAX = 10;
/** In UTF-16 units. */
const FAULT_LENGTH_MAX = 400;

/** A JSON Schema without `$id`. Use one object for all questions: its compiled form is kept for as long as the object is. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A value of the schema, or what is wrong with the answer: one line for each fault, at most ten. */
export type Verdict = { readonly value: unknown } | { readonly faults: readonly string[] };

const ajv = new Ajv2020({ allErrors: true, strict: false, logger: false });
const compiled = new WeakMap<JsonSchema, ValidateFunction>();

/**
 * Looks in a model's answer for a value of the schema. Of several such values the first is taken.
 * @param check finds further faults of a value that has the form of the schema
 * @throws Error where the schema itself is no JSON Schema
 */
export function judgeAnswer(
  text: string,
  schema: JsonSchema,
  check?: (value: never) => readonly string[],
): Verdict {
  let faults: string[] | null = null;
  for (const value of jsonInText(text)) {
    const lacks = faultsOf(value, schema);
    const found =
      lacks.length === 0 && check
        ? check(value as never)
            .slice(0, FAULTS_MAX)
            .map(shortened)
        : lacks;
    if (found.length === 0) {
      return { value };
    }
    faults ??= found;
  }
  return { faults: faults ?? [text.trim() === '' ? 'The answer is empty.' : 'The answer holds no JSON.'] };
}

function faultsOf(value: unknown, schema: JsonSchema): string[] {
  const validate = compiled.get(schema) ?? compile(schema);
  try {
    return validate(value) ? [] : (validate.errors ?? []).slice(0, FAULTS_MAX).map(describe);
  } catch (error) {
    // A schema that refers to itself is checked recursively, and an answer may nest deeper than the stack goes.
    if (error instanceof RangeError) {
      return ['The value nests too deeply.'];
    }
    throw error;
  }
}

/** Ajv would keep the schema and its compiled form for ever, and callers may bring schemas of their own. */
function compile(schema: JsonSchema): ValidateFunction {
  const validate = ajv.compile(schema);
  ajv.removeSchema(schema);
  compiled.set(schema, validate);
  return validate;
}

function describe({ instancePath, message, params }: ErrorObject): string {
  const named = Object.entries(params as Record<string, unknown>)
    .filter(([name]) => ['additionalProperty', 'allowedValues'].includes(name))
    .map(([, value]) => ` (${JSON.stringify(value)?.slice(0, 200)})`);
  return shortened(`${instancePath || 'The value'} ${message ?? 'is not valid'}${named.join('')}`);
}

function shortened(fault: string): string {
  return fault.slice(0, FAULT_LENGTH_MAX);
}
