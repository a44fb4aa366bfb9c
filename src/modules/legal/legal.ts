import { legalApi } from '../../../generated/contract';
import type {
  LegalAmount,
  LegalAnalysis,
  LegalComparison,
  LegalDate,
  LegalFacts,
  LegalParty,
} from '../../../generated/types';
import { answered, answeredModule } from '../../contract/answered-module';
import { type AnswerTask, inEnglishAlone } from '../../models/generation/model-task';
import {
  listOf,
  modelQuestion,
  objectOf,
  oneOf,
  orNull,
  type OutputOf,
  stringOf,
  TEXT,
} from '../../models/generation/output-schema';
import { PromptTemplate } from '../../models/generation/prompt-template';
import { placed, summaryTask } from '../../models/generation/quoted-output';
import { datesIn } from '../../text/dates';
import { quoteFaults, quotePlaces } from '../../text/quotes';
import type { TextThreads } from '../../text/text-threads';
import { wordList } from '../../text/word-list';
import { CLAUSE_TYPES } from './clauses';
import { legalJobs } from './legal.jobs';
import type { TextChanges } from './text-changes';

type FoundAnalysis = Omit<LegalAnalysis, 'disclaimer' | 'model' | 'usage'>;
type FoundFacts = Omit<LegalFacts, 'disclaimer' | 'model' | 'usage'>;

const DOCUMENT_TYPES = [
  ...wordList('non_disclosure_agreement employment_contract lease loan_agreement license_agreement'),
  ...wordList('purchase_agreement partnership_agreement data_processing_agreement service_agreement'),
  ...wordList('terms_of_service privacy_policy power_of_attorney will contract'),
];
const FOUND_MAX = { maxItems: 1_000 };
const ISO_DATE = stringOf({ pattern: '^\\d{4}(-\\d{2}){0,2}$' });
const TEXT_OR_NULL = orNull(stringOf());

const VALUES = {
  parties: listOf(objectOf({ name: TEXT, role: TEXT_OR_NULL, aliases: listOf(TEXT) }), FOUND_MAX),
  dates: listOf(objectOf({ text: TEXT, date: orNull(ISO_DATE) }), FOUND_MAX),
  amounts: listOf(
    objectOf({
      text: TEXT,
      amount: stringOf({ pattern: '^\\d+(\\.\\d+)?$' }),
      currency: orNull(stringOf({ pattern: '^[A-Z]{3}$' })),
    }),
    FOUND_MAX,
  ),
};
type ValuesOutput = { [Name in keyof typeof VALUES]: OutputOf<(typeof VALUES)[Name]> };

const VALUES_PROMPT =
  'Name the parties as the text writes them, with their role and the short names that the text gives them. Quote each date and ' +
  'each amount of money word for word, and give dates in ISO 8601, amounts as decimal numbers and currencies in ISO 4217.';

/** All that has to stand in the text word for word. */
function quotedValues({ parties, dates, amounts }: ValuesOutput): string[] {
  return [
    ...parties.flatMap(({ name, aliases }) => [name, ...aliases]),
    ...[...dates, ...amounts].map(({ text }) => text),
  ];
}

function placedValues(
  { parties, dates, amounts }: ValuesOutput,
  text: string,
): { parties: LegalParty[]; dates: LegalDate[]; amounts: LegalAmount[] } {
  return {
    parties: placed(parties, ({ name }) => name, text).map(({ output, place: { start, end } }) => ({
      ...{ ...output, start, end },
    })),
    dates: placed(dates, (date) => date.text, text).map(({ output: { date }, place }) => ({
      ...place,
      date,
    })),
    amounts: placed(amounts, (amount) => amount.text, text).map(
      ({ output: { amount, currency }, place }) => ({ ...place, amount, currency }),
    ),
  };
}

const ANALYSIS_TEMPLATE = new PromptTemplate(
  `Analyze this legal text:\n{{text}}\n${VALUES_PROMPT} Give the type of the document, null if it is no legal document. For each ` +
    'clause give its type, its heading, null if it has none, as quote the words of it that matter most, word for word, its risk ' +
    'for one of the parties, and an explanation in the language of the text. As missing_clauses give the types of clauses that ' +
    'such documents usually have and this one has not, null if the type is not known. As governing_law give the law and, as ' +
    'quote, the sentence that names it, null if none does.',
);

const ANALYSIS_SCHEMA = objectOf({
  document_type: orNull(oneOf(DOCUMENT_TYPES)),
  ...VALUES,
  clauses: listOf(
    objectOf({
      type: oneOf(CLAUSE_TYPES),
      heading: TEXT_OR_NULL,
      quote: TEXT,
      risk: oneOf(['low', 'medium', 'high']),
      explanation: TEXT,
    }),
    FOUND_MAX,
  ),
  missing_clauses: orNull(listOf(oneOf(CLAUSE_TYPES))),
  governing_law: orNull(objectOf({ law: TEXT, quote: TEXT })),
});
type AnalysisOutput = OutputOf<typeof ANALYSIS_SCHEMA>;

function analysisTask(text: string, threads: TextThreads): AnswerTask<FoundAnalysis> {
  return {
    question: modelQuestion({
      template: ANALYSIS_TEMPLATE,
      variables: { text },
      name: 'legal_analysis',
      schema: ANALYSIS_SCHEMA,
      check: (output) => quoteFaults(analysisQuotes(output), text),
      read: (output) => placedAnalysis(output, text),
    }),
    ...inEnglishAlone(text, {
      method: 'contract-rules',
      answer: async (signal) => {
        const found = await threads.run(legalJobs.analyzeLegalText, text, [text], signal);
        const { clauses, governingLaw, parties, ...rest } = found;
        return {
          ...rest,
          document_type: null,
          parties: parties.map((party) => ({ ...party, aliases: [...party.aliases] })),
          clauses: clauses.map((clause) => ({ ...clause, risk: null, explanation: null })),
          missing_clauses: null,
          governing_law: governingLaw,
        };
      },
    }),
    reads: [text],
  };
}

function analysisQuotes(output: AnalysisOutput): string[] {
  const { clauses, governing_law: law } = output;
  return [
    ...quotedValues(output),
    ...clauses.flatMap(({ quote, heading }) => (heading === null ? [quote] : [quote, heading])),
    ...(law === null ? [] : [law.quote]),
  ];
}

function placedAnalysis(output: AnalysisOutput, text: string): FoundAnalysis {
  const { document_type, missing_clauses, governing_law: law } = output;
  const [place] = law === null ? [null] : quotePlaces([law.quote], text);
  const clauses = placed(output.clauses, ({ quote }) => quote, text).map(
    ({ output: { type, heading, risk, explanation }, place: { start, end } }) => ({
      ...{ type, heading, start, end, risk, explanation },
    }),
  );
  return {
    document_type,
    ...placedValues(output, text),
    clauses,
    missing_clauses,
    governing_law: law && place ? { law: law.law, ...place } : null,
  };
}

const FACTS_TEMPLATE = new PromptTemplate(
  `Extract the facts of this legal text:\n{{text}}\n${VALUES_PROMPT} Quote each obligation word for word, with the party that has ` +
    'it, null if the text names none, and the words of the obligation that say by when, null if none do. For each term that the ' +
    'text defines give its meaning and, as quote, the words that define it, word for word.',
);

const FACTS_SCHEMA = objectOf({
  ...VALUES,
  obligations: listOf(objectOf({ party: TEXT_OR_NULL, obligation: TEXT, deadline: TEXT_OR_NULL }), FOUND_MAX),
  definitions: listOf(objectOf({ term: TEXT, meaning: TEXT, quote: TEXT }), FOUND_MAX),
});
type FactsOutput = OutputOf<typeof FACTS_SCHEMA>;

function factsTask(text: string, threads: TextThreads): AnswerTask<FoundFacts> {
  return {
    question: modelQuestion({
      template: FACTS_TEMPLATE,
      variables: { text },
      name: 'legal_facts',
      schema: FACTS_SCHEMA,
      check: (output) => quoteFaults(factsQuotes(output), text),
      read: (output) => placedFacts(output, text),
    }),
    ...inEnglishAlone(text, {
      method: 'contract-rules',
      answer: async (signal) => {
        const found = await threads.run(legalJobs.findLegalFacts, text, [text], signal);
        const { parties, ...rest } = found;
        return {
          ...rest,
          parties: parties.map((party) => ({ ...party, aliases: [...party.aliases] })),
          obligations: null,
        };
      },
    }),
    reads: [text],
  };
}

function factsQuotes(output: FactsOutput): string[] {
  return [
    ...quotedValues(output),
    ...output.obligations.flatMap(({ party, obligation, deadline }) =>
      [party, obligation, deadline].filter((quote) => quote !== null),
    ),
    ...output.definitions.flatMap(({ term, quote }) => [term, quote]),
  ];
}

function placedFacts(output: FactsOutput, text: string): FoundFacts {
  return {
    ...placedValues(output, text),
    obligations: placed(output.obligations, ({ obligation }) => obligation, text).map(
      ({ output: { party, deadline }, place: { text: obligation, start, end } }) => {
        const date = deadline === null ? undefined : datesIn(deadline)[0];
        return { party, obligation, deadline, deadline_date: date?.date ?? null, start, end };
      },
    ),
    definitions: placed(output.definitions, ({ quote }) => quote, text).map(
      ({ output: { term, meaning }, place: { start, end } }) => ({ term, meaning, start, end }),
    ),
  };
}

type Comparison = Pick<LegalComparison, 'similarity' | 'changes'>;

/** A model writes the summary only: what differs is found by rule, exactly, whoever writes it. */
interface ComparisonSummary {
  summary: string;
  comparison?: Comparison;
}

/** The most changes that are listed. */
const CHANGES_MAX = 5_000;

const COMPARISON_TEMPLATE = new PromptTemplate(
  'Two versions of a legal text follow. The one before:\n{{before}}\nThe one after:\n{{after}}\nSummarize in plain words, in the ' +
    'language of the texts, what changed and what that means for each party. Add nothing that does not stand there. As quotes ' +
    'give the sentences of either text that your summary rests on, word for word; none if the texts are the same.',
);

const COMPARISON_SCHEMA = objectOf({ summary: TEXT, quotes: listOf(TEXT) });

function comparisonTask(before: string, after: string, threads: TextThreads): AnswerTask<ComparisonSummary> {
  return {
    question: modelQuestion({
      template: COMPARISON_TEMPLATE,
      variables: { before, after },
      name: 'legal_comparison',
      schema: COMPARISON_SCHEMA,
      check: ({ quotes }) => comparisonFaults(quotes, before, after),
      read: ({ summary }) => ({ summary }),
    }),
    embedded: {
      method: 'sentence-diff',
      answer: async (signal) => {
        const found = await comparedTexts(before, after, threads, signal);
        return { summary: changesSummary(found), comparison: comparisonOf(found) };
      },
    },
    reads: [before, after],
  };
}

function comparedTexts(
  before: string,
  after: string,
  threads: TextThreads,
  signal: AbortSignal,
): Promise<TextChanges> {
  return threads.run(legalJobs.compareTexts, { before, after }, [before, after], signal);
}

/** A quote is a fault where neither text has it. A summary of texts that differ rests on at least one. */
function comparisonFaults(quotes: readonly string[], before: string, after: string): string[] {
  const missing = new Set(quoteFaults(quotes, after));
  const faults = quoteFaults(quotes, before).filter((fault) => missing.has(fault));
  return quotes.length === 0 && before !== after
    ? ['The texts differ; quote the sentences that do.']
    : faults;
}

function comparisonOf({ similarity, changes }: TextChanges): Comparison {
  return {
    similarity,
    changes: changes.slice(0, CHANGES_MAX).map(({ kind, before, after, ...places }) => ({
      ...{ kind, before, after },
      before_start: places.beforeStart,
      before_end: places.beforeEnd,
      after_start: places.afterStart,
      after_end: places.afterEnd,
    })),
  };
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

const SUMMARY = {
  name: 'legal_summary',
  template: new PromptTemplate(
    'Summarize this legal text in plain words, in at most {{sentences}} sentences and in the language of the text:\n{{text}}\n' +
      'Add nothing that does not stand in it. As key_points give the sentences of the text that your summary rests on, word for ' +
      'word.',
  ),
};

/** Stands in every answer on a legal text. */
const DISCLAIMER = 'This answer was found automatically and is not legal advice.';

export const LegalModule = answeredModule(legalApi, {
  summarizeLegal: answered(
    async (call, { textOf, threads }) =>
      summaryTask(await textOf(call), call.body.sentences, SUMMARY, threads),
    (answer) => ({ ...answer, disclaimer: DISCLAIMER }),
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
      if (comparison !== null) {
        return { ...comparison, ...answer, disclaimer: DISCLAIMER };
      }
      const before = await textOf({ account, body: body.before });
      const after = await textOf({ account, body: body.after });
      const found = comparisonOf(await comparedTexts(before, after, threads, signal));
      return { ...found, ...answer, disclaimer: DISCLAIMER };
    },
  ),
});
