import { splitSentences } from '../split-sentences';

/** Which law governs a contract, and the sentence that says so. `text === source.slice(start, end)`. */
export interface GoverningLaw {
  /** As the contract names it, such as "England and Wales" or "Swiss law". */
  readonly law: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const GOVERNS =
  /\b(?:governed by|governs this|construed (?:under|in accordance with)|interpreted (?:under|in accordance with)|subject to|applicable law is|law applicable)\b/i;
/** A name with capitals, also one such as "the State of New York" or "England and Wales". */
const NAMED = String.raw`(?:the )?((?:\p{Lu}[\p{L}.'’-]{0,30})(?:[ \n](?:(?:of|and|the)[ \n]){0,2}\p{Lu}[\p{L}.'’-]{0,30}){0,6})`;
const LAWS_OF = new RegExp(String.raw`\b[Ll]aws?(?: in force)? (?:of|in) ${NAMED}`, 'u');
const NAMED_LAW = new RegExp(
  String.raw`\b(?:by|under|with|is|to) (?:the )?(?:laws? of )?(\p{Lu}[\p{L}'’-]{2,30}(?: \p{Lu}[\p{L}'’-]{2,30}){0,3} [Ll]aws?)\b`,
  'u',
);

/** The governing law that an English contract names; null where no sentence names one. */
export function governingLawOf(source: string): GoverningLaw | null {
  for (const { text, start, end } of splitSentences(source)) {
    const law = GOVERNS.test(text) ? (LAWS_OF.exec(text)?.[1] ?? NAMED_LAW.exec(text)?.[1]) : undefined;
    if (law !== undefined) {
      return {
        law: law
          .replace(/[.’']$/u, '')
          .split(/\s+/u)
          .join(' '),
        text,
        start,
        end,
      };
    }
  }
  return null;
}
