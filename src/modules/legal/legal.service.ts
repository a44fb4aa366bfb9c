import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { LegalSummary, SummarizeLegalRequest } from '../../../generated/types';
import { AnsweredOperations } from '../../contract/answered-operations';
import type { CallContext, Meter } from '../../contract/call';
import { SourceTexts } from '../../core/knowledge/documents/source-texts';
import { TextThreads } from '../../core/text/threads/text-threads';
import { DISCLAIMER } from './disclaimer';
import { summaryTask, type Summary } from './summarize-legal.task';

type AnsweredCall = CallContext & { readonly meter: Meter };

/** Answers on legal texts. */
@Injectable()
export class LegalService implements OnModuleInit {
  constructor(
    private readonly answered: AnsweredOperations,
    private readonly sources: SourceTexts,
    private readonly threads: TextThreads,
  ) {}

  onModuleInit(): void {
    this.answered.register<SummarizeLegalRequest>('summarizeLegal', async ({ account, body }) => {
      const { text } = await this.sources.of(account.id, body);
      return summaryTask(text, body.sentences, this.threads);
    });
  }

  /** Throws what AnsweredOperations.answer throws. */
  async summarize(call: AnsweredCall): Promise<LegalSummary> {
    return { ...(await this.answered.answer<Summary>(call)), disclaimer: DISCLAIMER };
  }
}
