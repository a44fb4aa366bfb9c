import type { SourceName } from './cited-source';

/** Initials of given names: `Jean-Paul` becomes `J.-P.`, `Mary Ann` `M. A.`, and `de` stays. */
export function initialsOf(given: string): string {
  return given
    .replace(/\.(?=[^\s.-])/gu, '. ')
    .split(/\s+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map(initialsOfWord)
    .join(' ');
}

function initialsOfWord(word: string): string {
  if (/^\p{Ll}{1,4}$/u.test(word)) {
    return word;
  }
  // Databases write several initials without dots.
  if (/^\p{Lu}{2,3}$/u.test(word)) {
    return [...word].map((letter) => `${letter}.`).join(' ');
  }
  return word
    .split(/[-‐‑]/u)
    .map((part) => /[\p{L}\p{N}]/u.exec(part)?.[0] ?? '')
    .filter((letter) => letter !== '')
    .map((letter) => `${letter}.`)
    .join('-');
}

/** `King, M. L., Jr.` */
export function invertedInitials(name: SourceName): string {
  return inverted(name, (given) => initialsOf(given));
}

/** `King, Martin Luther, Jr.` */
export function invertedName(name: SourceName): string {
  return inverted(name, (given) => given);
}

function inverted({ family, given, suffix, literal }: SourceName, write: (given: string) => string): string {
  if (family === null) {
    return literal ?? '';
  }
  return [family, given === null ? null : write(given), suffix].filter((part) => part !== null).join(', ');
}

/** `M. L. King, Jr.` */
export function directInitials({ family, given, suffix, literal }: SourceName): string {
  if (family === null) {
    return literal ?? '';
  }
  const name = given === null ? family : `${initialsOf(given)} ${family}`;
  return suffix === null ? name : `${name}, ${suffix}`;
}

/** `Martin Luther King Jr.` */
export function directName({ family, given, suffix, literal }: SourceName): string {
  return family === null
    ? (literal ?? '')
    : [given, family, suffix].filter((part) => part !== null).join(' ');
}

/** What a name is cited by in the text. */
export function shortName({ family, literal }: SourceName): string {
  return family ?? literal ?? '';
}

/** `A`, `A and B`, `A, B, and C`. */
export function listed(names: readonly string[], and: string): string {
  const [last = ''] = names.slice(-1);
  if (names.length < 3) {
    return names.join(` ${and} `);
  }
  return `${names.slice(0, -1).join(', ')}, ${and} ${last}`;
}

/** Whether one of the names is that text, so that it need not be said twice. */
export function isNamed(names: readonly SourceName[], text: string | null): boolean {
  return text !== null && names.some((name) => shortName(name).toLowerCase() === text.toLowerCase());
}
