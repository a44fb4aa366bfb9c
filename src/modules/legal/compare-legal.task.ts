import type { LegalComparison } from '../../../generated/types';
import type { AnswerTask } from '../../core/models/generation/answer-task';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import type { TextChanges } from '../../core/text/diff/text-changes';
import { quoteFaults } from '../../core/text/quotes-in';
import type { TextThreads } from '../../core/text/threads/text-threads';

export type Comparison = Pick<LegalComparison, 'similarity' | 'changes'>;

/** A model writes the summary only: what differs is found by rule, exactly, whoever writes it. */
export interface ComparisonSummary {
  summary: string;
  comparison?: Comparison;
}

interface ToldComparison {
  readonly summary: string;
  readonly quotes: readonly string[];
}

/** The most changes that are listed. */
const CHANGES_MAX = 5_000;

const TEMPLATE = new PromptTemplate(
  'Two versions of a legal text follow. The one before:\n{{before}}\nThe one after:\n{{after}}\nSummarize in plain words, in the ' +
    'language of the texts, what changed and what that means for each party. Add nothing that does not stand there. As quotes ' +
    'give the sentences of either text that your summary rests on, word for word; none if the texts are the same.',
);

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['summary', 'quotes'],
  properties: {
    summary: { type: 'string', minLength: 1 },
    quotes: { type: 'array', items: { type: 'string', minLength: 1 } },
  },
};

export function comparisonTask(
  before: string,
  after: string,
  threads: TextThreads,
): AnswerTask<ComparisonSummary> {
  return {
    question: {
      template: TEMPLATE,
      variables: { before, after },
      name: 'legal_comparison',
      schema: SCHEMA,
      check: (told: ToldComparison) => faultsOf(told, before, after),
      read: ({ summary }: ToldComparison) => ({ summary }),
    },
    embedded: {
      method: 'sentence-diff',
      answer: async (signal) => {
        const found = await compareTexts(before, after, threads, signal);
        return { summary: summaryOf(found), comparison: comparisonOf(found) };
      },
    },
    reads: [before, after],
  };
}

/** Throws what TextThreads.run throws. */
export async function compared(
  before: string,
  after: string,
  threads: TextThreads,
  signal: AbortSignal,
): Promise<Comparison> {
  return comparisonOf(await compareTexts(before, after, threads, signal));
}

function compareTexts(
  before: string,
  after: string,
  threads: TextThreads,
  signal: AbortSignal,
): Promise<TextChanges> {
  return threads.run('compareTexts', { before, after }, [before, after], signal);
}

/** A quote is a fault where neither text has it. A summary of texts that differ rests on at least one. */
function faultsOf({ quotes }: ToldComparison, before: string, after: string): string[] {
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

function summaryOf({ changes }: TextChanges): string {
  if (changes.length === 0) {
    return 'The texts do not differ, but perhaps in white space.';
  }
  const count = (kind: string) => changes.filter((change) => change.kind === kind).length;
  const [changed, added, removed] = [count('changed'), count('added'), count('removed')];
  const verb = changed === 1 ? 'sentence was' : 'sentences were';
  const listed = changes.length > CHANGES_MAX ? ` The first ${CHANGES_MAX} changes are listed.` : '';
  return `${changed} ${verb} changed, ${added} added and ${removed} removed.${listed}`;
}
