import { Injectable, type OnModuleInit } from '@nestjs/common';
import type {
  Brainstorm,
  BrainstormCreativeRequest,
  CreativeText,
  EnhanceCreativeRequest,
  Enhancement,
  GenerateCreativeRequest,
} from '../../../generated/types';
import { AnsweredOperations } from '../../contract/answered-operations';
import type { CallContext, Meter } from '../../contract/call';
import { Unprocessable } from '../../core/errors/request-errors';
import { SourceTexts } from '../../core/knowledge/documents/source-texts';
import { TextThreads } from '../../core/text/threads/text-threads';
import { brainstormTask, type Ideas } from './brainstorm-creative.task';
import { enhancementTask, type Suggestions } from './enhance-creative.task';
import { creativeTask, type WrittenText } from './generate-creative.task';

type AnsweredCall = CallContext & { readonly meter: Meter };

/** Writes creative texts, or prepares them, and helps those who write. */
@Injectable()
export class CreativeService implements OnModuleInit {
  constructor(
    private readonly answered: AnsweredOperations,
    private readonly sources: SourceTexts,
    private readonly threads: TextThreads,
  ) {}

  onModuleInit(): void {
    this.answered.register<GenerateCreativeRequest>('generateCreative', ({ body }) => {
      const { form, prompt, tone = null, audience = null, names = [], length = 'medium' } = body;
      refuseSilence('prompt', prompt);
      return creativeTask({ form, prompt, tone, audience, names, length }, this.threads);
    });
    this.answered.register<EnhanceCreativeRequest>('enhanceCreative', async ({ account, body }) => {
      const { text } = await this.sources.of(account.id, body);
      return enhancementTask(text, body.goal ?? null, body.suggestions_max, this.threads);
    });
    this.answered.register<BrainstormCreativeRequest>('brainstormCreative', ({ body }) => {
      refuseSilence('topic', body.topic);
      return brainstormTask(body.topic, body.count, this.threads);
    });
  }

  /** Throws what AnsweredOperations.answer throws, and so do the others. */
  generate(call: AnsweredCall): Promise<CreativeText> {
    return this.answered.answer<WrittenText>(call);
  }

  enhance(call: AnsweredCall): Promise<Enhancement> {
    return this.answered.answer<Suggestions>(call);
  }

  brainstorm(call: AnsweredCall): Promise<Brainstorm> {
    return this.answered.answer<Ideas>(call);
  }
}

function refuseSilence(field: string, text: string): void {
  if (!/[\p{L}\p{N}]/u.test(text)) {
    throw new Unprocessable(`${field} has no letter and no digit: it says nothing.`);
  }
}
