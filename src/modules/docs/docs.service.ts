import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ImproveDocsCall } from '../../../generated/contract';
import type {
  DocsImprovement,
  DocsStructure,
  GenerateDocsRequest,
  GeneratedDocs,
  ImproveDocsRequest,
  StructureDocsRequest,
} from '../../../generated/types';
import { AnsweredOperations } from '../../contract/answered-operations';
import type { CallContext, Meter } from '../../contract/call';
import { Unprocessable } from '../../core/errors/request-errors';
import { SourceTexts } from '../../core/knowledge/documents/source-texts';
import { TextThreads } from '../../core/text/threads/text-threads';
import type { DocsPage } from './docs-page';
import { docsTask } from './generate-docs.task';
import { improvementTask, lintOf, type Improvement, type PageLint } from './improve-docs.task';
import { structureTask, type Structure } from './structure-docs.task';

type AnsweredCall = CallContext & { readonly meter: Meter };

/** Writes documentation of products, and judges it. */
@Injectable()
export class DocsService implements OnModuleInit {
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
