import { randomUUID } from 'node:crypto';
import { endOfPartialString } from './json';

/** Texts of numbers that a double cannot hold, by their name or index. */
type ExactNumbers = Map<string, string>;

/** A symbol is copied by spreading, and left out by JSON.stringify. */
const EXACT = Symbol('exact numbers');

interface Holder {
  [EXACT]?: ExactNumbers;
  [place: string]: unknown;
}

const NUMBER = /-?\d[\d.eE+-]*/y;

interface Open {
  readonly holder: Holder | null;
  place: string;
  index: number;
  isNameNext: boolean;
}

/** Notes numbers that JSON.parse rounded, for `exactJson`. @param text valid JSON of `value` */
export function noteExactNumbers(text: string, value: unknown): void {
  const open: Open[] = [{ holder: { '': value }, place: '', index: 0, isNameNext: false }];
  for (let at = 0; at < text.length; at += 1) {
    const inner = open.at(-1) as Open;
    const sign = text[at] as string;
    if (sign === '"') {
      const end = (endOfPartialString(text, at) ?? text.length) - 1;
      if (inner.isNameNext) {
        inner.place = JSON.parse(text.slice(at, end + 1)) as string;
        inner.isNameNext = false;
      }
      at = end;
    } else if (sign === '[' || sign === '{') {
      const child = inner.holder?.[inner.place];
      const isSame = typeof child === 'object' && Array.isArray(child) === (sign === '[');
      const isObject = sign === '{';
      const holder = isSame ? (child as Holder | null) : null;
      open.push({ holder, place: '0', index: isObject ? -1 : 0, isNameNext: isObject });
    } else if (sign === ']' || sign === '}') {
      open.pop();
    } else if (sign === ',') {
      beginNext(inner);
    } else if (sign === '-' || (sign >= '0' && sign <= '9')) {
      NUMBER.lastIndex = at;
      const [written = ''] = NUMBER.exec(text) ?? [];
      note(inner, written);
      at += written.length - 1;
    }
  }
}

function beginNext(inner: Open): void {
  if (inner.index < 0) {
    inner.isNameNext = true;
  } else {
    inner.index += 1;
    inner.place = String(inner.index);
  }
}

function note({ holder, place }: Open, written: string): void {
  if (holder !== null && Object.is(holder[place], Number(written)) && String(Number(written)) !== written) {
    (holder[EXACT] ??= new Map()).set(place, written);
  }
}

/** JSON.stringify, but noted numbers are written as they came unless they changed since. */
export function exactJson(value: object, replacer?: (place: string, member: unknown) => unknown): string {
  if (!hasExact(value)) {
    return JSON.stringify(value, replacer);
  }
  const mark = randomUUID();
  const texts: string[] = [];
  function marked(this: unknown, place: string, member: unknown): unknown {
    const written = (this as Holder)[EXACT]?.get(place);
    if (written === undefined || !Object.is(member, Number(written))) {
      return replacer ? replacer(place, member) : member;
    }
    texts.push(written);
    return `${mark}${texts.length - 1}`;
  }
  const written = new RegExp(`"${mark}(\\d+)"`, 'g');
  return JSON.stringify(value, marked).replaceAll(
    written,
    (_, index: string) => texts[Number(index)] as string,
  );
}

/** A replacer makes JSON.stringify several times slower. */
function hasExact(value: unknown): boolean {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'object' && next !== null) {
      if (EXACT in next) {
        return true;
      }
      for (const member of Object.values(next) as unknown[]) {
        if (typeof member === 'object' && member !== null) {
          pending.push(member);
        }
      }
    }
  }
  return false;
}
