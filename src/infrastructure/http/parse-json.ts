const NOT_JSON = 'is not valid JSON';
const POSITION = / at position (\d+)/;
const PATH_LENGTH_MAX = 200;
/** A text without these has no member that could be taken for a prototype, however it is written. */
const SUSPECT = /__proto__|constructor|\\u00[567]/;

/** An object or array of a JSON value, and how one gets there. */
interface Node {
  value: object;
  name: string;
  parent: Node | null;
}

/**
 * Parses a body. One with a member that a program could take for the prototype of its object is refused.
 * @returns the value, or what is wrong with the text as a sentence for the caller, which begins with a verb and never
 * repeats a value of the body: it may be a secret
 */
export function parseJson(text: string): { readonly value: unknown } | { readonly fault: string } {
  const json = text.startsWith('\ufeff') ? text.slice(1) : text;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const position = POSITION.exec((error as Error).message)?.[1];
    return {
      fault: position === undefined ? NOT_JSON : `${NOT_JSON}: see ${placeOf(Number(position), json)}`,
    };
  }
  const isSuspect = typeof value === 'object' && value !== null && SUSPECT.test(json);
  const member = isSuspect ? prototypeMember(value as object) : null;
  return member === null
    ? { value }
    : {
        fault: `has a member ${member}, which is not allowed: a program could take it for the prototype of its object`,
      };
}

/** Makes no list of the lines: a body may have millions. */
function placeOf(position: number, text: string): string {
  let line = 1;
  let begin = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', begin)) {
    line += 1;
    begin = at + 1;
  }
  return `line ${line}, column ${position - begin + 1}`;
}

/** The path of a member that would change an object's prototype if somebody assigned it. */
function prototypeMember(value: object): string | null {
  const open: Node[] = [{ value, name: '', parent: null }];
  for (let node = open.pop(); node; node = open.pop()) {
    for (const name of Object.keys(node.value)) {
      const member = (node.value as Record<string, unknown>)[name];
      if (name === '__proto__') {
        return pathOf({ value: {}, name, parent: node });
      }
      if (typeof member !== 'object' || member === null) {
        continue;
      }
      if (name === 'constructor' && Object.hasOwn(member, 'prototype')) {
        return `${pathOf({ value: member, name, parent: node })}.prototype`;
      }
      open.push({ value: member, name, parent: node });
    }
  }
  return null;
}

function pathOf(last: Node): string {
  const names: string[] = [];
  for (let node: Node | null = last; node?.parent; node = node.parent) {
    names.push(Array.isArray(node.parent.value) ? `[${node.name}]` : `.${node.name}`);
  }
  const path = names.toReversed().join('').replace(/^\./, '');
  return path.length > PATH_LENGTH_MAX ? `…${path.slice(-PATH_LENGTH_MAX).toWellFormed()}` : path;
}
