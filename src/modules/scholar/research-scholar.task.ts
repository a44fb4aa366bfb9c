import type { FoundChunk } from '../../core/knowledge/rag/rag-retrieval';
import type { AnswerTask } from '../../core/models/generation/answer-task';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import { quoteFaults, quotesIn } from '../../core/text/quotes-in';
import type { TextThreads } from '../../core/text/threads/text-threads';
import { numberedByDocument, type ChunkFinding, type Findings } from './numbered-findings';

interface ToldFindings {
  readonly findings: readonly {
    readonly text: string;
    readonly citations: readonly { readonly source: number; readonly quote: string }[];
  }[];
}

export interface ResearchOrder {
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

const SCHEMA = {
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
      schema: SCHEMA,
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
  const quotes = await threads.run('quoteAnswer', { question, passages }, read, signal);
  return quotes.slice(0, findingsMax).map(({ passage, text, start, end }) => ({
    text: `${text.replace(/\[(\d{1,6})\]/g, '($1)').replace(/\s+/g, ' ')} [${passage + 1}]`,
    quotes: [{ chunk: passage, text, start, end }],
  }));
}
