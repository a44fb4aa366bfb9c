import { type ScholarApi, scholarApi } from '../../../generated/contract';
import type {
  CiteScholarRequest,
  ResearchScholarRequest,
  ScholarAnalysis,
  ScholarCitations,
  ScholarFinding,
  ScholarResearch,
  ScholarSummary,
} from '../../../generated/types';
import {
  answered,
  type AnsweredOperation,
  answeredModule,
  type AnswerNotes,
} from '../../contract/answered-module';
import { NOTHING_USED, usageFields } from '../../ledger/money';
import { type OutputOf, schema, type FaultTally } from '../../models/generation/output-schema';
import { languageOf, PromptFile } from '../../models/generation/prompt';
import { type QuotedSummary, summaryQuestion } from '../../models/generation/quoted-output';
import { type AnswerTask, mapQuestion, modelTask, ruleTask } from '../../models/generation/typed-answers';
import {
  fittedSources,
  type FoundChunk,
  retrieveOrder,
  sourcesTokensMax,
} from '../../retrieval/rag-retrieval';
import { limitMetadata } from '../../runtime/json';
import { type Quote, quotePlaces } from '../../text/quotes';
import type { TextThreads } from '../../text/text-threads';
import { textJobs } from '../../text/text.jobs';
import { PAPER_SCHEMA, type PaperAnalysis, type PaperOutput, standingOutput } from './paper-analysis';
import type { PaperSummary } from './paper-parts';
import { readSources } from './read-sources';
import { scholarJobs } from './scholar.jobs';

type Unused<Answer> = Omit<Answer, AnswerNotes>;

/** Citations follow rules to the character, so no model is asked. */
function citationsTask(
  { sources: given, style }: CiteScholarRequest,
  threads: TextThreads,
): AnswerTask<Unused<ScholarCitations>> {
  const sources = readSources(given);
  const reads = [JSON.stringify(given)];
  return ruleTask('citation-styles', reads, async (signal) => ({
    style,
    ...(await threads.run(scholarJobs.writeCitations, { sources, style }, reads, signal)),
  }));
}

/** The deprecated copy of the text is added after charging, so that it is paid for once. */
type FoundSummary = Omit<Unused<ScholarSummary>, 'summary'>;

function toSummary({ abstract, summary, keyPoints }: PaperSummary): FoundSummary {
  return { abstract, text: summary, key_points: keyPoints };
}

function toAnalysis(analysis: PaperAnalysis): Unused<ScholarAnalysis> & { readonly truncated: boolean } {
  const { sections, references, citations, statistics, truncated } = analysis;
  return {
    truncated,
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
      places: citations,
      unmatched: [...new Set(citations.flatMap(({ unmatched }) => unmatched))],
      uncited: [...references.keys()].filter((index) => references[index]?.citations === 0),
    },
    statistics,
  };
}

interface AnalysisAnswer {
  readonly answer: ReturnType<typeof toAnalysis> | { readonly text: string; readonly output: PaperOutput };
}

const ANALYSIS_PROMPT = new PromptFile('paper');

function analysisTask(text: string, threads: TextThreads): AnswerTask<AnalysisAnswer> {
  return modelTask([text], {
    prompt: ANALYSIS_PROMPT.fill({ material: { text } }),
    name: 'scholar_analysis',
    schema: PAPER_SCHEMA,
    read: (output, tally): AnalysisAnswer => ({
      answer: { text, output: standingOutput(text, output, tally) },
    }),
    embedded: {
      method: 'paper-rules',
      answer: async (signal) => ({
        answer: toAnalysis(await threads.run(scholarJobs.analyzePaper, text, [text], signal)),
      }),
    },
  });
}

interface ModelSummary {
  readonly text: string;
  readonly output: QuotedSummary;
}

async function placedSummary(
  { text, output }: ModelSummary,
  threads: TextThreads,
  signal: AbortSignal,
): Promise<FoundSummary> {
  const input = { text, summary: output.summary, quotes: output.key_points };
  return toSummary(await threads.run(scholarJobs.placePaperSummary, input, [text], signal));
}

const SUMMARY_PROMPT = new PromptFile('paper-summary');

function summaryTask(
  text: string,
  sentencesMax: number,
  pointsMax: number,
  threads: TextThreads,
): AnswerTask<{ readonly answer: FoundSummary | ModelSummary }> {
  const question = summaryQuestion(text, {
    name: 'scholar_summary',
    prompt: SUMMARY_PROMPT,
    choices: { sentences: sentencesMax, points: pointsMax },
  });
  return {
    question: mapQuestion(question, (output) => ({ answer: { text, output } })),
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

/** A question that is asked again reads its sources again. */
const ATTEMPTS_MAX = 2;

/** No retrieval here: callers without credit could have their documents searched free of charge. */
function plannedResearch(asked: ResearchScholarRequest, threads: TextThreads): AnswerTask<Findings> {
  limitMetadata(asked.filter ?? {}, 'filter');
  const order = { question: asked.question, findingsMax: asked.findings, chunks: [], sources: [] };
  const furtherInputTokens = ATTEMPTS_MAX * sourcesTokensMax(asked.top_k);
  return { ...researchTask(order, threads), furtherInputTokens };
}

const researched: AnsweredOperation<ScholarApi['researchScholar']> = {
  task: ({ body }, { threads }) => plannedResearch(body, threads),
  handle: async (answer, call, { counter, retrieval, threads }) => {
    const { account, body, signal } = call;
    const { question, findings: findingsMax } = body;
    const { chunks, engine } = await retrieval.retrieve(account.id, retrieveOrder(question, body), signal);
    if (chunks.length === 0) {
      call.setEngine(engine);
      call.meter.report(NOTHING_USED);
      return NOTHING;
    }
    const texts = chunks.map(({ text }) => text);
    const sources = await fittedSources(texts, counter, signal);
    const task = researchTask({ question, findingsMax, chunks, sources }, threads);
    const { findings, cited, ...answeredBy } = await answer(task);
    return {
      found: findings.length > 0,
      findings,
      bibliography: cited.map(toEntry),
      retrieved: chunks.length,
      ...answeredBy,
    };
  },
};

const NOTHING = {
  ...{ found: false, findings: [], bibliography: [], retrieved: 0, truncated: false, dropped: 0 },
  ...{ model: null, usage: usageFields(NOTHING_USED) },
};

function toEntry(
  { documentId, collection, metadata }: FoundChunk,
  index: number,
): ScholarResearch['bibliography'][number] {
  const title = typeof metadata['title'] === 'string' ? metadata['title'] : null;
  return { index: index + 1, document_id: documentId, collection, title, metadata };
}

interface Findings {
  readonly findings: ScholarFinding[];
  readonly cited: FoundChunk[];
}

/** The text cites chunks by their number from 1, as `[1]`. */
interface ChunkFinding {
  readonly text: string;
  readonly quotes: readonly (Quote & { readonly chunk: number })[];
}

function numberedByDocument(findings: readonly ChunkFinding[], chunks: readonly FoundChunk[]): Findings {
  const cited: FoundChunk[] = [];
  const numberOf = (chunk: FoundChunk) => {
    const known = cited.findIndex(({ documentId }) => documentId === chunk.documentId);
    return known === -1 ? cited.push(chunk) : known + 1;
  };
  const numbered = findings.map(({ text, quotes }) => ({
    text: text
      .replace(/\[(\d{1,6})\]/g, (marker, number) => {
        const chunk = chunks[Number(number) - 1];
        return chunk ? `[${numberOf(chunk)}]` : marker;
      })
      .replace(/(\[\d{1,6}\])(?:[ ,;]{0,2}\1)+/g, '$1'),
    citations: quotes.map(({ chunk: index, text: quote, start, end }) => {
      const chunk = chunks[index] as FoundChunk;
      return {
        index: numberOf(chunk),
        document_id: chunk.documentId,
        chunk_id: chunk.chunkId,
        quote,
        start: chunk.start + start,
        end: chunk.start + end,
      };
    }),
  }));
  return { findings: numbered, cited };
}

interface ResearchOrder {
  readonly question: string;
  readonly findingsMax: number;
  readonly chunks: readonly FoundChunk[];
  readonly sources: readonly string[];
}

const FINDINGS_PROMPT = new PromptFile('findings');

const FINDINGS_SCHEMA = schema.object({
  findings: schema.list(
    schema.object({
      text: schema.text,
      citations: schema.list(schema.object({ source: schema.integer({ minimum: 1 }), quote: schema.text }), {
        minItems: 1,
      }),
    }),
  ),
});
type FindingOutput = OutputOf<typeof FINDINGS_SCHEMA>['findings'][number];

function researchTask(order: ResearchOrder, threads: TextThreads): AnswerTask<Findings> {
  const { question, findingsMax, chunks, sources } = order;
  const texts = Object.fromEntries(sources.map((source, index) => [`source_${index + 1}`, source]));
  return modelTask([question, ...chunks.map(({ text }) => text)], {
    prompt: FINDINGS_PROMPT.fill({
      choices: { findings: findingsMax, language: languageOf(question, 'the language of the question') },
      material: { ...texts, question },
    }),
    name: 'research_findings',
    schema: FINDINGS_SCHEMA,
    read: (output, tally) => numberedByDocument(placedFindings(output.findings, order, tally), chunks),
    embedded: {
      method: 'sentences',
      answer: async (signal) => numberedByDocument(await quoted(order, threads, signal), chunks),
    },
  });
}

/** A finding that cites nothing, or no existing chunk, was made up and is left out. */
function placedFindings(
  findings: readonly FindingOutput[],
  { sources, chunks, findingsMax }: ResearchOrder,
  tally: FaultTally,
): ChunkFinding[] {
  const placed = findings.flatMap(({ text, citations }, index) => {
    const named = new Set([...text.matchAll(/\[(\d{1,6})\]/g)].map(([, number]) => Number(number)));
    const meant = citations.filter(({ source }) => named.has(source));
    const quotes = meant.flatMap(({ source, quote }) => {
      const [isThere] = quotePlaces([quote], sources[source - 1] ?? '');
      const [place] = isThere ? quotePlaces([quote], chunks[source - 1]?.text ?? '') : [];
      if (!place) {
        tally.drop(`findings[${index}]: this does not stand in source [${source}]: ${quote.slice(0, 120)}`);
      }
      return place ? [{ ...place, chunk: source - 1 }] : [];
    });
    const unquoted = [...named].filter((number) => !quotes.some(({ chunk }) => chunk === number - 1));
    if (named.size > 0 && unquoted.length === 0) {
      tally.keep();
      return [{ text, quotes }];
    }
    const why =
      named.size === 0 ? 'cites no source' : `has no quote for ${unquoted.map((one) => `[${one}]`).join('')}`;
    tally.drop(`findings[${index}].text ${why}.`);
    return [];
  });
  return placed.slice(0, findingsMax);
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

export const ScholarModule = answeredModule(scholarApi, {
  researchScholar: researched,
  citeScholar: answered(({ body }, { threads }) => citationsTask(body, threads)),
  summarizeScholar: answered(
    async (call, { textOf, threads }) => {
      const { sentences, points_per_section: pointsMax } = call.body;
      return summaryTask(await textOf(call), sentences, pointsMax, threads);
    },
    async ({ answer, ...answeredBy }, { signal }, { threads }) => {
      const found = 'output' in answer ? await placedSummary(answer, threads, signal) : answer;
      return { ...found, summary: found.text, ...answeredBy };
    },
  ),
  analyzeScholar: answered(
    async (call, { textOf, threads }) => analysisTask(await textOf(call), threads),
    async ({ answer, ...answeredBy }, { signal }, { threads }) => {
      const found =
        'output' in answer
          ? toAnalysis(await threads.run(scholarJobs.placePaperAnalysis, answer, [answer.text], signal))
          : answer;
      return { ...found, ...answeredBy, truncated: found.truncated || answeredBy.truncated };
    },
  ),
});
