const NOT_JSON = 'is not valid JSON';
const POSITION = / at position (\d+)/;
const PATH_LENGTH_MAX = 200;

/** An object or array of a JSON value, and how one gets there. */
interface Node {
  value: object;
  name: string;
  parent: Node | null;
}

/**
 * What is wrong with a body that the parser refused, as a sentence for the caller. Never repeats a value of the body,
 * which may be a secret.
 */
export function jsonFault(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const position = POSITION.exec((error as Error).message)?.[1];
    return position === undefined ? NOT_JSON : `${NOT_JSON}: see ${placeOf(Number(position), text)}`;
  }
  const member = typeof value === 'object' && value !== null ? prototypeMember(value) : null;
  return member === null
    ? NOT_JSON
    : `has a member ${member}, which is not allowed: a program could take it for the prototype of its object`;
}

function placeOf(position: number, text: string): string {
  const before = text.slice(0, position);
  return `line ${before.split('\n').length}, column ${position - before.lastIndexOf('\n')}`;
}

/** The path of a member that secure-json-parse refuses, because assigning it would change an object's prototype. */
function prototypeMember(value: object): string | null {
  const open: Node[] = [{ value, name: '', parent: null }];
  for (let node = open.pop(); node; node = open.pop()) {
    for (const [name, member] of Object.entries(node.value) as [string, unknown][]) {
      const isObject = typeof member === 'object' && member !== null;
      if (name === '__proto__') {
        return pathOf({ value: {}, name, parent: node });
      }
      if (name === 'constructor' && isObject && Object.hasOwn(member, 'prototype')) {
        return `${pathOf({ value: member, name, parent: node })}.prototype`;
      }
      if (isObject) {
        open.push({ value: member, name, parent: node });
      }
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
