import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { IndexRagDocumentRequest } from '../../../generated/types';
import { Estimates, type Estimate, type EstimatedCall } from '../../contract/estimates';
import { Unprocessable } from '../../core/errors/request-errors';
import { limitMetadata } from '../../core/knowledge/memories/limit-metadata';
import { TokenCounter } from '../../core/text/tokens/token-counter';

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** The tokens of the content that a call was priced by, so that they are counted once. */
export class CountedContent {
  constructor(readonly tokens: number) {}
}

/** Counts the tokens of the content that is to be indexed, and refuses what can't be, before anything is reserved. */
@Injectable()
export class IndexEstimates implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly tokens: TokenCounter,
  ) {}

  onModuleInit(): void {
    this.estimates.register('indexRagDocument', (call) => this.estimate(call));
  }

  /**
   * @throws ValidationFailed for too much metadata, Unprocessable for a content without a letter or digit, and what
   * TokenCounter.count throws
   */
  async estimate({ body, signal }: EstimatedCall): Promise<Estimate> {
    const { content, metadata } = body as IndexRagDocumentRequest;
    limitMetadata(metadata ?? {}, 'metadata');
    if (!LETTER_OR_DIGIT.test(content)) {
      throw new Unprocessable(
        'The content has no letter and no digit, so that nothing could be found in it.',
      );
    }
    const inputTokens = await this.tokens.count(content, signal);
    return {
      inputTokens,
      outputTokensMax: 0,
      choices: 1,
      model: null,
      plan: new CountedContent(inputTokens),
    };
  }
}
