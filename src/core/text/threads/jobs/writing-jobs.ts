import { scamperPrompts, type IdeaPrompt } from '../../creative/scamper-prompts';
import { pageSuggestions } from '../../markdown/lint-markdown';
import { apiReference } from '../../product-docs/api-reference';
import { NoOpenApiDocument } from '../../product-docs/openapi-document';
import type { WrittenPage } from '../../product-docs/written-page';
import { styleSuggestions } from '../../suggestions/style-suggestions';
import type { ChosenSuggestions } from '../../suggestions/text-suggestion';

/** Questions that lead to ideas on a topic. */
export function promptIdeas({ topic, count }: { topic: string; count: number }): IdeaPrompt[] {
  return scamperPrompts(topic, count);
}

export { creativeScaffold as scaffoldText } from '../../creative/creative-scaffold';

/** Suggestions by the rules of style, at most so many. */
export function suggestStyle({ text, countMax }: { text: string; countMax: number }): ChosenSuggestions {
  return styleSuggestions(text, countMax);
}

/** The faults of a page of Markdown. */
export { lintMarkdown as lintPage } from '../../markdown/lint-markdown';
export { pageStructure as structurePage } from '../../markdown/page-structure';
export { changelogOf as writeChangelog } from '../../product-docs/changelog';
export { docsSkeleton as draftPage } from '../../product-docs/docs-skeleton';

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
