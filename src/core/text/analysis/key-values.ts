import { linesIn } from './lines';

export interface KeyValue {
  readonly key: string;
  readonly value: string;
  /** The place of both in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

const LINE_LENGTH_MAX = 1_200;
const KEY_WORDS_MAX = 6;
/** Marks of lists, quotes and emphasis may stand before the key. */
const PAIR =
  /^(?:[-*+•>#|][ \t]{0,4}){0,3}(?:\*\*|__)?([\p{L}\p{N}][\p{L}\p{M}\p{N} /()&.'’#%\-]{0,58}?)(?:\*\*|__)?[ \t]{0,4}[:：](?:\*\*|__)?[ \t]{1,40}(\S.*)$/u;

/** The pairs of "Name: value" lines, in order. The name has at most six words and begins with a capital or a digit. */
export function keyValuesIn(text: string): KeyValue[] {
  return linesIn(text).flatMap((line) => {
    const match = line.text.length > LINE_LENGTH_MAX ? null : PAIR.exec(line.text);
    const [, key = '', value = ''] = match ?? [];
    if (!match || !isName(key)) {
      return [];
    }
    return [
      { key: key.trim(), value: value.trim(), start: line.start + line.text.indexOf(key), end: line.end },
    ];
  });
}

function isName(key: string): boolean {
  return (
    /^[\p{Lu}\p{Lo}\p{N}]/u.test(key) && /\p{L}/u.test(key) && key.trim().split(' ').length <= KEY_WORDS_MAX
  );
}
