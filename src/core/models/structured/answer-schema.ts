import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { jsonInText } from './json-in-text';

const FAULTS_MAX = 10;
/** In UTF-16 units. */
const FAULT_LENGTH_MAX = 400;

/** A JSON Schema without `$id`. Use one object for all questions: its compiled form is kept for as long as the object is. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A value of the schema, or what is wrong with the answer: one line for each fault, at most ten. */
export type Verdict = { readonly value: unknown } | { readonly faults: readonly string[] };

/** How often a part of a caller's schema is held against a part of an answer: some tenths of a second. */
const CHECKS_MAX = 300_000;
/** A text of so many UTF-16 units counts as one more part of an answer. */
const TEXT_PER_PART = 200;

const ajv = new Ajv2020({ allErrors: true, strict: false, logger: false });
/**
 * Of a caller's schema one fault is enough: all of them together may be as many as checks, and fill the memory. What several
 * references lead to is compiled once.
 */
const firstFault = new Ajv2020({ inlineRefs: false, strict: false, logger: false });
const compiled = new WeakMap<JsonSchema, ValidateFunction>();
const boundedSchemas = new WeakMap<JsonSchema, number>();

/**
 * Has answers to a caller's schema checked as far as that takes a bounded time; larger ones are faulty.
 * @param partsPerValue how many parts of the schema are held against the same part of an answer at most
 */
export function boundChecks(schema: JsonSchema, partsPerValue: number): void {
  boundedSchemas.set(schema, partsPerValue);
}

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
  const partsPerValue = boundedSchemas.get(schema) ?? 0;
  let checksLeft = CHECKS_MAX;
  for (const value of jsonInText(text)) {
    checksLeft -= partsPerValue === 0 ? 0 : partsPerValue * partsOf(value, checksLeft / partsPerValue);
    if (checksLeft < 0) {
      return { faults: faults ?? ['The value has too many parts to be checked by this schema.'] };
    }
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
  const compiler = boundedSchemas.has(schema) ? firstFault : ajv;
  const validate = compiler.compile(schema);
  compiler.removeSchema(schema);
  compiled.set(schema, validate);
  return validate;
}

/** How many values a value consists of, counted until there are more than `countMax`. */
function partsOf(value: unknown, countMax: number): number {
  const open = [value];
  let count = 0;
  while (open.length > 0 && count <= countMax) {
    const part = open.pop();
    count += 1;
    if (typeof part === 'string') {
      count += part.length / TEXT_PER_PART;
    } else if (typeof part === 'object' && part !== null) {
      for (const member of Object.values(part)) {
        open.push(member);
      }
    }
  }
  return count;
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
