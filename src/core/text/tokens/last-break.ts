/**
 * Where to end a window of `text` that starts at `start` and reaches at most to `end`: before the last space in its
 * second half, because o200k joins a space to the word behind it; else at `end`, but never within a surrogate pair.
 */
export function lastBreak(text: string, start: number, end: number): number {
  if (end >= text.length) {
    return text.length;
  }
  const middle = start + Math.ceil((end - start) / 2);
  for (let index = end; index > middle; index -= 1) {
    if (text[index] === ' ' && text[index - 1] !== ' ') {
      return index;
    }
  }
  const insidePair = (text.codePointAt(end - 1) ?? 0) > 0xffff;
  return insidePair ? end - 1 : end;
}
