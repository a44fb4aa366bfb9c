import type {
  ScholarAnalysis,
  ScholarCitationPlace,
  ScholarFinding,
  ScholarSummary,
} from '../../../generated/types';
import type { AnswerTask } from '../../models/generation/model-task';
import { PromptTemplate } from '../../models/generation/prompt-template';
import type { FoundChunk } from '../../retrieval/rag-retrieval';
import { type Quote, quoteFaults, quotesIn } from '../../text/quotes';
import type { TextThreads } from '../../text/text-threads';
import { textJobs } from '../../text/text.jobs';
import { faultsIn, type PaperAnalysis, type ToldPaper } from './paper-analysis';
import { SECTION_KINDS } from './paper-sections';
import type { PaperSummary } from './paper-summary';
import { scholarJobs } from './scholar.jobs';
import type { TextCitation } from './text-citations';

type Unused<Answer> = Omit<Answer, 'model' | 'usage'>;

export function toSummary({ abstract, summary, keyPoints }: PaperSummary): Unused<ScholarSummary> {
  return { abstract, summary, key_points: keyPoints };
}

export function toAnalysis(analysis: PaperAnalysis): Unused<ScholarAnalysis> {
  const { sections, references, citations, statistics } = analysis;
  return {
    sections: sections.map(({ bodyStart: _, ...section }) => section),
    references: references.map(({ families: _, authors, ...reference }, index) => ({
      index,
      ...reference,
      authors: [...authors],
    })),
    citations: {
      total: citations.length,
      numeric: citations.filter(({ kind }) => kind === 'numeric').length,
      author_year: citations.filter(({ kind }) => kind === 'author_year').length,
      places: citations.map(toPlace),
      unmatched: [...new Set(citations.flatMap(({ unmatched }) => unmatched))],
      uncited: [...references.keys()].filter((index) => references[index]?.citations === 0),
    },
    statistics: statistics.map(({ degreesOfFreedom, ...statistic }) => ({
      ...statistic,
      degrees_of_freedom: degreesOfFreedom,
    })),
  };
}

function toPlace(citation: TextCitation): ScholarCitationPlace {
  return { ...citation };
}

/** An analysis; what a model told has no places yet. */
export interface AnalysisAnswer {
  readonly answer:
    Omit<ScholarAnalysis, 'model' | 'usage'> | { readonly text: string; readonly told: ToldPaper };
}

const ANALYSIS_TEMPLATE = new PromptTemplate(
  'Say what this scholarly text consists of:\n{{text}}\n' +
    'As sections give every heading, word for word and in the order of the text, with what its section is. As references give ' +
    'every entry of the list of references: raw is the whole entry word for word, and each of the other fields is copied from it; ' +
    'null stands for what it does not say. Give no sections or references where the text has none.',
);

const TEXT = { type: 'string', minLength: 1, maxLength: 3_000 };
const TEXT_OR_NULL = { ...TEXT, type: ['string', 'null'] };

const ANALYSIS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['sections', 'references'],
  properties: {
    sections: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['heading', 'kind'],
        properties: { heading: TEXT, kind: { type: 'string', enum: [...SECTION_KINDS] } },
      },
    },
    references: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['raw', 'authors', 'year', 'title', 'doi', 'url'],
        properties: {
          raw: TEXT,
          authors: { type: 'array', items: TEXT },
          year: TEXT_OR_NULL,
          title: TEXT_OR_NULL,
          doi: TEXT_OR_NULL,
          url: TEXT_OR_NULL,
        },
      },
    },
  },
};

export function analysisTask(text: string, threads: TextThreads): AnswerTask<AnalysisAnswer> {
  return {
    question: {
      template: ANALYSIS_TEMPLATE,
      variables: { text },
      name: 'scholar_analysis',
      schema: ANALYSIS_SCHEMA,
      check: (told: ToldPaper) => faultsIn(text, told),
      read: (told: ToldPaper) => ({ answer: { text, told } }),
    },
    embedded: {
      method: 'paper-rules',
      answer: async (signal) => ({
        answer: toAnalysis(await threads.run(scholarJobs.analyzePaper, text, [text], signal)),
      }),
    },
    reads: [text],
  };
}

/** A summary; of a model's, the quotes are not under their sections yet. */
export interface SummaryAnswer {
  readonly answer:
    | Omit<ScholarSummary, 'model' | 'usage'>
    | { readonly text: string; readonly told: { readonly summary: string; readonly quotes: Quote[] } };
}

interface Told {
  readonly summary: string;
  readonly key_points: readonly string[];
}

const SUMMARY_TEMPLATE = new PromptTemplate(
  'Summarize this scholarly text in at most {{sentences}} sentences and in the language of the text:\n{{text}}\n' +
    'Say what was asked, what was done, what was found and what follows; add nothing that does not stand in it. As key_points ' +
    'give, for each section that matters, at most {{points}} sentences of the text that your summary rests on, word for word.',
);

const SUMMARY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['summary', 'key_points'],
  properties: {
    summary: { type: 'string', minLength: 1 },
    key_points: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
  },
};

export function summaryTask(
  text: string,
  limits: { readonly sentencesMax: number; readonly pointsMax: number },
  threads: TextThreads,
): AnswerTask<SummaryAnswer> {
  const { sentencesMax, pointsMax } = limits;
  return {
    question: {
      template: SUMMARY_TEMPLATE,
      variables: { text, sentences: String(sentencesMax), points: String(pointsMax) },
      name: 'scholar_summary',
      schema: SUMMARY_SCHEMA,
      check: (told: Told) => quoteFaults(told.key_points, text),
      read: ({ summary, key_points: points }: Told) => ({
        answer: { text, told: { summary, quotes: quotesIn(points, text) } },
      }),
    },
    embedded: {
      method: 'text-rank',
      answer: async (signal) => {
        const input = { text, sentencesMax, pointsMax };
        return { answer: toSummary(await threads.run(scholarJobs.summarizePaper, input, [text], signal)) };
      },
    },
    reads: [text],
  };
}

export interface Findings {
  readonly findings: ScholarFinding[];
  /** The documents that they cite, the first one being number 1. */
  readonly cited: FoundChunk[];
}

/** A finding whose text names chunks by their number from 1, as `[1]`, with quotes of them. */
interface ChunkFinding {
  readonly text: string;
  readonly quotes: readonly (Quote & { readonly chunk: number })[];
}

/** Findings that name documents in place of chunks, numbered in the order in which they are cited first. */
function numberedByDocument(findings: readonly ChunkFinding[], chunks: readonly FoundChunk[]): Findings {
  const numbers = new Map<string, number>();
  const cited: FoundChunk[] = [];
  const numberOf = (chunk: FoundChunk) => {
    const known = numbers.get(chunk.documentId);
    if (known !== undefined) {
      return known;
    }
    numbers.set(chunk.documentId, cited.push(chunk));
    return cited.length;
  };
  const numbered = findings.map(({ text, quotes }) => ({
    text: text
      .replace(/\[(\d{1,6})\]/g, (marker, number) => {
        const chunk = chunks[Number(number) - 1];
        return chunk ? `[${numberOf(chunk)}]` : marker;
      })
      .replace(/(\[\d{1,6}\])(?:[ ,;]{0,2}\1)+/g, '$1'),
    citations: quotes.flatMap(({ chunk: index, text: quote, start, end }) => {
      const chunk = chunks[index];
      return chunk
        ? [
            {
              index: numberOf(chunk),
              document_id: chunk.documentId,
              chunk_id: chunk.chunkId,
              quote,
              start: chunk.start + start,
              end: chunk.start + end,
            },
          ]
        : [];
    }),
  }));
  return { findings: numbered, cited };
}

interface ToldFindings {
  readonly findings: readonly {
    readonly text: string;
    readonly citations: readonly { readonly source: number; readonly quote: string }[];
  }[];
}

interface ResearchOrder {
  readonly question: string;
  readonly findingsMax: number;
  readonly chunks: readonly FoundChunk[];
  /** What a model reads of each chunk: its beginning, as far as was reserved for. */
  readonly sources: readonly string[];
}

const RULES =
  'Answer the question from these numbered sources and from nothing else, by at most {{findings}} findings in the language of the ' +
  'question. Each finding is a statement with the numbers of its sources in square brackets behind it, such as [1]; use no other ' +
  'numbers in square brackets. For each of those numbers give one sentence of that source that says so, word for word, as quote. ' +
  'If the sources do not answer the question, give no findings.';

const FINDINGS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['findings'],
  properties: {
    findings: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['text', 'citations'],
        properties: {
          text: { type: 'string', minLength: 1 },
          citations: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['source', 'quote'],
              properties: {
                source: { type: 'integer', minimum: 1 },
                quote: { type: 'string', minLength: 1 },
              },
            },
          },
        },
      },
    },
  },
};

export function researchTask(order: ResearchOrder, threads: TextThreads): AnswerTask<Findings> {
  const { question, findingsMax, chunks, sources } = order;
  const places = sources.map((_, index) => `Source [${index + 1}]:\n{{source_${index + 1}}}`);
  const texts = Object.fromEntries(sources.map((source, index) => [`source_${index + 1}`, source]));
  return {
    question: {
      template: new PromptTemplate([...places, 'The question:\n{{question}}', RULES].join('\n\n')),
      variables: { ...texts, question, findings: String(findingsMax) },
      name: 'research_findings',
      schema: FINDINGS_SCHEMA,
      check: (told: ToldFindings) => faultsOf(told, order),
      read: (told: ToldFindings) => numberedByDocument(placed(told, chunks), chunks),
    },
    embedded: {
      method: 'sentences',
      answer: async (signal) => numberedByDocument(await quoted(order, threads, signal), chunks),
    },
    reads: [question, ...chunks.map(({ text }) => text)],
  };
}

/** A finding that cites nothing, or what there is not, was made up. */
function faultsOf({ findings }: ToldFindings, { sources, findingsMax }: ResearchOrder): string[] {
  const tooMany = findings.length > findingsMax ? [`findings: there may be at most ${findingsMax}.`] : [];
  return [
    ...tooMany,
    ...findings.flatMap(({ text, citations }, index) => {
      const path = `findings[${index}]`;
      const named = new Set([...text.matchAll(/\[(\d{1,6})\]/g)].map(([, number]) => Number(number)));
      const quotedSources = new Set(citations.map(({ source }) => source));
      return [
        ...(named.size === 0 ? [`${path}.text cites no source.`] : []),
        ...[...named, ...quotedSources]
          .filter((number) => sources[number - 1] === undefined)
          .map((number) => `${path}: there is no source [${number}].`),
        ...[...named]
          .filter((number) => !quotedSources.has(number))
          .map((number) => `${path}.citations has no quote for [${number}].`),
        ...[...quotedSources]
          .filter((number) => !named.has(number))
          .map((number) => `${path}.text does not name [${number}].`),
        ...citations.flatMap(({ source, quote }) => quoteFaults([quote], sources[source - 1] ?? '')),
      ];
    }),
  ];
}

function placed({ findings }: ToldFindings, chunks: readonly FoundChunk[]): ChunkFinding[] {
  return findings.map(({ text, citations }) => ({
    text,
    quotes: citations.flatMap(({ source, quote }) =>
      quotesIn([quote], chunks[source - 1]?.text ?? '').map((place) => ({ ...place, chunk: source - 1 })),
    ),
  }));
}

async function quoted(
  { question, chunks, findingsMax }: ResearchOrder,
  threads: TextThreads,
  signal: AbortSignal,
): Promise<ChunkFinding[]> {
  const passages = chunks.map(({ text, heading }) => ({ text, heading }));
  const read = [question, ...passages.map(({ text }) => text)];
  const quotes = await threads.run(textJobs.quoteAnswer, { question, passages }, read, signal);
  return quotes.slice(0, findingsMax).map(({ passage, text, start, end }) => ({
    text: `${text.replace(/\[(\d{1,6})\]/g, '($1)').replace(/\s+/g, ' ')} [${passage + 1}]`,
    quotes: [{ chunk: passage, text, start, end }],
  }));
}
