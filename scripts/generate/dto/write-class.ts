import type { Json, JsonObject } from '../json';
import { resolveComponent } from '../operations';
import { RefusedDocument } from '../source-document';
import { pascal } from '../write-contract';
import { decoratorsOf } from './decorators';
import type { DtoClass } from './dto-class';
import type { DtoFile } from './dto-file';
import { literal } from './literal';
import { NoCounterpart } from './no-counterpart';
import { typeText } from './type-text';
import {
  checkClassSchema,
  isClassSchema,
  readValueSchema,
  type Branch,
  type ValueSchema,
} from './value-schema';

/** What a class is written from and into. */
export interface WritingContext {
  document: JsonObject;
  file: DtoFile;
  /** `file:line` of a JSON pointer. */
  locate: (pointer: string) => string;
}

/** Adds a class to the file. @throws RefusedDocument naming the first field that has no counterpart */
export function writeClass(context: WritingContext, dto: DtoClass): void {
  const { file } = context;
  refusedAt(context, dto.pointer, () => checkClassSchema(dto.schema));
  const keepsUnknown = dto.schema.additionalProperties !== false;
  const fields = Object.entries(dto.schema.properties as JsonObject).map(([name, schema]) =>
    refusedAt(context, fieldPointer(dto, name), () => writeField(context, dto, name, schema as JsonObject)),
  );
  file.add(
    [
      ...comment(dto.description, ''),
      ...policyDecorator(file, dto),
      `export class ${dto.name} implements ${documentType(file, dto)} {`,
      fields.join('\n\n'),
      ...(keepsUnknown ? ['\n  [name: string]: unknown;'] : []),
      '}',
    ].join('\n'),
  );
}

function fieldPointer(dto: DtoClass, name: string): string {
  const place = dto.isQuery ? 'parameters' : 'properties';
  return `${dto.pointer}/${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function writeField(context: WritingContext, dto: DtoClass, name: string, schema: JsonObject): string {
  if (name in {}) {
    throw new NoCounterpart('has a name that every object already has');
  }
  const value = readValueSchema(context.document, schema);
  const required = Array.isArray(dto.schema.required) && dto.schema.required.includes(name);
  const isOptional = !required && schema.default === undefined;
  const [mark, initialiser] =
    schema.default === undefined ? [required ? '!' : '?', ''] : ['', ` = ${literal(schema.default)}`];
  const lines = [
    ...comment(schema.description ?? inlinedDescription(context.document, schema), '  '),
    ...[
      ...(isOptional ? [context.file.decorator('MayBeAbsent')] : []),
      ...(dto.isQuery ? [...fromText(context.file, value)] : []),
      ...valueDecorators(context, `${dto.name}${pascal(identifier(name))}Member`, value),
    ].map((decorator) => `  ${decorator}`),
    `  ${propertyName(name)}${mark}: ${typeText(context.document, value)}${initialiser};`,
  ];
  return lines.join('\n');
}

function valueDecorators(context: WritingContext, memberName: string, value: ValueSchema): string[] {
  const memberClass = (schema: JsonObject): string => {
    writeMemberClass(context, memberName, schema);
    return memberName;
  };
  return [
    ...(value.nullable ? [context.file.decorator('MayBeNull')] : []),
    ...decoratorsOf({ ...context, memberClass }, value),
  ];
}

/** The class of what an array or map holds, where `each` cannot say it. */
function writeMemberClass(context: WritingContext, name: string, schema: JsonObject): void {
  const value = readValueSchema(context.document, schema);
  const decorators = valueDecorators(context, `${name}Member`, value);
  context.file.add(
    [
      `class ${name} {`,
      ...decorators.map((decorator) => `  ${decorator}`),
      `  member!: ${typeText(context.document, value)};`,
      '}',
    ].join('\n'),
  );
}

function documentType(file: DtoFile, { name, schema }: DtoClass): string {
  const type = file.documentType(name);
  return Array.isArray(schema.type) && schema.type.includes('null') ? `NonNullable<${type}>` : type;
}

/** What a component says that becomes no class of its own, and so has no other place. */
function inlinedDescription(document: JsonObject, schema: JsonObject): Json | undefined {
  const target = resolveComponent(document, schema);
  return isClassSchema(target) ? undefined : target.description;
}

function policyDecorator(file: DtoFile, dto: DtoClass): string[] {
  const { additionalProperties, minProperties, maxProperties } = dto.schema;
  const policy = [
    ...(additionalProperties === false ? [] : ['keepsUnknown: true']),
    ...(minProperties === undefined ? [] : [`min: ${literal(minProperties)}`]),
    ...(maxProperties === undefined ? [] : [`max: ${literal(maxProperties)}`]),
  ];
  return policy.length === 0 ? [] : [file.decorator('Fields', `{ ${policy.join(', ')} }`)];
}

/** A query's values arrive as text; without bounds the text Infinity would be a number. */
function fromText(file: DtoFile, { branches, nullable }: ValueSchema): string[] {
  const [only] = branches;
  if (!only || branches.length > 1 || nullable || only.type === 'array' || only.type === 'object') {
    throw new NoCounterpart('stands in a query and must be one text, number or boolean');
  }
  if (only.type === 'string') {
    return [];
  }
  if (only.type !== 'boolean' && !isBounded(only)) {
    throw new NoCounterpart('is a number in a query and needs a minimum and a maximum');
  }
  return [file.decorator('FromText', literal(only.type))];
}

function isBounded({ keywords }: Branch): boolean {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = keywords;
  return (minimum ?? exclusiveMinimum) !== undefined && (maximum ?? exclusiveMaximum) !== undefined;
}

function refusedAt<Result>(context: WritingContext, pointer: string, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    if (error instanceof NoCounterpart) {
      throw new RefusedDocument([`${context.locate(pointer)} ${error.message}`]);
    }
    throw error;
  }
}

function comment(text: Json | undefined, indent: string): string[] {
  if (typeof text !== 'string' || text.trim() === '') {
    return [];
  }
  const lines = text.trim().replaceAll('*/', '* /').split('\n');
  return lines.length === 1
    ? [`${indent}/** ${lines[0]} */`]
    : [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

function identifier(name: string): string {
  return name.replaceAll(/\W+|_/g, '-').replaceAll(/^-|-$/g, '');
}
