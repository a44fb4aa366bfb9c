import type { LegalFacts } from '../../../generated/types';
import type { AnswerTask } from '../../core/models/generation/answer-task';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import { datesIn } from '../../core/text/analysis/dates';
import { quoteFaults } from '../../core/text/quotes-in';
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

const TEMPLATE = new PromptTemplate(
  `Extract the facts of this legal text:\n{{text}}\n${VALUES_PROMPT} Quote each obligation word for word, with the party that has ` +
    'it, null if the text names none, and the words of the obligation that say by when, null if none do. For each term that the ' +
    'text defines give its meaning and, as quote, the words that define it, word for word.',
);

const SCHEMA = objectOf({
  ...VALUES_SCHEMA,
  obligations: listOf({ party: WORDS_OR_NULL, obligation: WORDS, deadline: WORDS_OR_NULL }),
  definitions: listOf({ term: WORDS, meaning: WORDS, quote: WORDS }),
});

/** The embedded rules are for English; a text in another language has no answer without a model. */
export function factsTask(text: string, threads: TextThreads): AnswerTask<FoundFacts> {
  return {
    question: {
      template: TEMPLATE,
      variables: { text },
      name: 'legal_facts',
      schema: SCHEMA,
      check: (told: ToldFacts) => quoteFaults(quotesOf(told), text),
      read: (told: ToldFacts) => readFacts(told, text),
    },
    embedded: mayBeEnglish(text)
      ? { method: 'contract-rules', answer: (signal) => found(text, threads, signal) }
      : null,
    without: ENGLISH_ALONE,
    reads: [text],
  };
}

function quotesOf(told: ToldFacts): string[] {
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
  const { parties, obligations, ...rest } = await threads.run('findLegalFacts', text, [text], signal);
  return {
    ...rest,
    parties: parties.map((party) => ({ ...party, aliases: [...party.aliases] })),
    obligations: obligations.map(({ deadlineDate, ...obligation }) => ({
      ...obligation,
      deadline_date: deadlineDate,
    })),
  };
}
