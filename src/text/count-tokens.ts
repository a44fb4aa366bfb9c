import { createRequire } from 'node:module';

type Vocabulary = typeof import('gpt-tokenizer/cjs/bpeRanks/o200k_base');
type Encoding = typeof import('gpt-tokenizer/cjs/encodingParams/constants');

/** In UTF-16 units. Merging takes quadratic time, so longer words are merged in parts. */
const PART_LENGTH_MAX = 128;
const PART_BYTES_MAX = 3 * PART_LENGTH_MAX;
const COUNTED_PARTS_MAX = 4_096;
const PAIRS_MAX = 65_536;
/** From this length on V8 slices a string without copying, which would keep the whole text in memory. */
const SLICED_FROM_LENGTH = 13;
const NO_TOKEN = 0x7fffffff;

/** o200k. gpt-tokenizer, whose vocabulary this uses, takes several times as long for words that it lacks. */
class BytePairs {
  private readonly tokens = new Map<string, number>();
  private readonly single = new Int32Array(256);
  private readonly words: RegExp;
  private readonly counted = new Map<string, number>();
  private readonly pairs: PairMemory;
  private readonly next = new Int32Array(PART_BYTES_MAX + 1);
  private readonly previous = new Int32Array(PART_BYTES_MAX + 1);
  private readonly ids = new Int32Array(PART_BYTES_MAX + 1);
  private readonly made = new Int32Array(PART_BYTES_MAX + 1);
  private readonly due = new LowestFirst(3 * PART_BYTES_MAX);

  constructor() {
    const load = createRequire(__filename);
    const { default: vocabulary } = load('gpt-tokenizer/cjs/bpeRanks/o200k_base') as Vocabulary;
    vocabulary.forEach((token, id) => this.tokens.set(bytesOf(token), id));
    this.single.forEach((_, byte) => {
      this.single[byte] = this.tokens.get(String.fromCharCode(byte)) ?? NO_TOKEN;
    });
    const { O200K_TOKEN_SPLIT_REGEX } = load('gpt-tokenizer/cjs/encodingParams/constants') as Encoding;
    this.words = O200K_TOKEN_SPLIT_REGEX;
    this.pairs = new PairMemory();
  }

  count(text: string): number {
    let tokens = 0;
    for (const word of text.toWellFormed().match(this.words) ?? []) {
      for (let start = 0; start < word.length;) {
        const end = wholeEnd(word, Math.min(word.length, start + PART_LENGTH_MAX));
        tokens += this.tokensOf(end - start === word.length ? word : word.slice(start, end));
        start = end;
      }
    }
    return tokens;
  }

  private tokensOf(part: string): number {
    const known = this.counted.get(part);
    if (known !== undefined) {
      return known;
    }
    const bytes = bytesOf(part);
    const count = this.tokens.has(bytes) ? 1 : this.merged(bytes);
    if (this.counted.size === COUNTED_PARTS_MAX) {
      this.counted.clear();
    }
    this.counted.set(part.length < SLICED_FROM_LENGTH ? part : copy(part), count);
    return count;
  }

  /** Merges the pair whose token has the lowest id, the first of several, until no neighbours are a token together. */
  private merged(bytes: string): number {
    const { next, previous, ids, made, due } = this;
    const end = bytes.length;
    due.clear();
    for (let index = 0; index < end; index += 1) {
      next[index] = index + 1;
      previous[index] = index - 1;
      ids[index] = this.single[bytes.charCodeAt(index)] as number;
    }
    for (let index = 0; index < end; index += 1) {
      this.make(bytes, index);
    }
    let count = end;
    for (let first = due.take(); first >= 0; first = due.take()) {
      const at = first % PART_BYTES_MAX;
      const token = (first - at) / PART_BYTES_MAX;
      // A stale entry: the pair makes something else by now, or was merged into the token before it.
      if (made[at] === token) {
        const second = next[at] as number;
        const third = next[second] as number;
        made[second] = NO_TOKEN;
        ids[at] = token;
        next[at] = third;
        previous[third] = at;
        count -= 1;
        this.make(bytes, at);
        const before = previous[at] as number;
        if (before >= 0) {
          this.make(bytes, before);
        }
      }
    }
    return count;
  }

  private make(bytes: string, index: number): void {
    const token = this.madeAt(bytes, index);
    this.made[index] = token;
    if (token !== NO_TOKEN) {
      this.due.add(token * PART_BYTES_MAX + index);
    }
  }

  private madeAt(bytes: string, index: number): number {
    const { next, ids, pairs } = this;
    const second = next[index] as number;
    if (second >= bytes.length) {
      return NO_TOKEN;
    }
    const slot = pairs.slotOf(ids[index] as number, ids[second] as number);
    if (!pairs.isKnown) {
      pairs.made[slot] = this.tokens.get(bytes.slice(index, next[second])) ?? NO_TOKEN;
    }
    return pairs.made[slot] as number;
  }
}

class LowestFirst {
  private readonly heap: Int32Array;
  private size = 0;

  constructor(sizeMax: number) {
    this.heap = new Int32Array(sizeMax);
  }

  clear(): void {
    this.size = 0;
  }

  add(value: number): void {
    const { heap } = this;
    let at = this.size;
    this.size += 1;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      const above = heap[parent] as number;
      if (above <= value) {
        break;
      }
      heap[at] = above;
      at = parent;
    }
    heap[at] = value;
  }

  take(): number {
    const { heap } = this;
    if (this.size === 0) {
      return -1;
    }
    const lowest = heap[0] as number;
    this.size -= 1;
    const last = heap[this.size] as number;
    let at = 0;
    for (let child = 1; child < this.size; child = 2 * at + 1) {
      if (child + 1 < this.size && (heap[child + 1] as number) < (heap[child] as number)) {
        child += 1;
      }
      if ((heap[child] as number) >= last) {
        break;
      }
      heap[at] = heap[child] as number;
      at = child;
    }
    heap[at] = last;
    return lowest;
  }
}

class PairMemory {
  readonly made = new Int32Array(PAIRS_MAX);
  isKnown = false;
  private readonly lefts = new Int32Array(PAIRS_MAX).fill(-1);
  private readonly rights = new Int32Array(PAIRS_MAX);

  /** The slot of a pair; where `isKnown` is false, the caller has to fill it. */
  slotOf(left: number, right: number): number {
    const mixed = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca77);
    const slot = (mixed ^ (mixed >>> 15)) & (PAIRS_MAX - 1);
    this.isKnown = this.lefts[slot] === left && this.rights[slot] === right;
    this.lefts[slot] = left;
    this.rights[slot] = right;
    return slot;
  }
}

function bytesOf(text: string | readonly number[]): string {
  const isAscii = typeof text === 'string' && /^[\x00-\x7f]*$/.test(text);
  return isAscii ? text : Buffer.from(text as string, 'utf8').toString('latin1');
}

function copy(slice: string): string {
  return Buffer.from(slice, 'utf8').toString('utf8');
}

/** In UTF-16 units. Splitting into words window by window avoids holding a list of all of them. */
const WINDOW_LENGTH_MAX = 512;

let encoding: BytePairs | undefined;

/** An end-of-text mark counts as ordinary characters. Linear time, and the same in every process. */
export function countTokens(text: string): number {
  encoding ??= new BytePairs();
  let tokens = 0;
  for (let start = 0; start < text.length;) {
    const end = lastBreak(text, start, start + WINDOW_LENGTH_MAX);
    tokens += encoding.count(text.slice(start, end));
    start = end;
  }
  return tokens;
}

/** Before the last space in the second half, because o200k joins a space to the word after it. */
function lastBreak(text: string, start: number, end: number): number {
  if (end >= text.length) {
    return text.length;
  }
  const middle = start + Math.ceil((end - start) / 2);
  for (let index = end; index > middle; index -= 1) {
    if (text[index] === ' ' && text[index - 1] !== ' ') {
      return index;
    }
  }
  return wholeEnd(text, end);
}

/** At most `tokensMax` tokens, about the longest prefix, as countTokens charges it. */
export function truncateToTokens(text: string, tokensMax: number): string {
  let fitting = 0;
  let tooLong = Math.max(1, tokensMax);
  while (countTokens(prefix(text, tooLong)) <= tokensMax) {
    if (tooLong >= text.length) {
      return text;
    }
    fitting = tooLong;
    tooLong *= 2;
  }
  while (tooLong - fitting > 1) {
    const middle = (fitting + tooLong) >>> 1;
    if (countTokens(prefix(text, middle)) <= tokensMax) {
      fitting = middle;
    } else {
      tooLong = middle;
    }
  }
  return prefix(text, fitting);
}

/** Never ends in half a surrogate pair. */
export function prefix(text: string, length: number): string {
  return text.slice(0, Math.max(0, wholeEnd(text, length)));
}

function wholeEnd(text: string, end: number): number {
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end;
}
