import type { BodyFault } from './request-body';

const NOT_JSON = 'is not valid JSON';
const POSITION = / at position (\d+)/;
const PATH_LENGTH_MAX = 200;
/** Without these a text has no member that could become a prototype. */
const SUSPECT = /__proto__|constructor|\\u00[567]/;

interface Node {
  value: object;
  name: string;
  parent: Node | null;
}

/** @returns the value, or a public sentence without subject or value, which may be a secret */
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

function placeOf(position: number, text: string): string {
  let line = 1;
  let begin = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', begin)) {
    line += 1;
    begin = at + 1;
  }
  return `line ${line}, column ${position - begin + 1}`;
}

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

/** Each bound parses within 50 ms; a megabyte of `{}` would not. A thousand messages have 20,000 objects. */
export const COUNTS_MAX = {
  names: 30_000,
  containers: 30_000,
  texts: 50_000,
  /** Lists of token ids for embeddings are the longest. */
  values: 300_000,
  /** So that recursion is safe. */
  depth: 256,
} as const;

/** Heap bytes for each, with its place in the container. */
const HEAP_BYTES = { names: 100, containers: 100, texts: 40, values: 16 } as const;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const SMALL_E = 0x65;
const LARGE_E = 0x45;
/** A double tells apart all decimals of so many digits. */
const EXACT_DIGITS_MAX = 15;

/** Counts in linear time what parsing would make; invalid JSON makes no more. */
export class JsonCounts {
  private names = 0;
  private containers = 0;
  private quoted = 0;
  private commas = 0;
  private depth = 0;
  private depthMax = 0;
  private digits = 0;
  hasLongNumbers = false;
  private isInText = false;
  private isEscaping = false;

  constructor(private readonly max: Readonly<Record<keyof typeof COUNTS_MAX, number>> = COUNTS_MAX) {}

  /** Bytes of the parsed value so far, without its texts. */
  get heapBytes(): number {
    return (
      this.names * HEAP_BYTES.names +
      this.containers * HEAP_BYTES.containers +
      this.texts * HEAP_BYTES.texts +
      this.values * HEAP_BYTES.values
    );
  }

  take(part: Buffer): BodyFault | null {
    let at = 0;
    if (this.isEscaping && part.length > 0) {
      this.isEscaping = false;
      at = 1;
    }
    while (at < part.length) {
      at = this.isInText ? this.endOfText(part, at) : this.beginOfText(part, at);
    }
    return this.fault();
  }

  private endOfText(part: Buffer, from: number): number {
    let at = from;
    for (; at < part.length; at += 1) {
      const byte = part[at];
      if (byte === BACKSLASH) {
        at += 1;
        this.isEscaping = at === part.length;
      } else if (byte === QUOTE) {
        this.isInText = false;
        return at + 1;
      }
    }
    return at;
  }

  private beginOfText(part: Buffer, from: number): number {
    for (let at = from; at < part.length; at += 1) {
      switch (part[at]) {
        case QUOTE:
          this.quoted += 1;
          this.isInText = true;
          return at + 1;
        case COMMA:
          this.commas += 1;
          this.digits = 0;
          break;
        case COLON:
          this.names += 1;
          this.digits = 0;
          break;
        case OPENING_BRACKET:
        case OPENING_BRACE:
          this.containers += 1;
          this.digits = 0;
          this.depth += 1;
          this.depthMax = Math.max(this.depthMax, this.depth);
          break;
        case CLOSING_BRACKET:
        case CLOSING_BRACE:
          this.depth -= 1;
          break;
        default:
          this.takeOther(part[at] as number);
      }
    }
    return part.length;
  }

  private takeOther(byte: number): void {
    if (byte >= DIGIT_0 && byte <= DIGIT_9) {
      this.digits += 1;
      this.hasLongNumbers ||= this.digits > EXACT_DIGITS_MAX;
    } else if (this.digits > 0 && (byte === SMALL_E || byte === LARGE_E)) {
      this.hasLongNumbers = true;
    }
  }

  private get texts(): number {
    return Math.max(0, this.quoted - this.names);
  }

  /** Each value but the outermost follows a comma or begins its container. */
  private get values(): number {
    return 1 + this.commas + this.containers;
  }

  private fault(): BodyFault | null {
    const { names, containers, texts, values, depthMax, max } = this;
    const excesses: [isTooMuch: boolean, what: string][] = [
      [names > max.names, `more than ${max.names} names`],
      [containers > max.containers, `more than ${max.containers} objects and lists`],
      [texts > max.texts, `more than ${max.texts} texts`],
      [values > max.values, `more than ${max.values} values`],
      [depthMax > max.depth, `objects and lists more than ${max.depth} deep in each other`],
    ];
    const excess = excesses.find(([isTooMuch]) => isTooMuch);
    return excess ? { status: 400, message: `must not have ${excess[1]}` } : null;
  }
}
