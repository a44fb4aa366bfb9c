import { scholarApi } from '../../../generated/contract';
import type {
  CiteScholarRequest,
  ScholarAnalysis,
  ScholarCitations,
  ScholarSummary,
} from '../../../generated/types';
import { answered, answeredModule, type AnswerNotes } from '../../contract/answered-module';
import { type AnswerTask, mapQuestion, ruleTask } from '../../models/generation/typed-answers';
import { modelQuestion } from '../../models/generation/output-schema';
import { PromptFile } from '../../models/generation/prompt';
import { type QuotedSummary, summaryQuestion } from '../../models/generation/quoted-output';
import type { TextThreads } from '../../text/text-threads';
import { PAPER_SCHEMA, type PaperAnalysis, type PaperOutput, standingOutput } from './paper-analysis';
import { type PaperSummary, scholarJobs } from './scholar.jobs';
import { readSources } from './read-sources';
import { Research } from './research';

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

/** The text under its deprecated name is added once the answer is charged, so that it is paid for once. */
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

/** The model's output has no places yet: a thread finds them, once the use is known. */
interface AnalysisAnswer {
  readonly answer: ReturnType<typeof toAnalysis> | { readonly text: string; readonly output: PaperOutput };
}

const ANALYSIS_PROMPT = new PromptFile('paper');

function analysisTask(text: string, threads: TextThreads): AnswerTask<AnalysisAnswer> {
  return {
    question: modelQuestion({
      prompt: ANALYSIS_PROMPT.fill({ material: { text } }),
      name: 'scholar_analysis',
      schema: PAPER_SCHEMA,
      read: (output, tally): AnalysisAnswer => ({
        answer: { text, output: standingOutput(text, output, tally) },
      }),
    }),
    embedded: {
      method: 'paper-rules',
      answer: async (signal) => ({
        answer: toAnalysis(await threads.run(scholarJobs.analyzePaper, text, [text], signal)),
      }),
    },
    reads: [text],
  };
}

interface ToldSummary {
  readonly text: string;
  readonly output: QuotedSummary;
}

async function placedSummary(
  { text, output }: ToldSummary,
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
): AnswerTask<{ readonly answer: FoundSummary | ToldSummary }> {
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

export const ScholarModule = answeredModule(scholarApi, {
  researchScholar: Research,
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
