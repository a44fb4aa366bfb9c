import type { LegalAmount, LegalAnalysis, LegalDate, LegalFacts, LegalParty } from '../../../generated/types';
import type { AnswerTask } from '../../models/generation/model-task';
import { PromptTemplate } from '../../models/generation/prompt-template';
import { datesIn } from '../../text/dates';
import { ENGLISH_ALONE, mayBeEnglish } from '../../text/detect-language';
import { type Quote, quoteFaults, quotePlaces } from '../../text/quotes';
import type { TextThreads } from '../../text/text-threads';
import { CLAUSE_TYPES } from './clause-types';
import { DOCUMENT_TYPES } from './document-terms';
import { legalJobs } from './legal.jobs';

/** Things that a model told, each with where the words stand in the text that it was told from. */
type Placed<Told> = Told & { readonly place: Quote };

/**
 * Finds the words that a model quoted again in the text. What is not there is left out, which `check` has made sure of.
 * @returns in the order of the text
 */
function placed<Told>(told: readonly Told[], quoteOf: (each: Told) => string, text: string): Placed<Told>[] {
  const places = quotePlaces(told.map(quoteOf), text);
  return told
    .flatMap((each, index) => {
      const place = places[index];
      return place ? [{ ...each, place }] : [];
    })
    .sort((one, other) => one.place.start - other.place.start);
}

/** What a model tells of the parties, dates and amounts of a text, by quotes. */
interface ToldValues {
  readonly parties: readonly {
    readonly name: string;
    readonly role: string | null;
    readonly aliases: string[];
  }[];
  readonly dates: readonly { readonly text: string; readonly date: string | null }[];
  readonly amounts: readonly {
    readonly text: string;
    readonly amount: string;
    readonly currency: string | null;
  }[];
}

interface Values {
  parties: LegalParty[];
  dates: LegalDate[];
  amounts: LegalAmount[];
}

const WORDS = { type: 'string', minLength: 1 } as const;
const WORDS_OR_NULL = { type: ['string', 'null'] } as const;
const ISO_DATE = { type: ['string', 'null'], pattern: '^\\d{4}(-\\d{2}){0,2}$' } as const;

/** A JSON Schema of a list of objects whose fields are all required, as strict models want it. */
function listOf(properties: Readonly<Record<string, object>>) {
  return { type: 'array', maxItems: 1_000, items: objectOf(properties) };
}

function objectOf(properties: Readonly<Record<string, object>>) {
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
}

const VALUES_SCHEMA = {
  parties: listOf({ name: WORDS, role: WORDS_OR_NULL, aliases: { type: 'array', items: WORDS } }),
  dates: listOf({ text: WORDS, date: ISO_DATE }),
  amounts: listOf({
    text: WORDS,
    amount: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
    currency: { type: ['string', 'null'], pattern: '^[A-Z]{3}$' },
  }),
};

const VALUES_PROMPT =
  'Name the parties as the text writes them, with their role and the short names that the text gives them. Quote each date and ' +
  'each amount of money word for word, and give dates in ISO 8601, amounts as decimal numbers and currencies in ISO 4217.';

/** All that has to stand in the text word for word. */
function quotedValues({ parties, dates, amounts }: ToldValues): string[] {
  return [
    ...parties.flatMap(({ name, aliases }) => [name, ...aliases]),
    ...[...dates, ...amounts].map(({ text }) => text),
  ];
}

function readValues(told: ToldValues, text: string): Values {
  return {
    parties: placed(told.parties, ({ name }) => name, text).map(({ place, ...party }) => ({
      ...party,
      start: place.start,
      end: place.end,
    })),
    dates: placed(told.dates, (date) => date.text, text).map(({ place, date }) => ({ ...place, date })),
    amounts: placed(told.amounts, (amount) => amount.text, text).map(({ place, amount, currency }) => ({
      ...place,
      amount,
      currency,
    })),
  };
}

export type FoundAnalysis = Omit<LegalAnalysis, 'disclaimer' | 'model' | 'usage'>;

interface ToldAnalysis extends ToldValues {
  readonly document_type: FoundAnalysis['document_type'];
  readonly clauses: readonly (Omit<FoundAnalysis['clauses'][number], 'start' | 'end'> & {
    readonly quote: string;
  })[];
  readonly missing_clauses: FoundAnalysis['missing_clauses'];
  readonly governing_law: { readonly law: string; readonly quote: string } | null;
}

const ANALYSIS_TEMPLATE = new PromptTemplate(
  `Analyze this legal text:\n{{text}}\n${VALUES_PROMPT} Give the type of the document, null if it is no legal document. For each ` +
    'clause give its type, its heading, null if it has none, as quote the words of it that matter most, word for word, its risk ' +
    'for one of the parties, and an explanation in the language of the text. As missing_clauses give the types of clauses that ' +
    'such documents usually have and this one has not, null if the type is not known. As governing_law give the law and, as ' +
    'quote, the sentence that names it, null if none does.',
);

const CLAUSE_TYPE = { type: 'string', enum: CLAUSE_TYPES };
const ANALYSIS_SCHEMA = objectOf({
  document_type: { type: ['string', 'null'], enum: [...DOCUMENT_TYPES, null] },
  ...VALUES_SCHEMA,
  clauses: listOf({
    type: CLAUSE_TYPE,
    heading: WORDS_OR_NULL,
    quote: WORDS,
    risk: { type: 'string', enum: ['low', 'medium', 'high'] },
    explanation: WORDS,
  }),
  missing_clauses: { type: ['array', 'null'], items: CLAUSE_TYPE },
  governing_law: { anyOf: [objectOf({ law: WORDS, quote: WORDS }), { type: 'null' }] },
});

/** The embedded rules are for English; a text in another language has no answer without a model. */
export function analysisTask(text: string, threads: TextThreads): AnswerTask<FoundAnalysis> {
  return {
    question: {
      template: ANALYSIS_TEMPLATE,
      variables: { text },
      name: 'legal_analysis',
      schema: ANALYSIS_SCHEMA,
      check: (told: ToldAnalysis) => quoteFaults(analysisQuotes(told), text),
      read: (told: ToldAnalysis) => readAnalysis(told, text),
    },
    embedded: mayBeEnglish(text)
      ? { method: 'contract-rules', answer: (signal) => analyzed(text, threads, signal) }
      : null,
    without: ENGLISH_ALONE,
    reads: [text],
  };
}

function analysisQuotes(told: ToldAnalysis): string[] {
  const { clauses, governing_law: law } = told;
  return [
    ...quotedValues(told),
    ...clauses.flatMap(({ quote, heading }) => (heading === null ? [quote] : [quote, heading])),
    ...(law === null ? [] : [law.quote]),
  ];
}

function readAnalysis(told: ToldAnalysis, text: string): FoundAnalysis {
  const { document_type, missing_clauses, governing_law: law } = told;
  const [place] = law === null ? [null] : quotePlaces([law.quote], text);
  const clauses = placed(told.clauses, ({ quote }) => quote, text).map(
    ({ type, heading, risk, explanation, place: { start, end } }) => ({
      ...{ type, heading, start, end, risk, explanation },
    }),
  );
  return {
    document_type,
    ...readValues(told, text),
    clauses,
    missing_clauses,
    governing_law: law && place ? { law: law.law, ...place } : null,
  };
}

async function analyzed(text: string, threads: TextThreads, signal: AbortSignal): Promise<FoundAnalysis> {
  const found = await threads.run(legalJobs.analyzeLegalText, text, [text], signal);
  const { documentType, missingClauses, governingLaw, parties, ...rest } = found;
  return {
    ...rest,
    document_type: documentType,
    parties: parties.map((party) => ({ ...party, aliases: [...party.aliases] })),
    missing_clauses: missingClauses,
    governing_law: governingLaw,
  };
}

export type FoundFacts = Omit<LegalFacts, 'disclaimer' | 'model' | 'usage'>;

interface ToldFacts extends ToldValues {
  readonly obligations: readonly {
    readonly party: string | null;
    readonly obligation: string;
    readonly deadline: string | null;
  }[];
  readonly definitions: readonly {
    readonly term: string;
    readonly meaning: string;
    readonly quote: string;
  }[];
}

const FACTS_TEMPLATE = new PromptTemplate(
  `Extract the facts of this legal text:\n{{text}}\n${VALUES_PROMPT} Quote each obligation word for word, with the party that has ` +
    'it, null if the text names none, and the words of the obligation that say by when, null if none do. For each term that the ' +
    'text defines give its meaning and, as quote, the words that define it, word for word.',
);

const FACTS_SCHEMA = objectOf({
  ...VALUES_SCHEMA,
  obligations: listOf({ party: WORDS_OR_NULL, obligation: WORDS, deadline: WORDS_OR_NULL }),
  definitions: listOf({ term: WORDS, meaning: WORDS, quote: WORDS }),
});

/** The embedded rules are for English; a text in another language has no answer without a model. */
export function factsTask(text: string, threads: TextThreads): AnswerTask<FoundFacts> {
  return {
    question: {
      template: FACTS_TEMPLATE,
      variables: { text },
      name: 'legal_facts',
      schema: FACTS_SCHEMA,
      check: (told: ToldFacts) => quoteFaults(factsQuotes(told), text),
      read: (told: ToldFacts) => readFacts(told, text),
    },
    embedded: mayBeEnglish(text)
      ? { method: 'contract-rules', answer: (signal) => found(text, threads, signal) }
      : null,
    without: ENGLISH_ALONE,
    reads: [text],
  };
}

function factsQuotes(told: ToldFacts): string[] {
  return [
    ...quotedValues(told),
    ...told.obligations.flatMap(({ party, obligation, deadline }) =>
      [party, obligation, deadline].filter((quote) => quote !== null),
    ),
    ...told.definitions.flatMap(({ term, quote }) => [term, quote]),
  ];
}

function readFacts(told: ToldFacts, text: string): FoundFacts {
  return {
    ...readValues(told, text),
    obligations: placed(told.obligations, ({ obligation }) => obligation, text).map(
      ({ party, deadline, place: { text: obligation, start, end } }) => {
        const date = deadline === null ? undefined : datesIn(deadline)[0];
        return { party, obligation, deadline, deadline_date: date?.date ?? null, start, end };
      },
    ),
    definitions: placed(told.definitions, ({ quote }) => quote, text).map(
      ({ term, meaning, place: { start, end } }) => ({ term, meaning, start, end }),
    ),
  };
}

async function found(text: string, threads: TextThreads, signal: AbortSignal): Promise<FoundFacts> {
  const { parties, obligations, ...rest } = await threads.run(legalJobs.findLegalFacts, text, [text], signal);
  return {
    ...rest,
    parties: parties.map((party) => ({ ...party, aliases: [...party.aliases] })),
    obligations: obligations.map(({ deadlineDate, ...obligation }) => ({
      ...obligation,
      deadline_date: deadlineDate,
    })),
  };
}
