type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';
type Written<Value> = Value extends Date ? string : Value;

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '');
}

/** The named properties, and no others, as the API writes them: their names in snake case, their times in ISO 8601. */
export function inSnakeCase<Properties extends object, Name extends keyof Properties & string>(
  properties: Properties,
  ...names: Name[]
): { [Each in Name as SnakeCase<Each>]: Written<Properties[Each]> } {
  const members = names.map((name) => {
    const value = properties[name];
    return [snakeCase(name), value instanceof Date ? value.toISOString() : value];
  });
  return Object.fromEntries(members) as { [Each in Name as SnakeCase<Each>]: Written<Properties[Each]> };
}
