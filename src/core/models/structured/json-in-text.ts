/**
 * In UTF-16 units; what follows is not read. The longest answer that may be asked for, 32,768 tokens, is seldom longer.
 */
const TEXT_LENGTH_MAX = 200_000;
/** The text is read again from each bracket that opens no value. All passes together read about so many characters. */
const CHARACTERS_READ_MAX = 2 * TEXT_LENGTH_MAX;
/** What to try a bracket costs, however little it holds: JSON.parse makes an error for each one that holds no JSON. */
const CHARACTERS_PER_TRY_MIN = 100;
const OPENING = /[{[]/g;
const FENCE = '```';
const LANGUAGE = /^[a-z]*$/i;

/**
 * The JSON values in a model's answer. Where the whole text is JSON, or a code fence around JSON, that is the only
 * value; otherwise they are the objects and arrays in the text, in order.
 */
export function* jsonInText(text: string): Generator<unknown> {
  const trimmed = text.slice(0, TEXT_LENGTH_MAX).trim();
  const whole = parse(trimmed) ?? parse(insideFence(trimmed) ?? '');
  if (whole) {
    yield whole.value;
    return;
  }
  let charactersRead = 0;
  let start = nextStart(trimmed, 0);
  while (start !== -1 && charactersRead < CHARACTERS_READ_MAX) {
    const end = endOfValue(trimmed, start);
    charactersRead += Math.max(CHARACTERS_PER_TRY_MIN, (end === -1 ? trimmed.length : end) - start);
    const found = end === -1 ? null : parse(trimmed.slice(start, end));
    if (found) {
      yield found.value;
    }
    start = nextStart(trimmed, found ? end : start + 1);
  }
}

/**
 * What stands between a text's first line, a code fence with or without a language, and its last one, a bare fence;
 * null for any other text. Read by lines, because a regular expression that says the same looks at every pair and
 * triple of a hostile text's line breaks.
 */
function insideFence(text: string): string | null {
  const opened = text.indexOf('\n');
  const closed = text.lastIndexOf('\n');
  const isFenced =
    text.startsWith(FENCE) &&
    opened < closed &&
    LANGUAGE.test(text.slice(FENCE.length, opened).trimEnd()) &&
    text.slice(closed + 1).trimStart() === FENCE;
  return isFenced ? text.slice(opened + 1, closed) : null;
}

function parse(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

/** Looks for both brackets at once: to look for one that is far away again and again takes quadratic time. */
function nextStart(text: string, from: number): number {
  OPENING.lastIndex = from;
  return OPENING.exec(text)?.index ?? -1;
}

/**
 * The index behind the bracket that closes the one at `start`; -1 where none does. Brackets in strings do not count.
 */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') {
        at += 1;
      } else if (character === '"') {
        isInString = false;
      }
    } else if (character === '"') {
      isInString = true;
    } else if (character === '{' || character === '[') {
      depth += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) {
        return at + 1;
      }
    }
  }
  return -1;
}
