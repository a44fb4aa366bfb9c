/** A phrase of a list where it stands in a text: `before === text.slice(start, end)`. */
export interface PhraseMatch<Entry> {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly entry: Entry;
}

const WORD = /[\p{L}\p{N}]{1,40}(?:['’-][\p{L}\p{N}]{1,40}){0,3}/gu;
const BETWEEN = /^[ \t\u00a0]{0,3}(?:\r?\n[ \t]{0,8})?$/u;

/**
 * Finds the phrases of a list in a text, the longest where several begin at one word. Words are looked up in a map, so that
 * the time does not depend on how many phrases there are. Upper and lower case are the same.
 */
export class PhraseList<Entry> {
  private readonly entries: ReadonlyMap<string, Entry>;
  /** How many words the longest phrase has that begins with a word. */
  private readonly lengths = new Map<string, number>();

  constructor(entries: Iterable<readonly [phrase: string, entry: Entry]>) {
    this.entries = new Map(entries);
    for (const phrase of this.entries.keys()) {
      const words = phrase.split(' ');
      this.lengths.set(words[0] ?? '', Math.max(words.length, this.lengths.get(words[0] ?? '') ?? 0));
    }
  }

  /** All places where a phrase stands, in order and without overlaps. */
  matches(text: string): PhraseMatch<Entry>[] {
    const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
      lower: word.toLowerCase().replaceAll('’', "'"),
      start: index,
      end: index + word.length,
    }));
    const found: PhraseMatch<Entry>[] = [];
    for (let index = 0; index < words.length;) {
      const match = this.longestAt(text, words, index);
      if (match) {
        found.push(match.found);
      }
      index += match?.length ?? 1;
    }
    return found;
  }

  private longestAt(
    text: string,
    words: readonly { lower: string; start: number; end: number }[],
    index: number,
  ): { found: PhraseMatch<Entry>; length: number } | null {
    const first = words[index];
    for (let length = this.lengths.get(first?.lower ?? '') ?? 0; first && length > 0; length -= 1) {
      const run = words.slice(index, index + length);
      const entry = this.entries.get(run.map(({ lower }) => lower).join(' '));
      const isRun = run.every(
        ({ start }, place) => place === 0 || BETWEEN.test(text.slice(run[place - 1]?.end, start)),
      );
      const end = run.at(-1)?.end ?? first.end;
      if (entry !== undefined && isRun) {
        return { found: { start: first.start, end, before: text.slice(first.start, end), entry }, length };
      }
    }
    return null;
  }
}
