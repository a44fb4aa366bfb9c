import { isObject, membersOf, textOf } from './openapi-document';

/** What a package.json says of its package. */
export interface PackageFacts {
  readonly name: string;
  readonly description: string | null;
  readonly license: string | null;
  /** Such as `node >=20`. */
  readonly requirements: readonly string[];
  readonly scripts: readonly (readonly [name: string, command: string])[];
}

const NAME = /^(?:@[a-z0-9][a-z0-9._~-]{0,100}\/)?[a-z0-9][a-z0-9._~-]{0,213}$/u;
const MEMBERS_MAX = 50;
/** In UTF-16 units. */
const TEXT_LENGTH_MAX = 500;

/** Reads a package.json; null for any other text. */
export function packageFacts(source: string): PackageFacts | null {
  if (!/^\s*\{/u.test(source.slice(0, 1_000))) {
    return null;
  }
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return null;
  }
  if (!isObject(value) || typeof value['name'] !== 'string' || !NAME.test(value['name'])) {
    return null;
  }
  const texts = (member: unknown) =>
    membersOf(member)
      .slice(0, MEMBERS_MAX)
      .map(([name, text]) => [textOf(name, 100), textOf(text, TEXT_LENGTH_MAX)] as const)
      .filter(([, text]) => text !== '');
  return {
    name: value['name'],
    description: textOf(value['description'], TEXT_LENGTH_MAX) || null,
    license: textOf(value['license'], TEXT_LENGTH_MAX) || null,
    requirements: texts(value['engines']).map(([name, range]) => `${name} ${range}`),
    scripts: texts(value['scripts']),
  };
}
