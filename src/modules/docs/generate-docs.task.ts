import { Unprocessable } from '../../core/errors/request-errors';
import type { AnswerTask, EmbeddedMethod } from '../../core/models/generation/answer-task';
import { hasClassifiedCommits } from '../../core/text/product-docs/changelog';
import { isCode } from '../../core/text/product-docs/is-code';
import type { TextThreads } from '../../core/text/threads/text-threads';
import { titleOfPrompt } from '../../core/text/title-of-prompt';
import { docsPage, type DocsPage } from './docs-page';
import { writtenDocs, type DocsWish } from './written-docs.question';

/** In UTF-16 units. */
const TITLE_FROM_LENGTH_MAX = 2_000;
const HEAD_LENGTH_MAX = 10_000;

const REFERENCE_NEEDS = 'Without one the kind api needs an OpenAPI 3 document in JSON as its source.';
const PAGE_NEEDS = 'Without one a page needs a brief, prose or a package.json: source code is not read.';
const CHANGELOG_NEEDS = 'Without one the kind changelog needs a list of commits as its source.';

/**
 * What a page is written by. Where a rule has all of its facts from the source, no model is asked. Only the beginning of the
 * source is looked at here, because nothing is reserved yet; the rule itself is run once the call is paid for.
 * @throws Unprocessable for an OpenAPI document in YAML
 */
export function docsTask(wish: DocsWish, threads: TextThreads): AnswerTask<DocsPage> {
  const { kind, brief, source, version } = wish;
  const reads = [brief, source].filter((text) => text !== null);
  if (kind === 'api') {
    return source !== null && isJson(source)
      ? { question: null, embedded: reference(source, threads), reads: [source] }
      : { question: writtenDocs(wish), embedded: null, without: REFERENCE_NEEDS, reads };
  }
  if (kind === 'changelog') {
    const embedded = source === null || isCode(source) ? null : changelog(source, version, threads);
    return source !== null && hasClassifiedCommits(source)
      ? { question: null, embedded, reads: [source] }
      : { question: writtenDocs(wish), embedded, without: CHANGELOG_NEEDS, reads };
  }
  if (brief === null && source !== null && isCode(source) && !BEGINS_AS_JSON.test(source)) {
    return { question: writtenDocs(wish), embedded: null, without: PAGE_NEEDS, reads };
  }
  const embedded = { method: 'skeleton', answer: (signal: AbortSignal) => skeleton(wish, threads, signal) };
  return { question: writtenDocs(wish), embedded, reads };
}

const BEGINS_AS_JSON = /^\ufeff?\s{0,1000}[{[]/u;

/** Whether a source may be an OpenAPI document. Source code and prose are no JSON. */
function isJson(source: string): boolean {
  const head = source.slice(0, HEAD_LENGTH_MAX);
  if (/^(?:openapi|swagger)["']?[ \t]*:/mu.test(head)) {
    throw new Unprocessable('Send the OpenAPI document as JSON.');
  }
  return BEGINS_AS_JSON.test(head);
}

function reference(source: string, threads: TextThreads): EmbeddedMethod<DocsPage> {
  return {
    method: 'api-reference',
    answer: async (signal) => {
      const { page, fault } = await threads.run('writeReference', source, [source], signal);
      if (page === null) {
        throw new Unprocessable(fault ?? 'The OpenAPI document can not be read.');
      }
      return docsPage('api', page);
    },
  };
}

function changelog(source: string, version: string | null, threads: TextThreads): EmbeddedMethod<DocsPage> {
  return {
    method: 'changelog',
    answer: async (signal) =>
      docsPage('changelog', await threads.run('writeChangelog', { source, version }, [source], signal)),
  };
}

async function skeleton(
  { kind, title, brief, source }: DocsWish,
  threads: TextThreads,
  signal: AbortSignal,
): Promise<DocsPage> {
  const titleOtherwise = titleOfPrompt((brief ?? source ?? '').slice(0, TITLE_FROM_LENGTH_MAX));
  const wanted = {
    kind: kind === 'guide' ? 'guide' : 'readme',
    title,
    titleOtherwise,
    brief,
    source,
  } as const;
  return docsPage(kind, await threads.run('draftPage', wanted, [brief ?? '', source ?? ''], signal));
}
