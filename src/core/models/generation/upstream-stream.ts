import type { TokenUse } from '../../money/pricing/price-list';
import type { TokenCounter } from '../../text/tokens/token-counter';
import type { ModelStream } from '../model-provider';
import { StreamedMessage } from '../streams/streamed-message';
import { useOf } from '../use/reported-use';
import type { GeneratedText, PieceReader, TextStream } from './text-order';

export interface UpstreamStreamOptions {
  readonly stream: ModelStream;
  readonly reader: PieceReader | null;
  /** The input tokens, where the upstream reports none. */
  readonly inputTokens: () => Promise<number>;
  readonly outputTokensMax: number;
  readonly counter: TokenCounter;
  /** Takes the use of the whole text, and returns what of it is believed. */
  readonly report: (use: TokenUse) => TokenUse;
}

/** A text that a model of an upstream writes. */
export class UpstreamStream implements TextStream<never> {
  private readonly message: StreamedMessage;
  private readonly texts: string[] = [];

  constructor(private readonly options: UpstreamStreamOptions) {
    this.message = new StreamedMessage(options.stream);
  }

  async *pieces(): AsyncGenerator<string> {
    const { reader } = this.options;
    for await (const piece of this.message.pieces()) {
      yield* this.given(reader ? reader.push(piece) : piece);
    }
    yield* this.given(reader ? reader.end() : '');
  }

  async use(): Promise<TokenUse> {
    const { inputTokens, outputTokensMax, counter } = this.options;
    return useOf(this.message.reported, {
      inputTokens,
      outputTokens: async () => Math.min(await this.message.produced.tokens(counter), outputTokensMax),
    });
  }

  async whole(): Promise<GeneratedText<never>> {
    const { model, finishReason } = this.message.answer();
    const use = this.options.report(await this.use());
    return { text: this.texts.join(''), model, finishReason, use, detail: null };
  }

  private *given(text: string): Generator<string> {
    if (text !== '') {
      this.texts.push(text);
      yield text;
    }
  }
}
