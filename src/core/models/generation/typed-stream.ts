import type { ApiError } from '../../errors/api-error';
import type { TokenUse } from '../../money/pricing/price-list';
import { formatUsd } from '../../money/pricing/usd';
import { failureEvent } from '../streams/failure-event';
import { costComment, StreamedAnswer, type FinalNumbers } from '../streams/streamed-answer';
import type { GeneratedText, TextStream } from './text-order';

export interface TypedStreamOptions<Detail> {
  readonly text: TextStream<Detail>;
  /** The data of an event before the text; absent for none. */
  readonly start?: object;
  /**
   * The data of the answer, which is what the same call gets without streaming. Called once, when the text is complete:
   * here it is stored. If it throws, the stream breaks off, and what was produced is charged.
   */
  readonly finish: (text: GeneratedText<Detail>) => Promise<object> | object;
}

/**
 * A text as typed events: `start` where there is something to tell before, `delta` for each piece, and `done` with the
 * whole answer and its cost. A stream that breaks off ends with an error in the place of `done` and `[DONE]`.
 */
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

  /** The cost is written as its decimal text: JSON.stringify would write a small number with an exponent. */
  override ending(numbers: FinalNumbers): Uint8Array {
    const done = `{"type":"done","data":${this.unstreamed()},"cost":${formatUsd(numbers.chargedNanoUsd)}}`;
    return Buffer.from(`data: ${done}\n\n${costComment(numbers)}data: [DONE]\n\n`);
  }

  override failure(error: ApiError, requestId: string, numbers: FinalNumbers | null): Uint8Array {
    return Buffer.from(`${numbers ? costComment(numbers) : ''}data: ${failureEvent(error, requestId)}\n\n`);
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
