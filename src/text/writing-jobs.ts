import { scamperPrompts, type IdeaPrompt } from '../modules/creative/scamper-prompts';
import { apiReference } from '../modules/docs/api-reference';
import type { WrittenPage } from '../modules/docs/docs-page';
import { pageSuggestions } from '../modules/docs/lint-markdown';
import { NoOpenApiDocument } from '../modules/docs/openapi-document';
import { type ChosenSuggestions, styleSuggestions } from './suggestions';

/** Questions that lead to ideas on a topic. */
export function promptIdeas({ topic, count }: { topic: string; count: number }): IdeaPrompt[] {
  return scamperPrompts(topic, count);
}

export { creativeScaffold as scaffoldText } from '../modules/creative/creative-scaffold';

/** Suggestions by the rules of style, at most so many. */
export function suggestStyle({ text, countMax }: { text: string; countMax: number }): ChosenSuggestions {
  return styleSuggestions(text, countMax);
}

/** The faults of a page of Markdown. */
export { lintMarkdown as lintPage } from '../modules/docs/lint-markdown';
export { pageStructure as structurePage } from '../modules/docs/page-structure';
export { changelogOf as writeChangelog } from '../modules/docs/changelog';
export { docsSkeleton as draftPage } from '../modules/docs/docs-page';

/** Suggestions by the rules of style for the prose of a page of Markdown. */
export function suggestPageStyle({ text, countMax }: { text: string; countMax: number }): ChosenSuggestions {
  return pageSuggestions(text, countMax);
}

/** A page of documentation, or why there can be none, because errors lose their class on the way out of a thread. */
export interface ReferenceOutput {
  readonly page: WrittenPage | null;
  readonly fault: string | null;
}

/** The reference of an API from its OpenAPI document in JSON. */
export function writeReference(source: string): ReferenceOutput {
  try {
    return { page: apiReference(source), fault: null };
  } catch (error) {
    if (error instanceof NoOpenApiDocument) {
      return { page: null, fault: error.message };
    }
    throw error;
  }
}
