/** A part of a text: `text.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Where a member's value stands in an object of valid JSON; null where the object lacks it or the text at `from` is no
 * object. Of several members with one name it is the last, as for JSON.parse. Linear, without recursion. Texts may be
 * strings or bytes decoded as latin1: all that JSON's structure is made of is ASCII.
 */
export function memberSpan(json: string, name: string, from = 0): Span | null {
  let found: Span | null = null;
  let index = afterSpace(json, from);
  if (json[index] !== '{') {
    return null;
  }
  index = afterSpace(json, index + 1);
  while (index < json.length && json[index] !== '}') {
    const keyEnd = endOfString(json, index);
    const start = afterSpace(json, afterSpace(json, keyEnd) + 1);
    const end = endOfValue(json, start);
    if (isName(json.slice(index, keyEnd), name)) {
      found = { start, end };
    }
    index = afterSpace(json, end);
    index = json[index] === ',' ? afterSpace(json, index + 1) : index;
  }
  return found;
}

/**
 * The text with a member of the object at `from` set to a value: in its place where the object has it, else as its last.
 * Unchanged where there is no object.
 */
export function withMember(json: string, name: string, value: string, from = 0): string {
  const present = memberSpan(json, name, from);
  if (present) {
    return json.slice(0, present.start) + value + json.slice(present.end);
  }
  const start = afterSpace(json, from);
  if (json[start] !== '{') {
    return json;
  }
  const brace = endOfValue(json, start) - 1;
  const isEmpty = afterSpace(json, start + 1) === brace;
  return `${json.slice(0, brace)}${isEmpty ? '' : ','}${JSON.stringify(name)}:${value}${json.slice(brace)}`;
}

function isName(key: string, name: string): boolean {
  return key === `"${name}"` || (key.includes('\\') && JSON.parse(key) === name);
}

function endOfValue(json: string, start: number): number {
  let depth = 0;
  let index = start;
  while (index < json.length) {
    const character = json[index];
    if (character === '"') {
      index = endOfString(json, index);
    } else {
      index += 1;
      if (character === '{' || character === '[') {
        depth += 1;
      } else if (character === '}' || character === ']') {
        depth -= 1;
      } else if (depth > 0 || !endsScalar(json[index])) {
        continue;
      }
    }
    if (depth === 0) {
      return index;
    }
  }
  return index;
}

function endsScalar(next: string | undefined): boolean {
  return next === undefined || next === ',' || next === '}' || next === ']' || isSpace(next);
}

/** The index behind the closing quote of the string that opens at `start`. */
function endOfString(json: string, start: number): number {
  let index = start + 1;
  while (index < json.length && json[index] !== '"') {
    index += json[index] === '\\' ? 2 : 1;
  }
  return index + 1;
}

function afterSpace(json: string, from: number): number {
  let index = from;
  while (index < json.length && isSpace(json[index])) {
    index += 1;
  }
  return index;
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t';
}
