import type { OptimizedText } from '../../../generated/types';
import type { AnswerTask } from '../../core/models/generation/answer-task';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import { withoutOverlaps } from '../../core/text/analysis/places';
import type { StyleIssueType } from '../../core/text/analysis/style-issues';
import { changedText } from '../../core/text/analysis/tighten';
import { quoteFaults, quotePlaces } from '../../core/text/quotes-in';
import { ENGLISH_ALONE, mayBeEnglish } from '../../core/text/language/detect-language';
import type { TextThreads } from '../../core/text/threads/text-threads';

/** The measures of both texts are taken afterwards, whoever proposed the changes. */
export type Optimized = Pick<OptimizedText, 'text' | 'changes'>;

interface ToldChanges {
  readonly changes: readonly { readonly before: string; readonly after: string; readonly reason: string }[];
}

/** Faults that can be mended without changing what the text says. */
const SAFE_TYPES: readonly StyleIssueType[] = [
  'wordy_phrase',
  'repeated_word',
  'duplicate_sentence',
  'spacing',
];

const TEMPLATE = new PromptTemplate(
  'Improve the wording of this professional text, so that it is clear, correct and short, and says the same:\n{{text}}\nGive the ' +
    'changes only. Each has as before the words to replace, word for word and so many that they occur once in the text, as after ' +
    'what stands there instead, empty if they can go, and the reason in the language of the text. Changes do not overlap. Keep ' +
    'names, numbers, dates and amounts.',
);

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['changes'],
  properties: {
    changes: {
      type: 'array',
      maxItems: 1_000,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['before', 'after', 'reason'],
        properties: {
          before: { type: 'string', minLength: 1 },
          after: { type: 'string' },
          reason: { type: 'string', minLength: 1 },
        },
      },
    },
  },
};

/**
 * A model proposes changes and never the text: so all that the answer has beside them stood in the text that was given. The
 * embedded rules are for English; a text in another language has no answer without a model.
 */
export function optimizationTask(text: string, threads: TextThreads): AnswerTask<Optimized> {
  return {
    question: {
      template: TEMPLATE,
      variables: { text },
      name: 'changes',
      schema: SCHEMA,
      check: (told: ToldChanges) => faultsOf(told, text),
      read: (told: ToldChanges) => editedBy(told, text),
    },
    embedded: mayBeEnglish(text)
      ? { method: 'style-rules', answer: (signal) => tightened(text, threads, signal) }
      : null,
    without: ENGLISH_ALONE,
    reads: [text],
  };
}

function faultsOf(told: ToldChanges, text: string): string[] {
  const { changes } = told;
  const missing = quoteFaults(
    changes.map(({ before }) => before),
    text,
  );
  if (missing.length > 0) {
    return missing;
  }
  const idle = changes.filter(({ before, after }) => before === after).length;
  const { changes: made } = editedBy(told, text);
  return made.length < changes.length - idle ? ['Some changes overlap or replace the same words twice.'] : [];
}

function editedBy({ changes }: ToldChanges, text: string): Optimized {
  const places = quotePlaces(
    changes.map(({ before }) => before),
    text,
  );
  const edits = changes.flatMap(({ before, after, reason }, index) => {
    const place = places[index];
    return place && before !== after
      ? [{ start: place.start, end: place.end, before: place.text, after, reason }]
      : [];
  });
  const made = withoutOverlaps(edits);
  return { text: changedText(text, made), changes: made };
}

async function tightened(text: string, threads: TextThreads, signal: AbortSignal): Promise<Optimized> {
  const found = await threads.run('tightenText', { text, types: SAFE_TYPES }, [text], signal);
  const changes = found.changes.map(({ start, end, before, after, reason }) => ({
    ...{ start, end, before, after, reason },
  }));
  return { text: found.text, changes };
}
