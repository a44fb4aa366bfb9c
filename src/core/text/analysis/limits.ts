/** The most sentences of a summary; `centralSentences` ranks fewer than 128. */
export const SUMMARY_SENTENCES_MAX = 100;
/** The most findings of one kind that are returned for a text: entities, faults of style, headings, tables' rows. */
export const FINDINGS_MAX = 10_000;
