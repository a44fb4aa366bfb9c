import type { LintFinding } from '../../core/text/markdown/lint-finding';
import type { AnswerTask } from '../../core/models/generation/answer-task';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import {
  chooseSuggestions,
  type ChosenSuggestions,
  type TextSuggestion,
} from '../../core/text/suggestions/text-suggestion';
import {
  placedSuggestions,
  TOLD_SUGGESTIONS,
  toldSuggestionFaults,
  type ToldSuggestion,
} from '../../core/text/suggestions/told-suggestions';
import type { TextThreads } from '../../core/text/threads/text-threads';

/** The faults of a page that rules find. */
export interface PageLint {
  lint: LintFinding[];
  more_lint: number;
}

/** The lint is absent where a model made the suggestions: its answer is had before any rule is run. */
export interface Improvement extends Partial<PageLint> {
  suggestions: TextSuggestion[];
  more_suggestions: number;
}

interface Told {
  readonly suggestions: readonly ToldSuggestion[];
}

const ASKED =
  'This is a page of documentation in Markdown:\n{{text}}\n' +
  'Suggest at most {{count}} places where it could be clearer, shorter or more complete for its readers. As quote give the words ' +
  'of the place exactly as they stand there, Markdown included, enough of them that they stand there only once. As replacement ' +
  'give what could stand there, or null where only its author knows. As reason say why in one sentence. Add no fact of your ' +
  'own, leave code alone, and do not suggest two changes of the same words.';
const TEMPLATE = new PromptTemplate(ASKED);
const TEMPLATE_FOR_AUDIENCE = new PromptTemplate(`${ASKED} The page is for:\n{{audience}}`);

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['suggestions'],
  properties: { suggestions: TOLD_SUGGESTIONS },
};

/** @param audience for whom the page is; null where the caller has not said */
export function improvementTask(
  text: string,
  audience: string | null,
  countMax: number,
  threads: TextThreads,
): AnswerTask<Improvement> {
  const improvement = ({ suggestions, more }: ChosenSuggestions): Improvement => ({
    suggestions,
    more_suggestions: more,
  });
  const asked = { text, count: String(countMax) };
  return {
    question: {
      template: audience === null ? TEMPLATE : TEMPLATE_FOR_AUDIENCE,
      variables: audience === null ? asked : { ...asked, audience },
      name: 'page_suggestions',
      schema: SCHEMA,
      check: ({ suggestions }: Told) => toldSuggestionFaults(suggestions, text),
      read: ({ suggestions }: Told) =>
        improvement(chooseSuggestions(placedSuggestions(suggestions, text), countMax)),
    },
    embedded: {
      method: 'markdown-lint',
      answer: async (signal) => ({
        ...improvement(await threads.run('suggestPageStyle', { text, countMax }, [text], signal)),
        ...(await lintOf(text, threads, signal)),
      }),
    },
    reads: [text],
  };
}

/** The lint of a page, which is found by rule whoever makes the suggestions. */
export async function lintOf(text: string, threads: TextThreads, signal: AbortSignal): Promise<PageLint> {
  const { lint, more } = await threads.run('lintPage', text, [text], signal);
  return { lint, more_lint: more };
}
