import 'reflect-metadata';
import { Transform } from 'class-transformer';

type TextType = 'number' | 'integer' | 'boolean';

const TYPE = 'contract:from-text';

/** The property arrives as text, as in a query, and is read as this type; other text is left for the checks to refuse. */
export function FromText(type: TextType): PropertyDecorator {
  return (target, property) => {
    Reflect.defineMetadata(TYPE, type, target, property);
    Transform(({ value }) => readText(type, value))(target, property);
  };
}

/** The property's value, read from text where it is marked with FromText. */
export function valueFromText(target: object, property: string, value: unknown): unknown {
  const type = Reflect.getMetadata(TYPE, target, property) as TextType | undefined;
  return type ? readText(type, value) : value;
}

/** Accepts the texts that Ajv's coercion accepts, so that the class and the wire agree on every query. */
function readText(type: TextType, value: unknown): unknown {
  if (typeof value !== 'string') {
    return value;
  }
  if (type === 'boolean') {
    return value === 'true' ? true : value === 'false' ? false : value;
  }
  const number = Number(value);
  return value === '' || Number.isNaN(number) || (type === 'integer' && !Number.isInteger(number))
    ? value
    : number;
}
