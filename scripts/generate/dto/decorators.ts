import { isObject, type Json, type JsonObject } from '../json';
import { literal } from './literal';
import type { DtoFile } from './dto-file';
import { NoCounterpart } from './no-counterpart';
import { readValueSchema, type Branch, type BranchType, type ValueSchema } from './value-schema';

const WHERE: Record<BranchType, string> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
};

/** What the decorators of a value need to know about where they stand. */
export interface DecoratorContext {
  document: JsonObject;
  file: DtoFile;
  /** Writes the class of an array's or map's members and returns its name. */
  memberClass: (schema: JsonObject) => string;
}

/**
 * The decorators of a value, that of its type last: class-validator runs the last one first, and what is of the wrong
 * type should be told so.
 */
export function decoratorsOf(context: DecoratorContext, value: ValueSchema): string[] {
  const [only] = value.branches;
  if (only && value.branches.length === 1) {
    return [...keywordDecorators(context, only, null), typeDecorator(context.file, only.type, null)];
  }
  const types = value.branches.map(({ type }) => literal(type));
  return [
    ...value.branches.flatMap((branch) =>
      keywordDecorators(context, branch, context.file.where(WHERE[branch.type])),
    ),
    context.file.decorator('HasType', `[${(types.length > 0 ? types : [`'null'`]).join(', ')}]`),
  ];
}

function typeDecorator(file: DtoFile, type: BranchType, where: string | null): string {
  switch (type) {
    case 'string':
      return file.decorator('IsString', where);
    case 'number':
      return where === null ? file.decorator('IsNumber') : file.decorator('IsNumber', '{}', where);
    case 'integer':
      return file.decorator('IsInt', where);
    case 'boolean':
      return file.decorator('IsBoolean', where);
    case 'array':
      return file.decorator('IsArray', where);
    case 'object':
      return file.decorator('IsObject', where);
  }
}

function keywordDecorators(context: DecoratorContext, branch: Branch, where: string | null): string[] {
  const { file } = context;
  const { enum: choices, ...keywords } = branch.keywords;
  const choice = Array.isArray(choices)
    ? [file.decorator('IsIn', `[${choices.map(literal).join(', ')}]`, where)]
    : [];
  switch (branch.type) {
    case 'string':
      return [...choice, ...textDecorators(file, keywords, where)];
    case 'number':
    case 'integer':
      return [...choice, ...numberDecorators(file, keywords, where)];
    case 'boolean':
      return choice;
    case 'array':
      return arrayDecorators(context, keywords, where);
    case 'object':
      return objectDecorators(context, branch, where);
  }
}

function textDecorators(file: DtoFile, keywords: JsonObject, where: string | null): string[] {
  const { minLength, maxLength, pattern, format } = keywords;
  return [
    ...(format === undefined ? [] : [file.decorator('HasFormat', literal(format), where)]),
    ...(pattern === undefined
      ? []
      : [file.decorator('Matches', String(new RegExp(pattern as string, 'u')), where)]),
    ...range(file, 'HasCodePoints', minLength, maxLength, where),
  ];
}

function numberDecorators(file: DtoFile, keywords: JsonObject, where: string | null): string[] {
  const decorators: [string, Json | undefined][] = [
    ['Max', keywords.maximum],
    ['IsLessThan', keywords.exclusiveMaximum],
    ['Min', keywords.minimum],
    ['IsMoreThan', keywords.exclusiveMinimum],
  ];
  return decorators.flatMap(([name, bound]) =>
    bound === undefined ? [] : [file.decorator(name, literal(bound), where)],
  );
}

function arrayDecorators(context: DecoratorContext, keywords: JsonObject, where: string | null): string[] {
  const { file } = context;
  const { items, minItems, maxItems, uniqueItems } = keywords;
  return [
    ...(isObject(items) ? itemDecorators(context, items, where) : []),
    ...(uniqueItems === true ? [uniqueDecorator(context, items, where)] : []),
    ...(maxItems === undefined ? [] : [file.decorator('ArrayMaxSize', literal(maxItems), where)]),
    ...(minItems === undefined ? [] : [file.decorator('ArrayMinSize', literal(minItems), where)]),
  ];
}

/** Only scalars: Ajv compares objects by calling what a field named `toString` holds. */
function uniqueDecorator(context: DecoratorContext, items: Json | undefined, where: string | null): string {
  const branches = isObject(items) ? readValueSchema(context.document, items).branches : [];
  if (branches.length === 0 || branches.some(({ type }) => type === 'array' || type === 'object')) {
    throw new NoCounterpart('asks for unique items of a type that is no text, number or boolean');
  }
  return context.file.decorator('ArrayUnique', where);
}

/** Items of one type need no class of their own, because class-validator's `each` serves them. */
function itemDecorators(context: DecoratorContext, items: JsonObject, where: string | null): string[] {
  const { file, document } = context;
  const { branches, nullable } = readValueSchema(document, items);
  const [only] = branches;
  const isPlain = only && branches.length === 1 && !nullable && !hasMembers(only);
  if (!isPlain) {
    return [file.decorator('HasMembers', `() => ${context.memberClass(items)}`, where)];
  }
  const each = file.where('eachItem');
  const keywords =
    only.component === null
      ? keywordDecorators(context, only, each)
      : [file.decorator('Nested', `() => ${file.reference(only.component)}`, where)];
  return [...keywords, typeDecorator(file, only.type, each)];
}

function hasMembers({ type, keywords }: Branch): boolean {
  return type === 'array' || isObject(keywords.additionalProperties);
}

function objectDecorators(context: DecoratorContext, branch: Branch, where: string | null): string[] {
  const { file } = context;
  const { additionalProperties, minProperties, maxProperties } = branch.keywords;
  if (branch.component !== null) {
    return [file.decorator('Nested', `() => ${file.reference(branch.component)}`, where)];
  }
  return [
    ...(isObject(additionalProperties)
      ? [file.decorator('HasMembers', `() => ${context.memberClass(additionalProperties)}`, where)]
      : []),
    ...range(file, 'HasFieldCount', minProperties, additionalProperties === false ? 0 : maxProperties, where),
  ];
}

function range(
  file: DtoFile,
  name: string,
  min: Json | undefined,
  max: Json | undefined,
  where: string | null,
): string[] {
  const bounds = [
    ...(min === undefined ? [] : [`min: ${literal(min)}`]),
    ...(max === undefined ? [] : [`max: ${literal(max)}`]),
  ];
  return bounds.length === 0 ? [] : [file.decorator(name, `{ ${bounds.join(', ')} }`, where)];
}
