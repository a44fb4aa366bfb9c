import { type ChosenSuggestions, styleSuggestions } from '../../text/suggestions';
import { textJobsOf } from '../../text/text-job';
import { creativeScaffold } from './creative-scaffold';
import { type IdeaPrompt, scamperPrompts } from './scamper-prompts';

/** Questions that lead to ideas on a topic. */
function promptIdeas({ topic, count }: { topic: string; count: number }): IdeaPrompt[] {
  return scamperPrompts(topic, count);
}

/** Suggestions by the rules of style, at most so many. */
function suggestStyle({ text, countMax }: { text: string; countMax: number }): ChosenSuggestions {
  return styleSuggestions(text, countMax);
}

export const creativeJobs = textJobsOf(__filename, {
  promptIdeas,
  scaffoldText: creativeScaffold,
  suggestStyle,
});
