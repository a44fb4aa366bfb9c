import { apaCitation, apaWho } from './apa';
import { bibtexCitation, bibtexKey } from './bibtex';
import { chicagoCitation, chicagoWho } from './chicago';
import type { Citation, CitedSource } from './cited-source';
import { mlaCitation } from './mla';
import { risCitation } from './ris';

export const CITATION_STYLES = ['apa', 'mla', 'chicago', 'bibtex', 'ris'] as const;
export type CitationStyle = (typeof CITATION_STYLES)[number];

export interface CitedSources {
  /** In the order of the sources. */
  readonly citations: Citation[];
  /** All of them as one list: sorted as the style wants it, or a file of entries. */
  readonly bibliography: string;
}

/** Writes the references of the sources in a style, and how the text cites each of them. */
export function citeSources(sources: readonly CitedSource[], style: CitationStyle): CitedSources {
  const citations = citationsOf(sources, style);
  const texts = citations.map(({ text }) => text);
  if (style === 'ris') {
    return { citations, bibliography: texts.join('') };
  }
  return { citations, bibliography: style === 'bibtex' ? texts.join('\n\n') : sorted(texts).join('\n') };
}

function citationsOf(sources: readonly CitedSource[], style: CitationStyle): Citation[] {
  switch (style) {
    case 'apa': {
      const letters = lettersOf(sources, apaWho);
      return sources.map((source, index) => apaCitation(source, letters[index] ?? ''));
    }
    case 'chicago': {
      const letters = lettersOf(sources, chicagoWho);
      return sources.map((source, index) => chicagoCitation(source, letters[index] ?? ''));
    }
    case 'mla':
      return sources.map(mlaCitation);
    case 'bibtex': {
      const keys = distinct(sources.map(bibtexKey));
      return sources.map((source, index) => bibtexCitation(source, keys[index] ?? ''));
    }
    case 'ris':
      return sources.map(risCitation);
  }
}

/** The letters that tell apart what the same people wrote in the same year, in the order of the titles. */
function lettersOf(sources: readonly CitedSource[], whoOf: (source: CitedSource) => string | null): string[] {
  const letters = sources.map(() => '');
  const alike = new Map<string, number[]>();
  for (const [index, source] of sources.entries()) {
    const who = whoOf(source);
    if (who !== null) {
      const key = `${who}\n${source.date?.year ?? ''}`;
      alike.set(key, [...(alike.get(key) ?? []), index]);
    }
  }
  for (const indices of alike.values()) {
    const inOrder = indices.sort((one, other) =>
      compare(sources[one]?.title ?? '', sources[other]?.title ?? ''),
    );
    for (const [place, index] of inOrder.length > 1 ? inOrder.entries() : []) {
      letters[index] = letterOf(place);
    }
  }
  return letters;
}

/** Keys of which several are the same get letters in the order in which they come. */
function distinct(keys: readonly string[]): string[] {
  const counts = new Map<string, number>();
  const used = new Set(keys);
  return keys.map((key) => {
    let count = counts.get(key) ?? 0;
    let made = count === 0 ? key : `${key}${letterOf(count - 1)}`;
    while (count > 0 && used.has(made)) {
      count += 1;
      made = `${key}${letterOf(count - 1)}`;
    }
    used.add(made);
    counts.set(key, count + 1);
    return made;
  });
}

/** a to z, then aa, ab, … */
function letterOf(place: number): string {
  const last = String.fromCharCode(97 + (place % 26));
  return place < 26 ? last : `${letterOf(Math.floor(place / 26) - 1)}${last}`;
}

function sorted(texts: readonly string[]): string[] {
  return [...texts].sort((one, other) => compare(one, other));
}

const COLLATOR = new Intl.Collator('en', { sensitivity: 'base', ignorePunctuation: true });

/** Without a leading article, as the manuals want it. */
function compare(one: string, other: string): number {
  const [first = '', second = ''] = [one, other].map((text) => text.replace(/^“?(?:a|an|the)\s+/iu, ''));
  return COLLATOR.compare(first, second) || COLLATOR.compare(one, other);
}
