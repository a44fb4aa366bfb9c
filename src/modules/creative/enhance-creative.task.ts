import type { AnswerTask } from '../../core/models/generation/answer-task';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import { chooseSuggestions, type ChosenSuggestions } from '../../core/text/suggestions/text-suggestion';
import {
  placedSuggestions,
  toldSuggestionFaults,
  TOLD_SUGGESTIONS,
  type ToldSuggestion,
} from '../../core/text/suggestions/told-suggestions';
import type { TextThreads } from '../../core/text/threads/text-threads';

export type Suggestions = ChosenSuggestions;

interface Told {
  readonly suggestions: readonly ToldSuggestion[];
}

const ASKED =
  'This is the draft of a creative text:\n{{text}}\n' +
  'Suggest at most {{count}} places where it could be better: images, rhythm, tension, voice, worn phrases. As quote give ' +
  'the words of the place exactly as they stand in the draft, enough of them that they stand there only once. As replacement ' +
  'give what could stand there, in the language and the voice of the draft, or null where only its author can decide. As ' +
  'reason say why in one sentence. Keep what is good, and do not suggest two changes of the same words.';
const TEMPLATE = new PromptTemplate(ASKED);
const TEMPLATE_WITH_GOAL = new PromptTemplate(`${ASKED} What the author wants is:\n{{goal}}`);

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['suggestions'],
  properties: { suggestions: TOLD_SUGGESTIONS },
};

/** @param goal what the draft should become; null where the author has not said */
export function enhancementTask(
  text: string,
  goal: string | null,
  countMax: number,
  threads: TextThreads,
): AnswerTask<Suggestions> {
  const asked = { text, count: String(countMax) };
  return {
    question: {
      template: goal === null ? TEMPLATE : TEMPLATE_WITH_GOAL,
      variables: goal === null ? asked : { ...asked, goal },
      name: 'draft_suggestions',
      schema: SCHEMA,
      check: ({ suggestions }: Told) => toldSuggestionFaults(suggestions, text),
      read: ({ suggestions }: Told) => chooseSuggestions(placedSuggestions(suggestions, text), countMax),
    },
    embedded: {
      method: 'style-rules',
      answer: (signal) => threads.run('suggestStyle', { text, countMax }, [text], signal),
    },
    reads: [text],
  };
}
