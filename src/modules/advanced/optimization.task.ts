import type { OptimizationGoal, TextChangeMade } from '../../../generated/types';
import type { AnswerTask } from '../../core/models/generation/answer-task';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import type { StyleIssueType } from '../../core/text/analysis/style-issues';
import { changedText } from '../../core/text/analysis/tighten';
import { quoteFaults, quotePlaces } from '../../core/text/quotes-in';
import type { TextThreads } from '../../core/text/threads/text-threads';

export interface Optimization {
  text: string;
  changes: TextChangeMade[];
}

interface ToldChanges {
  readonly changes: readonly { readonly before: string; readonly after: string; readonly reason: string }[];
}

const MENDED: Readonly<Record<OptimizationGoal, readonly StyleIssueType[]>> = {
  concision: ['wordy_phrase'],
  repetition: ['repeated_word', 'duplicate_sentence'],
  spacing: ['spacing'],
  clarity: [],
};

const TEMPLATE = new PromptTemplate(
  'Improve this text without changing what it says:\n{{text}}\nGoals: {{goals}}. Give the changes to make: before is a part of the ' +
    'text, word for word and long enough to stand there only once; after is what shall stand there instead; reason is one sentence. ' +
    'Changes must not overlap. Give none where the text is good.',
);

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['changes'],
  properties: {
    changes: {
      type: 'array',
      maxItems: 200,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['before', 'after', 'reason'],
        properties: {
          before: { type: 'string', minLength: 1 },
          after: { type: 'string' },
          reason: { type: 'string', minLength: 1, maxLength: 1000 },
        },
      },
    },
  },
};

/** A better text and the changes that lead to it. A model names changes, and the service makes them. */
export function optimizationTask(
  text: string,
  goals: readonly OptimizationGoal[],
  threads: TextThreads,
): AnswerTask<Optimization> {
  const types = goals.flatMap((goal) => MENDED[goal]);
  return {
    question: {
      template: TEMPLATE,
      variables: { text, goals: goals.join(', ') },
      name: 'text_changes',
      schema: SCHEMA,
      check: (told: ToldChanges) => changeFaults(told, text),
      read: (told: ToldChanges) => madeChanges(told, text),
    },
    // What makes a sentence clear no rule knows.
    embedded: goals.includes('clarity')
      ? null
      : {
          method: 'style-rules',
          answer: (signal) => threads.run('tightenText', { text, types }, [text], signal),
        },
    reads: [text],
  };
}

function changeFaults({ changes }: ToldChanges, text: string): string[] {
  const missing = quoteFaults(
    changes.map(({ before }) => before),
    text,
  );
  if (missing.length > 0) {
    return missing;
  }
  const placed = placedChanges({ changes }, text);
  return placed
    .filter(({ start }, index) => start < (placed[index - 1]?.end ?? 0))
    .map(({ before }) => `This change overlaps another one: ${before.slice(0, 120)}`);
}

function madeChanges(told: ToldChanges, text: string): Optimization {
  const changes = placedChanges(told, text).filter(({ before, after }) => before !== after);
  return { text: changedText(text, changes), changes };
}

/** The changes in the text's order, with what really stands there as `before`. */
function placedChanges({ changes }: ToldChanges, text: string): TextChangeMade[] {
  const places = quotePlaces(
    changes.map(({ before }) => before),
    text,
  );
  return changes
    .flatMap(({ after, reason }, index) => {
      const place = places[index];
      return place ? [{ start: place.start, end: place.end, before: place.text, after, reason }] : [];
    })
    .sort((one, other) => one.start - other.start);
}
