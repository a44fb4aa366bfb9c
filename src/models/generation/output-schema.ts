import type { JsonSchema } from './answer-schema';
import type { AnswerQuestion, AnswerTask } from './model-task';
import type { Tally } from './tally';

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

  /** All properties are required, because strict models want it so. */
  object<Properties extends Readonly<Record<string, OutputSchema<unknown>>>>(
    properties: Properties,
  ): OutputSchema<{ [Name in keyof Properties]: OutputOf<Properties[Name]> }> {
    return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
  },
};

interface SchemaQuestion<Output, Value> extends Omit<AnswerQuestion<Value>, 'schema' | 'check' | 'read'> {
  readonly schema: OutputSchema<Output>;
  readonly check?: (output: Output, isCut: boolean) => readonly string[];
  readonly read: (output: Output, tally: Tally) => Value;
}

export function modelQuestion<Output, Value>(question: SchemaQuestion<Output, Value>): AnswerQuestion<Value> {
  return question;
}

/** Where there is no honest answer without a model. @param reads the texts that the prompt shows */
export function modelTask<Output, Value>(
  reads: readonly string[],
  question: SchemaQuestion<Output, Value>,
): AnswerTask<Value> {
  return { question, embedded: null, reads };
}
