import 'reflect-metadata';
import { ValidateBy } from 'class-validator';
import type { ValidateFunction } from 'ajv/dist/2020';
import type { ValidationDetail } from '../core/errors/request-errors';
import { describeFaults } from './describe-faults';
import { schemaCompiler } from './schema-compiler';

/** What a generated class says about itself: the component it was made from, and whether its values arrive as text. */
export interface DtoSchema {
  name: string;
  fromText: boolean;
}

const SCHEMA = 'contract:schema';
const compiled = new Map<string, ValidateFunction>();

const compiler = schemaCompiler({ fromText: false, allErrors: true });

/**
 * On a property: its value is what the document's schema at this pointer says, `CreateKeyRequest/properties/name`, by the
 * same compiled validator as on the wire. On a class: the component that says which fields there may be.
 */
export function MatchesSchema(
  pointer: string,
  { fromText = false } = {},
): (target: object, property?: string | symbol) => void {
  return (target, property) => {
    if (property === undefined) {
      Reflect.defineMetadata(SCHEMA, { name: pointer, fromText } satisfies DtoSchema, target);
      return;
    }
    const validator = {
      validate: (value: unknown) => schemaFaults(pointer, value).length === 0,
      defaultMessage: () => 'is not valid',
    };
    ValidateBy({ name: 'matchesSchema', validator }, { context: { pointer } })(target, property);
  };
}

/** The component that a generated class was made from. @throws TypeError for any other class */
export function schemaOf(type: new () => object): DtoSchema {
  const schema = Reflect.getMetadata(SCHEMA, type) as DtoSchema | undefined;
  if (!schema) {
    throw new TypeError(`${type.name} does not say which schema it matches`);
  }
  return schema;
}

/** Every fault that the schema at a pointer finds in a value. A fault with the field '' is one of the value itself. */
export function schemaFaults(pointer: string, value: unknown): ValidationDetail[] {
  let validate = compiled.get(pointer);
  if (!validate) {
    const fragment = pointer.split('/').map(encodeURIComponent).join('/');
    validate = compiler.compile({ $ref: `contract#/$defs/${fragment}` });
    compiled.set(pointer, validate);
  }
  return validate(value) ? [] : describeFaults(validate.errors ?? [], value);
}
