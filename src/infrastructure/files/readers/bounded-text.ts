import { TEXT_CHARACTERS_MAX } from '../file-limits';

/** A text as it is handed on: with plain line ends, without NUL and lone surrogates, at most 2,000,000 UTF-16 units. */
export function boundedText(text: string): { text: string; isCut: boolean } {
  const isCut = text.length > TEXT_CHARACTERS_MAX;
  const cut = isCut ? text.slice(0, TEXT_CHARACTERS_MAX) : text;
  return { text: cut.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '').toWellFormed(), isCut };
}

/** A title on one line of at most 300 characters; null where nothing is left of it. */
export function boundedTitle(title: string | null | undefined): string | null {
  const line = (title ?? '').slice(0, 2_000).replaceAll('\0', '').replaceAll(/\s+/g, ' ').trim();
  return line === '' ? null : line.slice(0, 300).toWellFormed();
}
