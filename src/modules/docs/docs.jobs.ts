import type { ChosenSuggestions } from '../../text/suggestions';
import { textJobsOf } from '../../text/text-job';
import { apiReference } from './api-reference';
import { changelogOf } from './changelog';
import { docsSkeleton, type WrittenPage } from './docs-page';
import { lintMarkdown, pageSuggestions } from './lint-markdown';
import { NoOpenApiDocument } from './openapi-document';
import { pageStructure } from './page-structure';

/** Suggestions by the rules of style for the prose of a page of Markdown. */
function suggestPageStyle({ text, countMax }: { text: string; countMax: number }): ChosenSuggestions {
  return pageSuggestions(text, countMax);
}

/** A page of documentation, or why there can be none, because errors lose their class on the way out of a thread. */
interface ReferenceOutput {
  readonly page: WrittenPage | null;
  readonly fault: string | null;
}

/** The reference of an API from its OpenAPI document in JSON. */
function writeReference(source: string): ReferenceOutput {
  try {
    return { page: apiReference(source), fault: null };
  } catch (error) {
    if (error instanceof NoOpenApiDocument) {
      return { page: null, fault: error.message };
    }
    throw error;
  }
}

export const docsJobs = textJobsOf(__filename, {
  draftPage: docsSkeleton,
  lintPage: lintMarkdown,
  structurePage: pageStructure,
  suggestPageStyle,
  writeChangelog: changelogOf,
  writeReference,
});
