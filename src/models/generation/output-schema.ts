import type { JsonSchema } from './answer-schema';
import type { StructuredQuestion } from './structured-answers';
import { cutJson, isObject } from '../../runtime/json';

declare const OUTPUT: unique symbol;

export interface OutputSchema<Output> extends JsonSchema {
  readonly [OUTPUT]?: Output;
}

export type OutputOf<Schema> = Schema extends OutputSchema<infer Output> ? Output : never;

interface TextBounds {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

function string(bounds: TextBounds = {}): OutputSchema<string> {
  return { type: 'string', ...bounds };
}

export const schema = {
  string,
  text: string({ minLength: 1 }),

  oneOf<const Value extends string>(values: readonly Value[]): OutputSchema<Value> {
    return { type: 'string', enum: values };
  },

  number(bounds: { readonly minimum?: number; readonly maximum?: number } = {}): OutputSchema<number> {
    return { type: 'number', ...bounds };
  },

  integer(bounds: { readonly minimum?: number } = {}): OutputSchema<number> {
    return { type: 'integer', ...bounds };
  },

  orNull<Output>(of: OutputSchema<Output>): OutputSchema<Output | null> {
    const values = of.enum as readonly unknown[] | undefined;
    return { ...of, type: [of.type, 'null'], ...(values && { enum: [...values, null] }) };
  },

  list<Item>(
    items: OutputSchema<Item>,
    bounds: { readonly minItems?: number; readonly maxItems?: number } = {},
  ): OutputSchema<Item[]> {
    return { type: 'array', ...bounds, items };
  },

  /** All properties are required, as strict modes of models demand. */
  object<Properties extends Readonly<Record<string, OutputSchema<unknown>>>>(
    properties: Properties,
  ): OutputSchema<{ [Name in keyof Properties]: OutputOf<Properties[Name]> }> {
    return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
  },
};

const FAULTS_MAX = 10;

export class FaultTally {
  kept = 0;
  dropped = 0;
  private readonly faults: string[] = [];

  keep(count = 1): void {
    this.kept += count;
  }

  drop(why: string): void {
    this.dropped += 1;
    if (this.faults.length < FAULTS_MAX) {
      this.faults.push(why);
    }
  }

  /** Empty where anything was kept: then the model is not asked again. */
  get faultsOfAll(): readonly string[] {
    return this.kept === 0 ? this.faults : [];
  }
}

export interface SchemaQuestion<Output, Value> extends Omit<
  StructuredQuestion<Value>,
  'schema' | 'check' | 'read'
> {
  readonly schema: OutputSchema<Output>;
  readonly check?: (output: Output, isCut: boolean) => readonly string[];
  readonly read: (output: Output, tally: FaultTally) => Value;
}

export function modelQuestion<Output, Value>(
  question: SchemaQuestion<Output, Value>,
): StructuredQuestion<Value> {
  return question;
}

/** Known to every server that takes schemas; the others are checked only here. */
const ASKED_KEYWORDS = new Set(['type', 'properties', 'required', 'enum', 'additionalProperties', 'items']);
const asked = new WeakMap<JsonSchema, JsonSchema>();

/** Servers refuse schemas with bounds and patterns. */
export function askedSchema(schema: JsonSchema): JsonSchema {
  const known = asked.get(schema);
  if (known) {
    return known;
  }
  const kept = Object.entries(schema).filter(([keyword]) => ASKED_KEYWORDS.has(keyword));
  const made = Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (keyword === 'properties') {
        const members = Object.entries(value as Record<string, JsonSchema>);
        return [keyword, Object.fromEntries(members.map(([name, member]) => [name, askedSchema(member)]))];
      }
      return [keyword, keyword === 'items' ? askedSchema(value as JsonSchema) : value];
    }),
  );
  asked.set(schema, made);
  return made;
}

/** Closes what is open where the answer was cut off, and drops an item that had only begun. Null before any object. */
export function cutAnswer(text: string, schema: JsonSchema): unknown {
  const start = text.indexOf('{');
  const cut = start === -1 ? null : cutJson(text.slice(start));
  return cut === null ? null : completed(withoutBegun(cut.value, cut.open, cut.isStringCut), schema);
}

const DEPTH_MAX = 16;

function withoutBegun(value: unknown, open: number, isStringCut: boolean, depth = 0): unknown {
  if (open === 0 || depth > DEPTH_MAX || typeof value !== 'object' || value === null) {
    return value;
  }
  const isLastBegun = open > 1 || isStringCut;
  if (Array.isArray(value) && value.length > 1 && isLastBegun) {
    return value.slice(0, -1);
  }
  const [name, member] = Object.entries(value).at(-1) ?? [];
  if (name === undefined) {
    return value;
  }
  const last = withoutBegun(member, open - 1, isStringCut, depth + 1);
  return Array.isArray(value) ? value.with(-1, last) : { ...value, [name]: last };
}

function completed(value: unknown, schema: JsonSchema, depth = 0): unknown {
  if (depth > DEPTH_MAX) {
    return value;
  }
  if (Array.isArray(value) && isObject(schema.items)) {
    const { items } = schema;
    return (value as unknown[]).map((item) => completed(item, items, depth + 1));
  }
  if (!isObject(value) || !isObject(schema.properties)) {
    return value;
  }
  const { properties } = schema;
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
  const names = [...new Set([...Object.keys(value), ...required])];
  const members = names.map((name) => {
    const member = isObject(properties[name]) ? properties[name] : {};
    const given = Object.hasOwn(value, name) ? value[name] : nothingOf(member);
    return [name, completed(given, member, depth + 1)] as const;
  });
  return Object.fromEntries(members);
}

function nothingOf({ type }: JsonSchema): unknown {
  const types = [type].flat();
  if (types.includes('null')) {
    return null;
  }
  return types.includes('array') ? [] : undefined;
}
