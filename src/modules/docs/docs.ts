import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import {
  docsApi,
  type DocsApi,
  type GenerateDocsCall,
  type ImproveDocsCall,
  type StructureDocsCall,
} from '../../../generated/contract';
import type {
  DocsImprovement,
  DocsStructure,
  GeneratedDocs,
  GenerateDocsRequest,
  ImproveDocsRequest,
  StructureDocsRequest,
} from '../../../generated/types';
import { AnsweredOperations } from '../../contract/model-operations';
import type { CallContext, Meter } from '../../contract/operation';
import { Serves } from '../../contract/serves';
import { Unprocessable } from '../../errors/api-errors';
import type { AnswerQuestion, AnswerTask, EmbeddedMethod } from '../../models/generation/model-task';
import { PromptTemplate } from '../../models/generation/prompt-template';
import { SourceTexts } from '../../retrieval/source-texts';
import {
  placedSuggestions,
  MODEL_SUGGESTIONS,
  type ModelSuggestion,
  modelSuggestionFaults,
} from '../../text/model-suggestions';
import { titleOfPrompt } from '../../text/prompt-title';
import { chooseSuggestions, type ChosenSuggestions, type TextSuggestion } from '../../text/suggestions';
import { TextThreads } from '../../text/text-threads';
import { hasClassifiedCommits } from './changelog';
import { type DocsKind, docsPage, type DocsPage, isCode, writtenPage } from './docs-page';
import type { LintFinding } from './lint-markdown';
import { embeddedParagraphs } from './markdown-writing';
import type { NumberingGap } from './numbering-gaps';
import type { OutlineNode } from './page-structure';
import { docsJobs } from './docs.jobs';

/** A page that is wanted. At least one of brief and source is there. */
interface DocsWish {
  readonly kind: DocsKind;
  readonly title: string | null;
  readonly brief: string | null;
  readonly source: string | null;
  readonly version: string | null;
}

interface ToldPage {
  readonly title: string;
  readonly sections: readonly { readonly title: string; readonly text: string }[];
}

const WANTED: Record<DocsKind, string> = {
  readme: 'Write the README of a product: what it is, what it does, how it is installed and used.',
  api: 'Write the reference of an API: its operations with their parameters, bodies and answers.',
  guide:
    'Write a guide that leads a reader step by step to a result: purpose, prerequisites, steps, what can go wrong.',
  changelog:
    'Write the changelog of a release in the form of Keep a Changelog: sections Added, Changed, Deprecated, Removed, Fixed and ' +
    'Security, of which only those that have entries.',
};

const PAGE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['title', 'sections'],
  properties: {
    title: { type: 'string', pattern: '[\\p{L}\\p{N}]', maxLength: 300 },
    sections: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['title', 'text'],
        properties: {
          title: { type: 'string', pattern: '[\\p{L}\\p{N}]', maxLength: 300 },
          text: { type: 'string', pattern: '[\\p{L}\\p{N}]' },
        },
      },
    },
  },
};

/** Asks a model for a page. */
function writtenDocs({ kind, title, brief, source, version }: DocsWish): AnswerQuestion<DocsPage> {
  const parts: (readonly [line: string, texts: Record<string, string>])[] = [
    [WANTED[kind], {}],
    ...optional('Its title is:\n{{title}}', 'title', title),
    ...optional('The release is:\n{{version}}', 'version', version),
    ...optional('What is wanted:\n{{brief}}', 'brief', brief),
    ...optional('The source:\n{{source}}', 'source', source),
    [
      'Use only facts that stand here: no command, name, number or promise of your own. Where the page needs something that ' +
        'does not stand here, write [To fill in: what is needed]. Write in the language of what is given. Give the sections in ' +
        'their order, with Markdown as text and without their headings in it.',
      {},
    ],
  ];
  return {
    template: new PromptTemplate(parts.map(([line]) => line).join('\n')),
    variables: Object.assign({}, ...parts.map(([, texts]) => texts)) as Record<string, string>,
    name: 'documentation_page',
    schema: PAGE_SCHEMA,
    read: (told: ToldPage) => {
      const sections = told.sections.map((each) => ({
        title: each.title.trim(),
        level: 2,
        text: embeddedParagraphs(each.text),
      }));
      return docsPage(kind, writtenPage(title ?? told.title.trim(), sections));
    },
  };
}

function optional(line: string, name: string, text: string | null): [string, Record<string, string>][] {
  return text === null ? [] : [[line, { [name]: text }]];
}

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
function docsTask(wish: DocsWish, threads: TextThreads): AnswerTask<DocsPage> {
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
      const { page, fault } = await threads.run(docsJobs.writeReference, source, [source], signal);
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
      docsPage(
        'changelog',
        await threads.run(docsJobs.writeChangelog, { source, version }, [source], signal),
      ),
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
  return docsPage(kind, await threads.run(docsJobs.draftPage, wanted, [brief ?? '', source ?? ''], signal));
}

/** The faults of a page that rules find. */
interface PageLint {
  lint: LintFinding[];
  more_lint: number;
}

/** The lint is absent where a model made the suggestions: its answer is had before any rule is run. */
interface Improvement extends Partial<PageLint> {
  suggestions: TextSuggestion[];
  more_suggestions: number;
}

interface ToldSuggestions {
  readonly suggestions: readonly ModelSuggestion[];
}

const ASKED =
  'This is a page of documentation in Markdown:\n{{text}}\n' +
  'Suggest at most {{count}} places where it could be clearer, shorter or more complete for its readers. As quote give the words ' +
  'of the place exactly as they stand there, Markdown included, enough of them that they stand there only once. As replacement ' +
  'give what could stand there, or null where only its author knows. As reason say why in one sentence. Add no fact of your ' +
  'own, leave code alone, and do not suggest two changes of the same words.';
const TEMPLATE = new PromptTemplate(ASKED);
const TEMPLATE_FOR_AUDIENCE = new PromptTemplate(`${ASKED} The page is for:\n{{audience}}`);

const SUGGESTIONS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['suggestions'],
  properties: { suggestions: MODEL_SUGGESTIONS },
};

/** @param audience for whom the page is; null where the caller has not said */
function improvementTask(
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
      schema: SUGGESTIONS_SCHEMA,
      check: ({ suggestions }: ToldSuggestions) => modelSuggestionFaults(suggestions, text),
      read: ({ suggestions }: ToldSuggestions) =>
        improvement(chooseSuggestions(placedSuggestions(suggestions, text), countMax)),
    },
    embedded: {
      method: 'markdown-lint',
      answer: async (signal) => ({
        ...improvement(await threads.run(docsJobs.suggestPageStyle, { text, countMax }, [text], signal)),
        ...(await lintOf(text, threads, signal)),
      }),
    },
    reads: [text],
  };
}

/** The lint of a page, which is found by rule whoever makes the suggestions. */
async function lintOf(text: string, threads: TextThreads, signal: AbortSignal): Promise<PageLint> {
  const { lint, more } = await threads.run(docsJobs.lintPage, text, [text], signal);
  return { lint, more_lint: more };
}

interface Structure {
  outline: OutlineNode[];
  table_of_contents: string;
  anchors: { title: string; level: number; anchor: string }[];
  numbering_gaps: NumberingGap[];
  more: number;
}

/** A rule finds headings, so no model is asked. */
function structureTask(text: string, depthMax: number, threads: TextThreads): AnswerTask<Structure> {
  return {
    question: null,
    embedded: {
      method: 'outline',
      answer: async (signal) => {
        const found = await threads.run(docsJobs.structurePage, { text, depthMax }, [text], signal);
        return {
          outline: found.outline,
          table_of_contents: found.tableOfContents,
          anchors: found.headings.map(({ title, level, anchor }) => ({ title, level, anchor })),
          numbering_gaps: found.gaps,
          more: found.more,
        };
      },
    },
    reads: [text],
  };
}

type AnsweredCall = CallContext & { readonly meter: Meter };

/** Writes documentation of products, and judges it. */
@Injectable()
class DocsService implements OnModuleInit {
  constructor(
    private readonly answered: AnsweredOperations,
    private readonly sources: SourceTexts,
    private readonly threads: TextThreads,
  ) {}

  onModuleInit(): void {
    this.answered.register<GenerateDocsRequest>('generateDocs', async ({ account, body }) => {
      const { kind, title = null, brief = null, version = null } = body;
      const source = await this.sourceOf(account.id, body);
      return docsTask({ kind, title, brief, source, version }, this.threads);
    });
    this.answered.register<ImproveDocsRequest>('improveDocs', async ({ account, body }) => {
      const { text } = await this.sources.of(account.id, body);
      return improvementTask(text, body.audience ?? null, body.suggestions_max, this.threads);
    });
    this.answered.register<StructureDocsRequest>('structureDocs', async ({ account, body }) => {
      const { text } = await this.sources.of(account.id, body);
      return structureTask(text, body.depth_max, this.threads);
    });
  }

  /** Throws what AnsweredOperations.answer throws, and so do the others. */
  generate(call: AnsweredCall): Promise<GeneratedDocs> {
    return this.answered.answer<DocsPage>(call);
  }

  /** Throws what SourceTexts.of and TextThreads.run throw too. */
  async improve(call: ImproveDocsCall): Promise<DocsImprovement> {
    const { lint, more_lint, ...answer } = await this.answered.answer<Improvement>(call);
    const page = lint && more_lint !== undefined ? { lint, more_lint } : await this.lint(call);
    return { ...answer, ...page };
  }

  structure(call: AnsweredCall): Promise<DocsStructure> {
    return this.answered.answer<Structure>(call);
  }

  private async lint({ account, body, signal }: ImproveDocsCall): Promise<PageLint> {
    const { text } = await this.sources.of(account.id, body);
    return lintOf(text, this.threads, signal);
  }

  /** The source of a page, which a brief may do without. */
  private async sourceOf(accountId: string, body: GenerateDocsRequest): Promise<string | null> {
    const { brief = null, content = null, document_id: documentId = null } = body;
    if (content !== null || documentId !== null) {
      return (await this.sources.of(accountId, body)).text;
    }
    if (brief === null || !/[\p{L}\p{N}]/u.test(brief)) {
      throw new Unprocessable('There is nothing to write from: give a brief, content or document_id.');
    }
    return null;
  }
}

@Serves(docsApi)
class DocsController implements DocsApi {
  constructor(private readonly docs: DocsService) {}

  generateDocs(call: GenerateDocsCall): Promise<GeneratedDocs> {
    return this.docs.generate(call);
  }

  improveDocs(call: ImproveDocsCall): Promise<DocsImprovement> {
    return this.docs.improve(call);
  }

  structureDocs(call: StructureDocsCall): Promise<DocsStructure> {
    return this.docs.structure(call);
  }
}

@Module({
  controllers: [DocsController],
  providers: [DocsService],
})
export class DocsModule {}
