import { literal, type Json, type JsonObject } from './json';

/** class-validator's own decorators for a value. The type's comes last, because they run from the last to the first. */
export interface OwnDecorators {
  decorators: string[];
  nullable: boolean;
  /** The TypeScript type of the value. */
  type: string;
}

/**
 * The decorators whose judgement agrees with JSON Schema. Those for lengths do not, because class-validator does not
 * count variation selectors. Formats, arrays and objects are left out too: ValidateNested only judges instances of
 * classes.
 */
const TYPES: Record<
  string,
  { own: string; type: string; keywords: Record<string, (value: Json) => string> }
> = {
  string: {
    own: 'IsString()',
    type: 'string',
    keywords: { pattern: (value) => `Matches(${String(new RegExp(String(value), 'u'))})` },
  },
  boolean: { own: 'IsBoolean()', type: 'boolean', keywords: {} },
  integer: { own: 'IsInt()', type: 'number', keywords: bounds() },
  number: { own: 'IsNumber()', type: 'number', keywords: bounds() },
};
const SILENT = [
  '$ref',
  'type',
  'enum',
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
];

/** Null where the schema says something for which there is no such decorator. */
export function ownDecorators(schema: JsonObject): OwnDecorators | null {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? null];
  const [only, ...others] = types.filter((type) => type !== 'null');
  const known = TYPES[String(only)];
  const said = Object.keys(schema).filter((name) => !SILENT.includes(name) && !name.startsWith('x-'));
  const choices = Array.isArray(schema.enum) ? schema.enum : null;
  const isMixed = choices?.some((choice) => choice === null || typeof choice !== known?.type);
  if (!known || others.length > 0 || isMixed || said.some((name) => !Object.hasOwn(known.keywords, name))) {
    return null;
  }
  const nullable = types.includes('null');
  const listed = choices?.map(literal) ?? [];
  if (nullable && choices) {
    return null;
  }
  return {
    decorators: [
      ...(choices ? [`IsIn([${listed.join(', ')}])`] : []),
      ...said.map((name) => known.keywords[name]?.(schema[name] ?? null) ?? ''),
      known.own,
    ],
    nullable,
    type: [...(choices ? listed : [known.type]), ...(nullable ? ['null'] : [])].join(' | '),
  };
}

function bounds(): Record<string, (value: Json) => string> {
  return { minimum: (value) => `Min(${literal(value)})`, maximum: (value) => `Max(${literal(value)})` };
}
