/** A part of a text: `text.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the value of a member in an object of valid JSON. Of several members with the same name it finds the last, as
 * JSON.parse does. Takes linear time and no recursion. UTF-8 bytes decoded as latin1 work as well, because the
 * structure of JSON is made of ASCII characters only.
 *
 * @param from where in the text the object begins
 * @returns where the value stands; null when the object has no such member, or there is no object at `from`
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
 * Sets a member of the object that begins at `from`: replaces its value where the object has the member, else adds the
 * member as the last one.
 *
 * @param value the new value as JSON text
 * @returns the changed text; the same text when there is no object at `from`
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

/** The index after the closing quote of the string that begins at `start`. */
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
