/**
 * Reads the beginning of a JSON text whose end has not come. Objects and lists that are open end where the text does;
 * so does a string that is a value. Whatever else is cut off is left out: a number may go on, and a name needs a value.
 * @returns the value; undefined where the text is no beginning of JSON, or holds no value yet
 */
export function partialJson(text: string): unknown {
  const { end, closers, cutString } = new Beginning(text);
  try {
    return JSON.parse(text.slice(0, end) + cutString + closers) as unknown;
  } catch {
    return undefined;
  }
}

const SYNTAX = /["{}[\],:]/g;
/** The characters of the longest escape, as in `\\u00e9`. */
const ESCAPE_LENGTH_MAX = 6;

/** How much of a text can be kept, and what has to follow it. */
class Beginning {
  /** Up to here the text is complete but for its closing brackets. */
  end = 0;
  /** From the end on: what is there of a string, ended by its quote. */
  cutString = '';
  private readonly open: string[] = [];
  private isValueNext = true;

  constructor(private readonly text: string) {
    SYNTAX.lastIndex = 0;
    for (let at = this.next(0); at < text.length; at = this.next(at)) {
      at = this.take(at);
    }
  }

  get closers(): string {
    return [...this.open].reverse().join('');
  }

  /** Where the next character stands that means something outside of a string. */
  private next(from: number): number {
    SYNTAX.lastIndex = from;
    return SYNTAX.exec(this.text)?.index ?? this.text.length;
  }

  /** Takes in what begins here. Returns where it ends. */
  private take(at: number): number {
    const character = this.text[at];
    switch (character) {
      case '"':
        return this.takeString(at);
      case '{':
      case '[':
        this.open.push(character === '{' ? '}' : ']');
        this.isValueNext = character === '[';
        this.end = at + 1;
        break;
      case '}':
      case ']':
        this.open.pop();
        this.end = at + 1;
        break;
      case ',':
        this.isValueNext = this.open.at(-1) === ']';
        this.end = at;
        break;
      default:
        this.isValueNext = true;
    }
    return at + 1;
  }

  private takeString(at: number): number {
    const after = endOfString(this.text, at);
    if (after !== null) {
      this.end = this.isValueNext ? after : this.end;
      return after;
    }
    if (this.isValueNext) {
      this.cutString = `${withoutCutEscape(this.text.slice(this.end))}"`;
    }
    return this.text.length;
  }
}

/** Where a string that begins here is over; null where its end has not come. */
function endOfString(text: string, at: number): number | null {
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    if (slashesBefore(text, quote) % 2 === 0) {
      return quote + 1;
    }
  }
  return null;
}

/** The text without the escape that its end cuts off. */
function withoutCutEscape(text: string): string {
  const at = text.lastIndexOf('\\');
  const length = text.length - at;
  const isEscaped = at === -1 || slashesBefore(text, at) % 2 === 1;
  const isCut = length === 1 || (text[at + 1] === 'u' && length < ESCAPE_LENGTH_MAX);
  return !isEscaped && isCut ? text.slice(0, at) : text;
}

function slashesBefore(text: string, at: number): number {
  let count = 0;
  while (text[at - 1 - count] === '\\') {
    count += 1;
  }
  return count;
}
