import { detectAll } from 'tinyld';

export interface LanguageCandidate {
  /** ISO 639-1. */
  readonly language: string;
  /** 0–1: what part of the detector's evidence speaks for it. */
  readonly score: number;
}

/** In UTF-16 units, as in `detectLanguage`. */
const READ_LENGTH_MAX = 2_000;
const TELLING_LENGTH_MIN = 40;
const CANDIDATES_MAX = 5;

/** The languages that a text may be in, the likeliest first; none where it is too short to tell. */
export function languageCandidates(text: string): LanguageCandidate[] {
  const read = text.slice(0, READ_LENGTH_MAX);
  if (read.trim().length < TELLING_LENGTH_MIN) {
    return [];
  }
  return detectAll(read)
    .slice(0, CANDIDATES_MAX)
    .map(({ lang, accuracy }) => ({ language: lang, score: Math.round(accuracy * 1000) / 1000 }));
}
