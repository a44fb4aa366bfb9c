import type { Json } from '../json';

/** A JSON value as TypeScript text. */
export function literal(value: Json): string {
  if (typeof value !== 'string') {
    return JSON.stringify(value);
  }
  const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}
