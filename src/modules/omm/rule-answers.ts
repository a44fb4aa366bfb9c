import { Injectable } from '@nestjs/common';
import type { AnswerUsage } from '../../../generated/types';
import type { CallContext, Meter } from '../../contract/call';
import { TokenCounter } from '../../core/text/tokens/token-counter';

type RuleCall = Pick<CallContext, 'signal' | 'setEngine'> & { readonly meter: Meter };

/** What every answer tells that rules have found. */
interface RuleAnswer {
  readonly model: string;
  readonly usage: AnswerUsage;
}

/** Reports the use of answers that no model is ever asked for. */
@Injectable()
export class RuleAnswers {
  constructor(private readonly counter: TokenCounter) {}

  /**
   * @param read the texts that the rules have read, which are the input
   * @param written what they have found, as far as it counts as output
   */
  async report(
    call: RuleCall,
    method: string,
    read: readonly string[],
    written: string,
  ): Promise<RuleAnswer> {
    const { meter, signal } = call;
    const used = meter.report({
      inputTokens: Math.min(await this.counter.countAll(read, signal), meter.inputTokens),
      outputTokens: Math.min(await this.counter.count(written, signal), meter.outputTokensMax),
    });
    call.setEngine({ provider: 'embedded', method, quality: 'basic' });
    return {
      model: `embedded-${method}-1`,
      usage: {
        prompt_tokens: used.inputTokens,
        completion_tokens: used.outputTokens,
        total_tokens: used.inputTokens + used.outputTokens,
      },
    };
  }
}
