/** A person by family name, or whoever else wrote a source by `literal`, such as an organisation. */
export interface SourceName {
  readonly family: string | null;
  readonly given: string | null;
  /** Such as Jr. or III. */
  readonly suffix: string | null;
  readonly literal: string | null;
}

export type Season = 'spring' | 'summer' | 'autumn' | 'fall' | 'winter';

/** A date as exactly as it is known. */
export interface SourceDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number | null;
  readonly day: number | null;
  readonly season: Season | null;
}

export type SourceType = 'book' | 'article' | 'chapter' | 'website' | 'report' | 'thesis' | 'conference';

/** A source to cite. What is not known is null; no text is empty or has white space other than single spaces. */
export interface CitedSource {
  readonly type: SourceType;
  readonly title: string;
  /** The title in the language of the reader, where `title` is in another one. */
  readonly translatedTitle: string | null;
  readonly authors: readonly SourceName[];
  readonly editors: readonly SourceName[];
  readonly translators: readonly SourceName[];
  readonly date: SourceDate | null;
  /** The journal, the book of a chapter, the site of a page, the proceedings. */
  readonly containerTitle: string | null;
  /** What kind of periodical an article stands in. */
  readonly periodical: 'journal' | 'magazine' | 'newspaper';
  /** Of a thesis the university. */
  readonly publisher: string | null;
  readonly place: string | null;
  readonly volume: string | null;
  readonly issue: string | null;
  readonly pages: string | null;
  readonly edition: string | null;
  /** The number of a report or of an article without pages. */
  readonly number: string | null;
  /** Such as Doctoral dissertation. */
  readonly genre: string | null;
  /** The database or archive that the source was found in. */
  readonly database: string | null;
  readonly url: string | null;
  /** Such as 10.1086/690235, without a resolver. */
  readonly doi: string | null;
  readonly isbn: string | null;
  readonly accessed: SourceDate | null;
}

/** A reference, and how it is cited in the text. */
export interface Citation {
  readonly text: string;
  /** With italics as `<i>`; null for entries of files. */
  readonly html: string | null;
  /** Null where the style has no citations in the text. */
  readonly inText: { readonly parenthetical: string; readonly narrative: string } | null;
  /** The key of a BibTeX entry. */
  readonly key: string | null;
}
