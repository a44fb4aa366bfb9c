import type { ScholarSectionPoints } from '../../../generated/types';
import { contentStems } from '../../text/content-stems';
import { firstNot } from '../../text/places';
import type { Quote } from '../../text/quotes';
import { type Sentence, splitSentences } from '../../text/split-sentences';
import { centralSentences } from '../../text/summary';
import { textJobsOf } from '../../text/text-job';
import { citeSources } from './cite-sources';
import { analysisOf, placedAnalysis } from './paper-analysis';
import { type PaperSection, type SectionKind, sectionsOf } from './sections-and-citations';

export interface PaperSummary {
  readonly abstract: Quote | null;
  readonly summary: string;
  readonly keyPoints: ScholarSectionPoints[];
}

/** A sentence with fewer telling words, such as a heading or the cell of a table, says too little by itself. */
const TELLING_STEMS_MIN = 4;
const SENTENCE_LENGTH_MAX = 600;
const SECTIONS_MAX = 100;
const SKIPPED = new Set<SectionKind>(['front_matter', 'abstract', 'references', 'acknowledgments']);

interface SummaryOrder {
  readonly text: string;
  /** Below 128. */
  readonly sentencesMax: number;
  /** Of each section, below 128. */
  readonly pointsMax: number;
}

/** The most central sentences by TextRank, apart from the abstract and the references. Takes linear time. */
export function paperSummaryOf({ text, sentencesMax, pointsMax }: SummaryOrder): PaperSummary {
  const sections = sectionsOf(text);
  const read = readSections(sections);
  const sentences = read.map((section) => sentencesIn(text, section));
  const summary = central(sentences.flat(), sentencesMax);
  return {
    abstract: abstractIn(text, sections),
    summary: summary.map((sentence) => sentence.text.replace(/\s+/gu, ' ')).join(' '),
    keyPoints: read
      .map(({ heading, kind }, index) => ({
        heading,
        kind,
        points: central(sentences[index] ?? [], pointsMax),
      }))
      .filter(({ points }) => points.length > 0)
      .slice(0, SECTIONS_MAX),
  };
}

type ModelSummary = Pick<PaperSummary, 'summary'> & {
  readonly text: string;
  readonly quotes: readonly Quote[];
};

export function placedSummary({ text, summary, quotes }: ModelSummary): PaperSummary {
  const sections = sectionsOf(text);
  const keyPoints = sections.map(({ heading, kind }) => ({ heading, kind, points: [] as Quote[] }));
  for (const quote of quotes) {
    keyPoints[sectionAt(sections, quote.start)]?.points.push(quote);
  }
  return {
    abstract: abstractIn(text, sections),
    summary,
    keyPoints: keyPoints.filter(({ points }) => points.length > 0),
  };
}

function sectionAt(sections: readonly PaperSection[], place: number): number {
  const last = firstNot(sections, ({ start }) => start <= place) - 1;
  return place < (sections[last]?.end ?? 0) ? last : -1;
}

/** Where a text has nothing but an abstract or front matter, that is what there is to summarize. */
function readSections(sections: readonly PaperSection[]): PaperSection[] {
  const telling = sections.filter(({ kind }) => !SKIPPED.has(kind));
  return telling.length > 0 ? telling : sections.filter(({ kind }) => kind !== 'references');
}

function abstractIn(text: string, sections: readonly PaperSection[]): Quote | null {
  const section = sections.find(({ kind }) => kind === 'abstract');
  if (!section) {
    return null;
  }
  const body = text.slice(section.bodyStart, section.end);
  const trimmed = body.trim();
  const start = section.bodyStart + body.length - body.trimStart().length;
  return trimmed === '' ? null : { text: trimmed, start, end: start + trimmed.length };
}

function sentencesIn(text: string, { bodyStart, end }: PaperSection): Sentence[] {
  return splitSentences(text.slice(bodyStart, end))
    .filter((sentence) => sentence.text.length <= SENTENCE_LENGTH_MAX && !/^[#|]/u.test(sentence.text))
    .map((sentence) => ({
      text: sentence.text,
      start: bodyStart + sentence.start,
      end: bodyStart + sentence.end,
    }));
}

function central(sentences: readonly Sentence[], countMax: number): Sentence[] {
  const telling = sentences
    .map((sentence) => ({ sentence, stems: contentStems(sentence.text) }))
    .filter(({ stems }) => stems.length >= TELLING_STEMS_MIN);
  const chosen = centralSentences(
    telling.map(({ stems }) => stems),
    countMax,
  );
  return chosen.map((index) => telling[index]?.sentence).filter((sentence) => sentence !== undefined);
}

export const scholarJobs = textJobsOf(__filename, {
  analyzePaper: analysisOf,
  placePaperAnalysis: placedAnalysis,
  placePaperSummary: placedSummary,
  summarizePaper: paperSummaryOf,
  writeCitations: citeSources,
});
