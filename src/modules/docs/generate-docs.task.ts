import { Unprocessable } from '../../core/errors/request-errors';
import { titleOfPrompt } from '../../core/knowledge/stories/story-title';
import type { AnswerTask, EmbeddedMethod } from '../../core/models/generation/answer-task';
import type { TextThreads } from '../../core/text/threads/text-threads';
import { docsPage, type DocsPage } from './docs-page';
import { writtenDocs, type DocsWish } from './written-docs.question';

/** In UTF-16 units. */
const TITLE_FROM_LENGTH_MAX = 2_000;

/**
 * What a page is written by. Where a rule has all of its facts from the source, no model is asked: the rule is run at once,
 * because only then it is known whether it can.
 * @throws Unprocessable for the reference of an API from what is no OpenAPI document, and what TextThreads.run throws
 */
export async function docsTask(
  wish: DocsWish,
  threads: TextThreads,
  signal: AbortSignal,
): Promise<AnswerTask<DocsPage>> {
  const { kind, brief, source } = wish;
  const reads = [brief, source].filter((text) => text !== null);
  if (kind === 'api') {
    const reference = source === null ? null : await referenceOf(source, threads, signal);
    return reference === null
      ? { question: writtenDocs(wish), embedded: null, reads }
      : { question: null, embedded: reference, reads: [source ?? ''] };
  }
  if (kind === 'changelog') {
    return changelogTask(wish, reads, threads, signal);
  }
  const embedded = { method: 'skeleton', answer: (during: AbortSignal) => skeleton(wish, threads, during) };
  return { question: writtenDocs(wish), embedded, reads };
}

async function referenceOf(
  source: string,
  threads: TextThreads,
  signal: AbortSignal,
): Promise<EmbeddedMethod<DocsPage> | null> {
  const head = source.slice(0, 10_000);
  if (/^(?:openapi|swagger)["']?[ \t]*:/mu.test(head)) {
    throw new Unprocessable('Send the OpenAPI document as JSON.');
  }
  if (!/^\ufeff?\s*[{[]/u.test(head)) {
    return null;
  }
  const { page, fault } = await threads.run('writeReference', source, [source], signal);
  if (page === null) {
    throw new Unprocessable(fault ?? 'The OpenAPI document can not be read.');
  }
  return { method: 'api-reference', answer: () => Promise.resolve(docsPage('api', page)) };
}

/** Commits that say what they are need no model; a text without any might. */
async function changelogTask(
  wish: DocsWish,
  reads: readonly string[],
  threads: TextThreads,
  signal: AbortSignal,
): Promise<AnswerTask<DocsPage>> {
  const { source, version } = wish;
  if (source === null) {
    return { question: writtenDocs(wish), embedded: null, reads };
  }
  const { page, classified } = await threads.run('writeChangelog', { source, version }, [source], signal);
  return {
    question: classified > 0 ? null : writtenDocs(wish),
    embedded: { method: 'changelog', answer: () => Promise.resolve(docsPage('changelog', page)) },
    reads: classified > 0 ? [source] : reads,
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
