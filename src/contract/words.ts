const TYPES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/** JSON's types as people call them: `text, a list or null`. */
export function typesInWords(types: readonly string[]): string {
  return listed(
    [...new Set(types)].map((type) => TYPES[type] ?? type),
    'or',
  );
}

/** `a, b and c`. */
export function listed(members: readonly string[], conjunction: 'and' | 'or'): string {
  return members.length < 2
    ? members.join('')
    : `${members.slice(0, -1).join(', ')} ${conjunction} ${members.at(-1)}`;
}
