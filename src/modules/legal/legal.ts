import { legalApi } from '../../../generated/contract';
import type {
  LegalAmount,
  LegalAnalysis,
  LegalComparison,
  LegalDate,
  LegalFacts,
  LegalParty,
} from '../../../generated/types';
import { answered, answeredModule, type AnswerNotes } from '../../contract/answered-module';
import { type AnswerTask, inEnglishAlone, modelTask } from '../../models/generation/typed-answers';
import { type OutputOf, schema, type FaultTally } from '../../models/generation/output-schema';
import { languageOf, PromptFile } from '../../models/generation/prompt';
import { placed, placesOf, summaryTask } from '../../models/generation/quoted-output';
import { datesIn } from '../../text/dates';
import { oneLine } from '../../text/places';
import { quotePlaces } from '../../text/quotes';
import type { TextThreads } from '../../text/text-threads';
import { wordList } from '../../text/word-list';
import { CLAUSE_TYPES, legalJobs } from './legal.jobs';
import type { TextChanges } from './text-changes';

type FoundAnalysis = Omit<LegalAnalysis, 'disclaimer' | AnswerNotes>;
type FoundFacts = Omit<LegalFacts, 'disclaimer' | AnswerNotes>;

const DOCUMENT_TYPES = [
  ...wordList('non_disclosure_agreement employment_contract lease loan_agreement license_agreement'),
  ...wordList('purchase_agreement partnership_agreement data_processing_agreement service_agreement'),
  ...wordList('terms_of_service privacy_policy power_of_attorney will contract'),
];
const FOUND_MAX = { maxItems: 1_000 };
const ISO_DATE = schema.string({ pattern: '^\\d{4}(-\\d{2}){0,2}$' });
const TEXT_OR_NULL = schema.orNull(schema.string());

const VALUES = {
  parties: schema.list(
    schema.object({ name: schema.text, role: TEXT_OR_NULL, aliases: schema.list(schema.text) }),
    FOUND_MAX,
  ),
  dates: schema.list(schema.object({ text: schema.text, date: schema.orNull(ISO_DATE) }), FOUND_MAX),
  amounts: schema.list(
    schema.object({
      text: schema.text,
      amount: schema.string({ pattern: '^\\d+(\\.\\d+)?$' }),
      currency: schema.orNull(schema.string({ pattern: '^[A-Z]{3}$' })),
    }),
    FOUND_MAX,
  ),
};
type ValuesOutput = { [Name in keyof typeof VALUES]: OutputOf<(typeof VALUES)[Name]> };

function placedValues(
  { parties, dates, amounts }: ValuesOutput,
  text: string,
  tally: FaultTally,
): { parties: LegalParty[]; dates: LegalDate[]; amounts: LegalAmount[] } {
  const named = parties.flatMap(({ aliases }) => aliases);
  const known = standing(named, text);
  return {
    parties: placed(parties, ({ name }) => name, text, tally).map(({ output, place: { start, end } }) => ({
      ...{ ...output, aliases: output.aliases.filter((alias) => known.has(alias)), start, end },
    })),
    dates: placed(dates, (date) => date.text, text, tally).map(({ output: { date }, place }) => ({
      ...place,
      date,
    })),
    amounts: placed(amounts, (amount) => amount.text, text, tally).map(
      ({ output: { amount, currency }, place }) => ({ ...place, amount, currency }),
    ),
  };
}

/** Those that the text has: a model may have made up the others. */
function standing(words: readonly (string | null)[], text: string): ReadonlySet<string> {
  const named = words.filter((one) => one !== null);
  const places = quotePlaces(named, text);
  return new Set(named.filter((_, index) => places[index] !== null));
}

function knownOf(words: string | null, known: ReadonlySet<string>): string | null {
  return words !== null && known.has(words) ? words : null;
}

const ANALYSIS_PROMPT = new PromptFile('legal-analysis');

const ANALYSIS_SCHEMA = schema.object({
  document_type: schema.orNull(schema.oneOf(DOCUMENT_TYPES)),
  ...VALUES,
  clauses: schema.list(
    schema.object({
      type: schema.oneOf(CLAUSE_TYPES),
      heading: TEXT_OR_NULL,
      quote: schema.text,
      risk: schema.oneOf(['low', 'medium', 'high']),
      explanation: schema.text,
    }),
    FOUND_MAX,
  ),
  missing_clauses: schema.orNull(schema.list(schema.oneOf(CLAUSE_TYPES))),
  governing_law: schema.orNull(schema.object({ law: schema.text, quote: schema.text })),
});
type AnalysisOutput = OutputOf<typeof ANALYSIS_SCHEMA>;

function analysisTask(text: string, threads: TextThreads): AnswerTask<FoundAnalysis> {
  return modelTask([text], {
    prompt: ANALYSIS_PROMPT.fill({ choices: { language: languageOf(text) }, material: { text } }),
    name: 'legal_analysis',
    schema: ANALYSIS_SCHEMA,
    read: (output, tally) => placedAnalysis(output, text, tally),
    ...inEnglishAlone(text, {
      method: 'contract-rules',
      answer: async (signal) => {
        const found = await threads.run(legalJobs.analyzeLegalText, text, [text], signal);
        const { clauses, governingLaw, ...rest } = found;
        return {
          ...rest,
          document_type: null,
          clauses: clauses.map((clause) => ({ ...clause, risk: null, explanation: null })),
          missing_clauses: null,
          governing_law: governingLaw,
        };
      },
    }),
  });
}

function placedAnalysis(output: AnalysisOutput, text: string, tally: FaultTally): FoundAnalysis {
  const { document_type, missing_clauses, governing_law: law } = output;
  const [place] = law === null ? [null] : placesOf([law.quote], text, tally);
  const headings = output.clauses.map(({ heading }) => heading);
  const known = standing(headings, text);
  const clauses = placed(output.clauses, ({ quote }) => quote, text, tally).map(
    ({ output: { type, heading, risk, explanation }, place: { start, end } }) => ({
      ...{ type, heading: knownOf(heading, known), start, end, risk, explanation },
    }),
  );
  return {
    document_type,
    ...placedValues(output, text, tally),
    clauses,
    missing_clauses,
    governing_law: law && place ? { law: law.law, ...place } : null,
  };
}

const FACTS_PROMPT = new PromptFile('legal-facts');

const FACTS_SCHEMA = schema.object({
  ...VALUES,
  obligations: schema.list(
    schema.object({ party: TEXT_OR_NULL, obligation: schema.text, deadline: TEXT_OR_NULL }),
    FOUND_MAX,
  ),
  definitions: schema.list(
    schema.object({ term: schema.text, meaning: schema.text, quote: schema.text }),
    FOUND_MAX,
  ),
});
type FactsOutput = OutputOf<typeof FACTS_SCHEMA>;

function factsTask(text: string, threads: TextThreads): AnswerTask<FoundFacts> {
  return modelTask([text], {
    prompt: FACTS_PROMPT.fill({ choices: { language: languageOf(text) }, material: { text } }),
    name: 'legal_facts',
    schema: FACTS_SCHEMA,
    read: (output, tally) => placedFacts(output, text, tally),
    ...inEnglishAlone(text, {
      method: 'contract-rules',
      answer: async (signal) => {
        const found = await threads.run(legalJobs.findLegalFacts, text, [text], signal);
        return { ...found, obligations: null };
      },
    }),
  });
}

function placedFacts(output: FactsOutput, text: string, tally: FaultTally): FoundFacts {
  const named = output.obligations.flatMap(({ party, deadline }) => [party, deadline]);
  const known = standing(named, text);
  return {
    ...placedValues(output, text, tally),
    obligations: placed(output.obligations, ({ obligation }) => obligation, text, tally).map(
      ({ output: { party: named, deadline: said }, place: { text: obligation, start, end } }) => {
        const party = knownOf(named, known);
        const deadline = knownOf(said, known);
        const date = deadline === null ? undefined : datesIn(deadline)[0];
        return { party, obligation, deadline, deadline_date: date?.date ?? null, start, end };
      },
    ),
    definitions: placed(output.definitions, ({ quote }) => quote, text, tally).map(
      ({ output: { term, meaning }, place: { start, end } }) => ({ term, meaning, start, end }),
    ),
  };
}

type Comparison = Pick<LegalComparison, 'similarity' | 'changes'> & { readonly truncated: boolean };

/** The model writes only the summary: rules find the differences exactly. */
interface ComparisonSummary {
  summary: string;
  comparison?: Comparison;
}

const CHANGES_MAX = 5_000;

const COMPARISON_PROMPT = new PromptFile('legal-comparison');

const COMPARISON_SCHEMA = schema.object({ summary: schema.text, quotes: schema.list(schema.text) });

function comparisonTask(before: string, after: string, threads: TextThreads): AnswerTask<ComparisonSummary> {
  return modelTask([before, after], {
    prompt: COMPARISON_PROMPT.fill({
      choices: { language: languageOf(after) },
      material: { before, after },
    }),
    name: 'legal_comparison',
    schema: COMPARISON_SCHEMA,
    check: ({ quotes }, isCut) =>
      quotes.length === 0 && oneLine(before.trim()) !== oneLine(after.trim()) && !isCut
        ? ['The texts differ; quote the sentences that do.']
        : [],
    read: ({ summary, quotes }, tally) => {
      placesOf(quotes, `${before}\n${after}`, tally);
      return { summary };
    },
    embedded: {
      method: 'sentence-diff',
      answer: async (signal) => {
        const found = await comparedTexts(before, after, threads, signal);
        return { summary: changesSummary(found), comparison: comparisonOf(found) };
      },
    },
  });
}

function comparedTexts(
  before: string,
  after: string,
  threads: TextThreads,
  signal: AbortSignal,
): Promise<TextChanges> {
  return threads.run(legalJobs.compareTexts, { before, after }, [before, after], signal);
}

function comparisonOf({ similarity, changes }: TextChanges): Comparison {
  return { similarity, truncated: changes.length > CHANGES_MAX, changes: changes.slice(0, CHANGES_MAX) };
}

function changesSummary({ changes }: TextChanges): string {
  if (changes.length === 0) {
    return 'The texts do not differ, but perhaps in white space.';
  }
  const count = (kind: string) => changes.filter((change) => change.kind === kind).length;
  const [changed, added, removed] = [count('changed'), count('added'), count('removed')];
  const verb = changed === 1 ? 'sentence was' : 'sentences were';
  const listed = changes.length > CHANGES_MAX ? ` The first ${CHANGES_MAX} changes are listed.` : '';
  return `${changed} ${verb} changed, ${added} added and ${removed} removed.${listed}`;
}

const SUMMARY = { name: 'legal_summary', prompt: new PromptFile('legal-summary') };

const DISCLAIMER = 'This answer was found automatically and is not legal advice.';

export const LegalModule = answeredModule(legalApi, {
  summarizeLegal: answered(
    async (call, { textOf, threads }) =>
      summaryTask(await textOf(call), call.body.sentences, SUMMARY, threads),
    (answer) => ({ ...answer, text: answer.summary, disclaimer: DISCLAIMER }),
  ),
  analyzeLegal: answered(
    async (call, { textOf, threads }) => analysisTask(await textOf(call), threads),
    (answer) => ({ ...answer, disclaimer: DISCLAIMER }),
  ),
  extractLegal: answered(
    async (call, { textOf, threads }) => factsTask(await textOf(call), threads),
    (answer) => ({ ...answer, disclaimer: DISCLAIMER }),
  ),
  compareLegal: answered(
    async ({ account, body }, { textOf, threads }) => {
      const before = await textOf({ account, body: body.before });
      return comparisonTask(before, await textOf({ account, body: body.after }), threads);
    },
    async ({ comparison = null, ...answer }, { account, body, signal }, { textOf, threads }) => {
      const compared = async () => {
        const before = await textOf({ account, body: body.before });
        const after = await textOf({ account, body: body.after });
        return comparisonOf(await comparedTexts(before, after, threads, signal));
      };
      const found = comparison ?? (await compared());
      const truncated = found.truncated || answer.truncated;
      return { ...found, ...answer, truncated, disclaimer: DISCLAIMER };
    },
  ),
});
