import { TEXT_CHARACTERS_MAX } from '../file-limits';

/** A string, a bracket, a comma, a colon, or a run of anything else but white space. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/gs;

const OPENING = 0x5b;
const OPENING_BRACE = 0x7b;
const CLOSING = 0x5d;
const CLOSING_BRACE = 0x7d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** How deep lists and objects are nested, before anything parses them: a parser that calls itself overflows. */
export function depthOfJson(source: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < source.length; index += 1) {
    const code = source.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(source, index);
    } else if (code === OPENING || code === OPENING_BRACE) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (code === CLOSING || code === CLOSING_BRACE) {
      depth -= 1;
    }
  }
  return deepest;
}

/** Where the quote is that ends a string; the end of the text where none does. */
function endOfString(source: string, start: number): number {
  let index = start + 1;
  while (index < source.length && source.charCodeAt(index) !== QUOTE) {
    index += source.charCodeAt(index) === BACKSLASH ? 2 : 1;
  }
  return index;
}

/** Valid JSON with a line for each value, two spaces for each level. It ends early where it gets longer than texts may be. */
export function indentedJson(source: string): string {
  const parts: string[] = [];
  let length = 0;
  let depth = 0;
  let before = '';
  for (const [token] of source.matchAll(TOKEN)) {
    const isClosing = token === ']' || token === '}';
    depth -= isClosing ? 1 : 0;
    const part = spaceBefore(token, before, depth) + token;
    parts.push(part);
    length += part.length;
    if (length > TEXT_CHARACTERS_MAX) {
      break;
    }
    depth += token === '[' || token === '{' ? 1 : 0;
    before = token;
  }
  return parts.join('');
}

function spaceBefore(token: string, before: string, depth: number): string {
  if (before === ':') {
    return ' ';
  }
  const opened = before === '[' || before === '{';
  const isClosing = token === ']' || token === '}';
  if (token === ',' || token === ':' || before === '' || (opened && isClosing)) {
    return '';
  }
  return `\n${'  '.repeat(depth)}`;
}
