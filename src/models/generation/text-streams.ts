import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatUsd, type TokenUse } from '../../ledger/money';
import type { LimitedText } from '../../text/text.jobs';
import type { TokenCounter } from '../../text/token-counter';
import { textPieces } from '../embedded-provider';
import type { ModelStream } from '../model-provider';
import { costComment, type FinalUsage, StreamedAnswer } from '../streamed-answer';
import { StreamedMessage } from '../streamed-completion';
import { useOf } from '../usage';
import type { EmbeddedText, GeneratedText, PieceReader, TextStream } from './text-order';

interface EmbeddedStreamOptions {
  readonly inputTokens: number;
  readonly counter: TokenCounter;
  readonly report: (use: TokenUse) => TokenUse;
}

export class EmbeddedStream<Detail> implements TextStream<Detail> {
  private readonly given: string[] = [];

  constructor(
    private readonly made: EmbeddedText<Detail>,
    private readonly cut: LimitedText,
    private readonly options: EmbeddedStreamOptions,
  ) {}

  /** Each piece in its own turn, because a long text must not block the event loop. */
  async *pieces(): AsyncGenerator<string> {
    for (const piece of textPieces(this.cut.text)) {
      this.given.push(piece);
      yield piece;
      await nextTurn();
    }
  }

  async use(): Promise<TokenUse> {
    const { inputTokens, counter } = this.options;
    if (this.made.isRefusal) {
      return { inputTokens: 0, outputTokens: 0 };
    }
    const given = this.given.join('');
    const isWhole = given.length === this.cut.text.length;
    const outputTokens = isWhole ? this.cut.tokens : await counter.withFallback().count(given);
    return { inputTokens, outputTokens };
  }

  whole(): Promise<GeneratedText<Detail>> {
    const { text, tokens } = this.cut;
    const { model, detail, isRefusal } = this.made;
    const outputTokens = isRefusal ? 0 : tokens;
    const use = this.options.report({ inputTokens: this.options.inputTokens, outputTokens });
    const finishReason = text === this.made.text ? 'stop' : 'length';
    return Promise.resolve({ text, model, finishReason, use, detail });
  }
}

export class StoredStream implements TextStream<never> {
  constructor(private readonly text: Omit<GeneratedText<never>, 'detail'>) {}

  async *pieces(): AsyncGenerator<string> {
    yield await Promise.resolve(this.text.text);
  }

  use(): Promise<TokenUse> {
    return Promise.resolve(this.text.use);
  }

  whole(): Promise<GeneratedText<never>> {
    return Promise.resolve({ ...this.text, detail: null });
  }
}

interface UpstreamStreamOptions extends Pick<EmbeddedStreamOptions, 'counter' | 'report'> {
  readonly stream: ModelStream;
  readonly reader: PieceReader | null;
  readonly inputTokens: () => Promise<number>;
  readonly outputTokensMax: number;
}

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

interface TypedStreamOptions<Detail> {
  readonly text: TextStream<Detail>;
  readonly start?: object;
  /** Called once, to store the complete text. If it throws, the stream breaks off, and what was produced is charged. */
  readonly finish: (text: GeneratedText<Detail>) => Promise<object> | object;
}

export class TypedStream<Detail> extends StreamedAnswer {
  private answer: { readonly json: string; readonly use: TokenUse } | null = null;

  constructor(private readonly options: TypedStreamOptions<Detail>) {
    super();
  }

  override async *events(): AsyncGenerator<Uint8Array> {
    const { text, start, finish } = this.options;
    if (start !== undefined) {
      yield event({ type: 'start', data: start });
    }
    for await (const piece of text.pieces()) {
      yield event({ type: 'delta', text: piece });
    }
    const whole = await text.whole();
    this.answer = { json: JSON.stringify(await finish(whole)), use: whole.use };
  }

  override async use(): Promise<TokenUse> {
    return this.answer?.use ?? this.options.text.use();
  }

  /** The cost is decimal text, because JSON.stringify writes small numbers with an exponent. */
  override ending(numbers: FinalUsage): Uint8Array {
    const done = `{"type":"done","data":${this.unstreamed()},"cost":${formatUsd(numbers.chargedNanoUsd)}}`;
    return Buffer.from(`data: ${done}\n\n${costComment(numbers)}data: [DONE]\n\n`);
  }

  override unstreamed(): string {
    if (this.answer === null) {
      throw new Error('a stream was ended before its answer was complete');
    }
    return this.answer.json;
  }
}

function event(data: object): Uint8Array {
  return Buffer.from(`data: ${JSON.stringify(data)}\n\n`);
}
