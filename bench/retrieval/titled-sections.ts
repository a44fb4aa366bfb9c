import { searchableText } from '../../src/text/searchable-text';
import type { PublicSection, PublicText } from './public-text';

/** Shorter sections say little of what their headings ask for. */
const SECTION_LENGTH_MIN = 200;
const HEADING_WORDS = { min: 3, max: 12 };

/** A section whose heading is asked for, though it does not stand in the text. */
export interface TitledSection extends PublicSection {
  /** The text's place in the list of texts. */
  number: number;
}

/**
 * Sections whose headings are long enough to be a question, and of which no other section has the same: at most so many,
 * evenly from all texts.
 */
export function titledSections(texts: readonly PublicText[], countMax: number): TitledSection[] {
  const all = texts.flatMap(({ sections }, number) =>
    sections
      .filter(({ start, end }) => end - start >= SECTION_LENGTH_MIN)
      .map((section) => ({ ...section, number })),
  );
  const counts = new Map<string, number>();
  for (const { heading } of all) {
    counts.set(heading.toLowerCase(), (counts.get(heading.toLowerCase()) ?? 0) + 1);
  }
  const askable = all.filter(({ heading }) => {
    const words = searchableText(heading).split(/\s+/).length;
    const isQuestion = words >= HEADING_WORDS.min && words <= HEADING_WORDS.max;
    return isQuestion && counts.get(heading.toLowerCase()) === 1;
  });
  const every = Math.max(1, askable.length / countMax);
  return askable.filter((_, index) => Math.floor(index / every) > Math.floor((index - 1) / every));
}
