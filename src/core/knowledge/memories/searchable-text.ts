/** How much of a text is searched. Its words always fit into a tsvector, which holds less than a megabyte. */
const SEARCHED_LENGTH_MAX = 100_000;
/** Normalising takes time quadratic in an unbroken run of marks: 100,000 of them held the event loop for seconds. */
const ENDLESS_MARKS = /(\p{M}{8})\p{M}+/gu;
const ACCENTS = /[\u0300-\u036f]/g;
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/gu;
/** Scripts that put no space between words: each character is sought by itself. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/**
 * The words of a text with a space between each two, in lower case and without accents. What is stored and what is
 * sought both pass here, because what Postgres takes for a word depends on the database's locale, and because it would
 * keep an address, a host or a version as one word that no part of it finds.
 */
export function searchableText(text: string): string {
  const bounded = text.slice(0, SEARCHED_LENGTH_MAX).replace(ENDLESS_MARKS, '$1');
  const folded = bounded.normalize('NFKD').replace(ACCENTS, '').normalize('NFKC').toLowerCase();
  return folded.slice(0, SEARCHED_LENGTH_MAX).replace(BETWEEN_WORDS, ' ').replace(UNSPACED, ' $& ').trim();
}

/** The words of a key, those within `preferredLanguage` too. */
export function searchableKey(key: string): string {
  const apart = key.replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2');
  return searchableText(apart === key ? key : `${key} ${apart}`);
}
