import type { AnswerTask } from '../../core/models/generation/answer-task';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import type { LintFinding } from '../../core/text/markdown/lint-finding';
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

export interface Improvement {
  suggestions: TextSuggestion[];
  more_suggestions: number;
  lint: LintFinding[];
  more_lint: number;
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

/**
 * The lint is found by rule whoever makes the suggestions.
 * @param audience for whom the page is; null where the caller has not said
 */
export async function improvementTask(
  text: string,
  audience: string | null,
  countMax: number,
  threads: TextThreads,
  signal: AbortSignal,
): Promise<AnswerTask<Improvement>> {
  const { lint, more: moreLint } = await threads.run('lintPage', text, [text], signal);
  const improvement = ({ suggestions, more }: ChosenSuggestions): Improvement => ({
    suggestions,
    more_suggestions: more,
    lint,
    more_lint: moreLint,
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
      answer: async (during) =>
        improvement(await threads.run('suggestPageStyle', { text, countMax }, [text], during)),
    },
    reads: [text],
  };
}
