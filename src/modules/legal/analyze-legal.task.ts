import type { LegalAnalysis } from '../../../generated/types';
import type { AnswerTask } from '../../core/models/generation/answer-task';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import { CLAUSE_TYPES } from '../../core/text/legal/clause-types';
import { DOCUMENT_TYPES } from '../../core/text/legal/document-types';
import { quoteFaults, quotePlaces } from '../../core/text/quotes-in';
import { ENGLISH_ALONE, mayBeEnglish } from '../../core/text/language/detect-language';
import type { TextThreads } from '../../core/text/threads/text-threads';
import {
  listOf,
  objectOf,
  quotedValues,
  readValues,
  VALUES_PROMPT,
  VALUES_SCHEMA,
  WORDS,
  WORDS_OR_NULL,
  type ToldValues,
} from './told-facts';
import { placed } from './told-places';

export type FoundAnalysis = Omit<LegalAnalysis, 'disclaimer' | 'model' | 'usage'>;

interface ToldAnalysis extends ToldValues {
  readonly document_type: FoundAnalysis['document_type'];
  readonly clauses: readonly (Omit<FoundAnalysis['clauses'][number], 'start' | 'end'> & {
    readonly quote: string;
  })[];
  readonly missing_clauses: FoundAnalysis['missing_clauses'];
  readonly governing_law: { readonly law: string; readonly quote: string } | null;
}

const TEMPLATE = new PromptTemplate(
  `Analyze this legal text:\n{{text}}\n${VALUES_PROMPT} Give the type of the document, null if it is no legal document. For each ` +
    'clause give its type, its heading, null if it has none, as quote the words of it that matter most, word for word, its risk ' +
    'for one of the parties, and an explanation in the language of the text. As missing_clauses give the types of clauses that ' +
    'such documents usually have and this one has not, null if the type is not known. As governing_law give the law and, as ' +
    'quote, the sentence that names it, null if none does.',
);

const CLAUSE_TYPE = { type: 'string', enum: CLAUSE_TYPES };
const SCHEMA = objectOf({
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
      template: TEMPLATE,
      variables: { text },
      name: 'legal_analysis',
      schema: SCHEMA,
      check: (told: ToldAnalysis) => quoteFaults(quotesOf(told), text),
      read: (told: ToldAnalysis) => readAnalysis(told, text),
    },
    embedded: mayBeEnglish(text)
      ? { method: 'contract-rules', answer: (signal) => analyzed(text, threads, signal) }
      : null,
    without: ENGLISH_ALONE,
    reads: [text],
  };
}

function quotesOf(told: ToldAnalysis): string[] {
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
  const found = await threads.run('analyzeLegalText', text, [text], signal);
  const { documentType, missingClauses, governingLaw, parties, ...rest } = found;
  return {
    ...rest,
    document_type: documentType,
    parties: parties.map((party) => ({ ...party, aliases: [...party.aliases] })),
    missing_clauses: missingClauses,
    governing_law: governingLaw,
  };
}
