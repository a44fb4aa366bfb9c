import { isObject, type JsonObject, valueAt } from '../../runtime/json';
import { codeSpan, decodedUri, markdownTable } from './docs-page';

const REFERENCES_MAX = 10;
const POINTER_LENGTH_MAX = 1_000;

export class NoOpenApiDocument extends Error {}

export class OpenApiDocument {
  private constructor(readonly root: JsonObject) {}

  static read(text: string): OpenApiDocument {
    let root: unknown;
    try {
      root = JSON.parse(text.replace(/^\ufeff/u, ''));
    } catch (cause) {
      throw new NoOpenApiDocument('The OpenAPI document is no valid JSON.', { cause });
    }
    if (!isObject(root)) {
      throw new NoOpenApiDocument('The OpenAPI document is no JSON object.');
    }
    const { openapi } = root;
    if (typeof openapi !== 'string' || !/^3\.[0-9]{1,3}/u.test(openapi)) {
      throw new NoOpenApiDocument('The document has no "openapi" of version 3: only OpenAPI 3 is read.');
    }
    if (!isObject(root['paths']) && !isObject(root['components'])) {
      throw new NoOpenApiDocument('The OpenAPI document has neither paths nor components.');
    }
    return new OpenApiDocument(root);
  }

  resolve(value: unknown): JsonObject | null {
    let current = value;
    for (let hop = 0; hop <= REFERENCES_MAX; hop += 1) {
      if (!isObject(current)) {
        return null;
      }
      const reference = current['$ref'];
      if (typeof reference !== 'string') {
        return current;
      }
      const isWithin = reference.startsWith('#/') && reference.length <= POINTER_LENGTH_MAX;
      current = isWithin ? valueAt(this.root, reference, decodedUri) : undefined;
    }
    return null;
  }
}

export function membersOf(value: unknown): [name: string, value: unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown, lengthMax: number): string {
  if (typeof value !== 'string') {
    return '';
  }
  return value.length <= lengthMax ? value : `${value.slice(0, lengthMax - 1).toWellFormed()}…`;
}

const TYPE_DEPTH_MAX = 4;
const FIELD_DEPTH_MAX = 4;
const ROWS_MAX = 200;
/** How many schemas one page looks at: references may lead to the same one a million times. */
const LOOKS_MAX = 100_000;
const CHOICES_MAX = 12;
const ENUM_VALUES_MAX = 30;
const CELL_LENGTH_MAX = 600;
const TYPE_LENGTH_MAX = 600;
const NAME_LENGTH_MAX = 200;
const VALUE_LENGTH_MAX = 80;
const SCHEMA_REFERENCE = /^#\/components\/schemas\/([^/]{1,200})$/u;
const COMBINED = Object.entries({ oneOf: ' or ', anyOf: ' or ', allOf: ' and ' });
const BOUNDS = [
  ['minimum', 'at least'],
  ['exclusiveMinimum', 'more than'],
  ['maximum', 'at most'],
  ['exclusiveMaximum', 'less than'],
  ['multipleOf', 'a multiple of'],
  ['minLength', 'length at least'],
  ['maxLength', 'length at most'],
  ['minItems', 'number of items at least'],
  ['maxItems', 'number of items at most'],
  ['pattern', 'matches'],
  ['default', 'default'],
  ['const', 'always'],
] as const;

/** Named schemas are linked, never repeated. */
export class SchemaTables {
  private looks = 0;

  constructor(
    readonly document: OpenApiDocument,
    private readonly anchors: ReadonlyMap<string, string>,
  ) {}

  get isExhausted(): boolean {
    return this.looks >= LOOKS_MAX;
  }

  typeOf(schema: unknown, depth = 0): string {
    if (!isObject(schema)) {
      return schema === false ? 'nothing' : 'any';
    }
    if (typeof schema['$ref'] === 'string') {
      return this.referenceText(schema['$ref'], depth);
    }
    this.looks += 1;
    if (depth > TYPE_DEPTH_MAX || this.isExhausted) {
      return '…';
    }
    for (const [member, words] of COMBINED) {
      const choices = listOf(schema[member]);
      if (choices.length > 0) {
        return this.choiceText(choices, words, depth);
      }
    }
    const types = this.namedTypes(schema, depth);
    const withNull = schema['nullable'] === true && !types.includes('null') ? [...types, 'null'] : types;
    return withNull.length === 0 ? 'any' : withNull.join(' or ');
  }

  fieldsOf(schema: unknown): string {
    const rows: string[][] = [];
    this.addFields(schema, '', 0, rows);
    if (rows.length === 0) {
      return '';
    }
    return markdownTable(['Field', 'Type', 'Required', 'Description'], rows, ROWS_MAX, 'fields');
  }

  notesOf(schema: unknown, description?: unknown): string {
    const said = textOf(
      description ?? (isObject(schema) ? schema['description'] : ''),
      CELL_LENGTH_MAX,
    ).trim();
    const demands = demandsOf(schema);
    const stop = said === '' || /[.!?:]$/u.test(said) ? '' : '.';
    return [said + stop, ...demands].filter((each) => each !== '').join(' ');
  }

  private referenceText(reference: string, depth: number): string {
    const name = SCHEMA_REFERENCE.exec(reference)?.[1];
    const anchor = name === undefined ? undefined : this.anchors.get(name);
    if (anchor !== undefined) {
      return `[${(name ?? '').replaceAll(/[[\]\\]/gu, '\\$&')}](#${anchor})`;
    }
    const resolved = this.document.resolve({ $ref: reference });
    return resolved === null || depth > TYPE_DEPTH_MAX
      ? codeSpan(textOf(reference, NAME_LENGTH_MAX))
      : this.typeOf(resolved, depth + 1);
  }

  private choiceText(choices: readonly unknown[], words: string, depth: number): string {
    const texts = choices.slice(0, CHOICES_MAX).map((choice) => this.typeOf(choice, depth + 1));
    const rest = choices.length > CHOICES_MAX ? [`${choices.length - CHOICES_MAX} more`] : [];
    const text = [...new Set([...texts, ...rest])].join(words);
    return text.length > TYPE_LENGTH_MAX ? `${choices.length} alternatives` : text;
  }

  private namedTypes(schema: JsonObject, depth: number): string[] {
    const { type, format, items, additionalProperties } = schema;
    const named = (Array.isArray(type) ? type : [type])
      .filter((each) => typeof each === 'string')
      .slice(0, 7);
    const types = named.length === 0 && isObject(schema['properties']) ? ['object'] : named;
    return types.map((each) => {
      if (each === 'array') {
        return items === undefined ? 'array' : `array of ${this.typeOf(items, depth + 1)}`;
      }
      if (each === 'object' && isObject(additionalProperties) && !isObject(schema['properties'])) {
        return `map of ${this.typeOf(additionalProperties, depth + 1)}`;
      }
      const shown = textOf(each, NAME_LENGTH_MAX);
      return typeof format === 'string' && each !== 'null' && each !== 'object'
        ? `${shown} (${textOf(format, NAME_LENGTH_MAX)})`
        : shown;
    });
  }

  private addFields(schema: unknown, prefix: string, depth: number, rows: string[][]): void {
    this.looks += 1;
    const isEnough = depth > FIELD_DEPTH_MAX || rows.length > ROWS_MAX || this.isExhausted;
    const found = isEnough ? null : this.document.resolve(schema);
    if (found === null) {
      return;
    }
    for (const part of listOf(found['allOf']).slice(0, CHOICES_MAX)) {
      this.addFields(part, prefix, depth + 1, rows);
    }
    const required = new Set(listOf(found['required']));
    for (const [name, field] of membersOf(found['properties'])) {
      if (rows.length > ROWS_MAX) {
        return;
      }
      const path = `${prefix}${textOf(name, NAME_LENGTH_MAX)}`;
      rows.push([codeSpan(path), this.typeOf(field), required.has(name) ? 'yes' : 'no', this.notesOf(field)]);
      this.addNested(field, path, depth, rows);
    }
  }

  private addNested(field: unknown, path: string, depth: number, rows: string[][]): void {
    if (!isObject(field) || field['$ref'] !== undefined) {
      return;
    }
    const items = field['items'];
    if (isObject(field['properties'])) {
      this.addFields(field, `${path}.`, depth + 1, rows);
    } else if (isObject(items) && items['$ref'] === undefined && isObject(items['properties'])) {
      this.addFields(items, `${path}[].`, depth + 1, rows);
    }
  }
}

function demandsOf(schema: unknown): string[] {
  if (!isObject(schema)) {
    return [];
  }
  const values = listOf(schema['enum']);
  const shown = values.slice(0, ENUM_VALUES_MAX).map(valueText);
  const rest = values.length > shown.length ? ` and ${values.length - shown.length} more` : '';
  const bounds = BOUNDS.filter(([name]) => isScalar(schema[name])).map(
    ([name, words]) => `${words} ${valueText(schema[name])}`,
  );
  return [
    ...(shown.length === 0 ? [] : [`One of ${shown.join(', ')}${rest}.`]),
    ...(bounds.length === 0 ? [] : [`(${bounds.join('; ')})`]),
    ...(schema['deprecated'] === true ? ['Deprecated.'] : []),
    ...(schema['readOnly'] === true ? ['Read only.'] : []),
    ...(schema['writeOnly'] === true ? ['Write only.'] : []),
  ];
}

function isScalar(value: unknown): boolean {
  return ['string', 'number'].includes(typeof value) || typeof value === 'boolean';
}

function valueText(value: unknown): string {
  if (typeof value === 'string') {
    return codeSpan(textOf(value === '' ? '""' : value, VALUE_LENGTH_MAX));
  }
  return isScalar(value) || value === null ? codeSpan(String(value)) : 'an object';
}
