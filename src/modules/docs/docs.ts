import { docsApi } from '../../../generated/contract';
import type { DocsImprovement, DocsKind, DocsStructure, GenerateDocsRequest } from '../../../generated/types';
import { answered, answeredModule, type AnswerNotes, type AnswerTools } from '../../contract/answered-module';
import { Unprocessable } from '../../errors/api-errors';
import {
  type AnswerTask,
  type EmbeddedMethod,
  mapQuestion,
  ruleTask,
} from '../../models/generation/typed-answers';
import type { StructuredQuestion } from '../../models/generation/structured-answers';
import { modelQuestion, schema } from '../../models/generation/output-schema';
import { languageOf, PromptFile } from '../../models/generation/prompt';
import { type ChosenSuggestions, suggestionsQuestion } from '../../models/generation/quoted-output';
import type { TextThreads } from '../../text/text-threads';
import { hasClassifiedCommits } from './changelog';
import { docsPage, type DocsPage, embeddedParagraphs, isCode, writtenPage } from './docs-page';
import { docsJobs } from './docs.jobs';

const WANTED: Record<DocsKind, string> = {
  readme: 'Write the README of a product: what it is, what it does, how it is installed and used.',
  api: 'Write the reference of an API: its operations with their parameters, bodies and answers.',
  guide:
    'Write a guide that leads a reader step by step to a result: purpose, prerequisites, steps, what can go wrong.',
  changelog:
    'Write the changelog of a release in the form of Keep a Changelog: sections Added, Changed, Deprecated, Removed, Fixed and ' +
    'Security, of which only those that have entries.',
};

const LETTERS = '[\\p{L}\\p{N}]';
const TITLE = schema.string({ pattern: LETTERS, maxLength: 300 });
const PAGE_SCHEMA = schema.object({
  title: TITLE,
  sections: schema.list(schema.object({ title: TITLE, text: schema.string({ pattern: LETTERS }) }), {
    minItems: 1,
    maxItems: 100,
  }),
});

const PAGE_PROMPT = new PromptFile('documentation-page');

function pageQuestion(body: GenerateDocsRequest, source: string | null): StructuredQuestion<DocsPage> {
  const { kind, title = null, brief = null, version = null } = body;
  return modelQuestion({
    prompt: PAGE_PROMPT.fill({
      choices: { task: WANTED[kind], language: languageOf(brief ?? source ?? '') },
      material: { title, release: version, brief, source },
    }),
    name: 'documentation_page',
    schema: PAGE_SCHEMA,
    read: (output) => {
      const sections = output.sections.map((each) => ({
        title: each.title.trim(),
        level: 2,
        text: embeddedParagraphs(each.text),
      }));
      return docsPage(kind, writtenPage(title ?? output.title.trim(), sections));
    },
  });
}

const HEAD_LENGTH_MAX = 10_000;

const REFERENCE_NEEDS = 'Without one the kind api needs an OpenAPI 3 document in JSON as its source.';
const PAGE_NEEDS = 'Without one only an API reference and a changelog are written, from their sources.';
const CHANGELOG_NEEDS = 'Without one the kind changelog needs a list of commits as its source.';

const PAGE_REPEATS: readonly (keyof DocsPage)[] = ['sections', 'to_fill_in'];

/** Reads only the beginning, because nothing is reserved yet. @throws Unprocessable for OpenAPI in YAML */
function docsTask(
  body: GenerateDocsRequest,
  source: string | null,
  threads: TextThreads,
): AnswerTask<DocsPage> {
  const { kind, brief = null, version = null } = body;
  const reads = [brief, source].filter((text) => text !== null);
  if (kind === 'api') {
    return source !== null && isJson(source)
      ? ruleTask('api-reference', [source], (signal) => reference(source, threads, signal), PAGE_REPEATS)
      : { question: pageQuestion(body, source), embedded: null, without: REFERENCE_NEEDS, reads };
  }
  if (kind === 'changelog') {
    const embedded = source === null || isCode(source) ? null : changelog(source, version, threads);
    return source !== null && hasClassifiedCommits(source)
      ? { question: null, embedded, reads: [source] }
      : { question: pageQuestion(body, source), embedded, without: CHANGELOG_NEEDS, reads };
  }
  return { question: pageQuestion(body, source), embedded: null, without: PAGE_NEEDS, reads };
}

const BEGINS_AS_JSON = /^\ufeff?\s{0,1000}[{[]/u;

function isJson(source: string): boolean {
  const head = source.slice(0, HEAD_LENGTH_MAX);
  if (/^(?:openapi|swagger)["']?[ \t]*:/mu.test(head)) {
    throw new Unprocessable('Send the OpenAPI document as JSON.');
  }
  return BEGINS_AS_JSON.test(head);
}

async function reference(source: string, threads: TextThreads, signal: AbortSignal): Promise<DocsPage> {
  const { page, fault } = await threads.run(docsJobs.writeReference, source, [source], signal);
  if (page === null) {
    throw new Unprocessable(fault ?? 'The OpenAPI document can not be read.');
  }
  return docsPage('api', page);
}

function changelog(source: string, version: string | null, threads: TextThreads): EmbeddedMethod<DocsPage> {
  return {
    method: 'changelog',
    repeats: PAGE_REPEATS,
    answer: async (signal) =>
      docsPage(
        'changelog',
        await threads.run(docsJobs.writeChangelog, { source, version }, [source], signal),
      ),
  };
}

type Improvement = Pick<DocsImprovement, 'suggestions' | 'more_suggestions'> &
  Partial<Pick<DocsImprovement, 'lint' | 'more_lint'>>;

const SUGGESTIONS_PROMPT = new PromptFile('page-suggestions');

function improvementTask(
  text: string,
  audience: string | null,
  countMax: number,
  threads: TextThreads,
): AnswerTask<Improvement> {
  const question = suggestionsQuestion(text, countMax, {
    prompt: SUGGESTIONS_PROMPT.fill({
      choices: { count: countMax, language: languageOf(text) },
      material: { audience, text },
    }),
    name: 'page_suggestions',
  });
  return {
    question: mapQuestion(question, improvementOf),
    embedded: {
      method: 'markdown-lint',
      answer: async (signal) => ({
        ...improvementOf({ suggestions: [], more: 0 }),
        ...(await lintOf(text, threads, signal)),
      }),
    },
    reads: [text],
  };
}

function improvementOf({ suggestions, more }: ChosenSuggestions): Improvement {
  return { suggestions, more_suggestions: more };
}

async function lintOf(text: string, threads: TextThreads, signal: AbortSignal) {
  const { lint, more: more_lint } = await threads.run(docsJobs.lintPage, text, [text], signal);
  return { lint, more_lint };
}

function structureTask(
  text: string,
  depthMax: number,
  threads: TextThreads,
): AnswerTask<Omit<DocsStructure, AnswerNotes>> {
  const structure = async (signal: AbortSignal) => {
    const found = await threads.run(docsJobs.structurePage, { text, depthMax }, [text], signal);
    return {
      outline: found.outline,
      table_of_contents: found.tableOfContents,
      anchors: found.headings.map(({ title, level, anchor }) => ({ title, level, anchor })),
      numbering_gaps: found.gaps,
      more: found.more,
    };
  };
  return ruleTask('outline', [text], structure, ['table_of_contents', 'anchors']);
}

async function sourceOf(
  { account, body }: { readonly account: { readonly id: string }; readonly body: GenerateDocsRequest },
  { textOf }: AnswerTools,
): Promise<string | null> {
  const { brief = null, content = null, document_id: documentId = null } = body;
  if (content !== null || documentId !== null) {
    return textOf({ account, body });
  }
  if (brief === null || !/[\p{L}\p{N}]/u.test(brief)) {
    throw new Unprocessable('There is nothing to write from: give a brief, content or document_id.');
  }
  return null;
}

export const DocsModule = answeredModule(docsApi, {
  generateDocs: answered(async (call, tools) => {
    const source = await sourceOf(call, tools);
    return docsTask(call.body, source, tools.threads);
  }),
  improveDocs: answered(
    async (call, { textOf, threads }) => {
      const { audience = null, suggestions_max: countMax } = call.body;
      return improvementTask(await textOf(call), audience, countMax, threads);
    },
    async ({ lint, more_lint, ...answer }, call, { textOf, threads }) => ({
      ...answer,
      ...(lint && more_lint !== undefined
        ? { lint, more_lint }
        : await lintOf(await textOf(call), threads, call.signal)),
    }),
  ),
  structureDocs: answered(async (call, { textOf, threads }) =>
    structureTask(await textOf(call), call.body.depth_max, threads),
  ),
});
