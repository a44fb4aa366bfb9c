/** A table found in a file; rows may be shorter than the header. */
export interface ReadTable {
  readonly header: string[];
  readonly rows: string[][];
}

/** What was read from a file. */
export interface ReadFile {
  /** At most 2,000,000 UTF-16 units, well-formed and without NUL. Empty for a scanned PDF and for images. */
  readonly text: string;
  /** The same with its headings, lists and tables, where the format has them; else null. Bounded like the text. */
  readonly markdown: string | null;
  /** null for a format without pages. */
  readonly pages: number | null;
  readonly title: string | null;
  readonly tables: ReadTable[];
  /** Whether there was more than `text` or `tables` hold. */
  readonly isCut: boolean;
}
