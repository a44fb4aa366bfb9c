import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TokenUse } from '../../money/pricing/price-list';
import type { LimitedText } from '../../text/threads/jobs/token-jobs';
import type { TokenCounter } from '../../text/tokens/token-counter';
import { textPieces } from '../embedded/answer-events';
import type { EmbeddedText, GeneratedText, TextStream } from './text-order';

export interface EmbeddedStreamOptions {
  readonly inputTokens: number;
  readonly counter: TokenCounter;
  /** Takes the use of the whole text, and returns what of it is believed. */
  readonly report: (use: TokenUse) => TokenUse;
}

/** A text that an embedded method has made, given in pieces. */
export class EmbeddedStream<Detail> implements TextStream<Detail> {
  private readonly given: string[] = [];

  constructor(
    private readonly made: EmbeddedText<Detail>,
    private readonly cut: LimitedText,
    private readonly options: EmbeddedStreamOptions,
  ) {}

  /** Gives each piece in a turn of its own, because a long text must not block the event loop. */
  async *pieces(): AsyncGenerator<string> {
    for (const piece of textPieces(this.cut.text)) {
      this.given.push(piece);
      yield piece;
      await nextTurn();
    }
  }

  async use(): Promise<TokenUse> {
    const { inputTokens, counter } = this.options;
    const given = this.given.join('');
    const isWhole = given.length === this.cut.text.length;
    const outputTokens = isWhole ? this.cut.tokens : await counter.patient().count(given);
    return { inputTokens, outputTokens };
  }

  whole(): Promise<GeneratedText<Detail>> {
    const { text, tokens } = this.cut;
    const { model, detail } = this.made;
    const use = this.options.report({ inputTokens: this.options.inputTokens, outputTokens: tokens });
    const finishReason = text === this.made.text ? 'stop' : 'length';
    return Promise.resolve({ text, model, finishReason, use, detail });
  }
}
