import { usageOf, useOf } from '../models/use/reported-use';
import { costComment, StreamedAnswer, type FinalNumbers } from '../models/streams/streamed-answer';
import { StreamedMessage } from '../models/streams/streamed-message';
import { failureEvent } from '../models/streams/failure-event';
import type { ApiError } from '../errors/api-error';
import { UpstreamBrokeOff, UpstreamFailure } from '../models/upstream/upstream-errors';
import type { ChatRequest } from '../models/chat-completion';
import type { ModelStream } from '../models/model-provider';
import type { TokenCounter } from '../text/tokens/token-counter';
import type { TokenUse } from '../money/pricing/price-list';
import { formatUsd } from '../money/pricing/usd';
import { newId } from '../../infrastructure/ids/ids';
import { stepInputTokens, stepOutputTokens, type AgentSteps, type TakenStep } from './agent-steps';

export interface AgentStreamOptions {
  readonly steps: AgentSteps;
  /** Turns the steps into the JSON body that the same call would get without streaming. */
  readonly whole: (steps: readonly TakenStep[]) => object;
  /** The request of the first step. */
  readonly request: ChatRequest;
  /** The stream of the first step, which has begun: a failure before it is answered as if nothing had been streamed. */
  readonly stream: ModelStream;
  /** Asks the model for each later step. */
  readonly ask: (request: ChatRequest) => Promise<ModelStream>;
  readonly counter: TokenCounter;
  readonly signal: AbortSignal;
  /** Unix seconds. */
  readonly created: number;
}

/** What stands between the texts of two steps. */
const PARAGRAPH = '\n\n';

/** The steps of a run as the chunks of one chat. The model's text is sent on at once; its tool calls are never sent. */
export class AgentStream extends StreamedAnswer {
  private readonly id = `chatcmpl-${newId().replaceAll('-', '')}`;
  /** The step that is still streaming and that `steps.use` does not contain yet. */
  private current: { request: ChatRequest; step: StreamedMessage } | null = null;
  private model: string;
  private used: TokenUse = { inputTokens: 0, outputTokens: 0 };

  constructor(private readonly options: AgentStreamOptions) {
    super();
    this.model = options.stream.model;
  }

  override async *events(): AsyncGenerator<Uint8Array> {
    const { steps, signal, ask } = this.options;
    let { request, stream } = this.options;
    let hasSpoken = false;
    yield this.chunk({ delta: { role: 'assistant', content: '' }, finish_reason: null });
    for (;;) {
      const step = new StreamedMessage(stream);
      this.current = { request, step };
      this.model = stream.model;
      let separator = hasSpoken ? PARAGRAPH : '';
      for await (const text of step.pieces()) {
        yield this.chunk({ delta: { content: separator + text }, finish_reason: null });
        separator = '';
        hasSpoken = true;
      }
      const answer = { ...step.answer(), use: await this.useOf(request, step) };
      await steps.take(answer, signal, () => (this.current = null));
      if (steps.isOver) {
        yield this.chunk({ delta: {}, finish_reason: answer.finishReason });
        return;
      }
      request = steps.next();
      stream = await ask(request).catch((error: unknown) => {
        throw laterFailure(error, stream);
      });
    }
  }

  override async use(): Promise<TokenUse> {
    const { current } = this;
    const { steps } = this.options;
    this.used = current ? await steps.useWith(() => this.useOf(current.request, current.step)) : steps.use;
    return this.used;
  }

  override ending(numbers: FinalNumbers): Uint8Array {
    const usage = JSON.stringify({ ...this.header(), choices: [], usage: usageOf(this.used) });
    // The cost is written as its decimal text: JSON.stringify would write a small number with an exponent.
    const last = `data: ${usage.slice(0, -2)},"cost":${formatUsd(numbers.chargedNanoUsd)}}}\n\n`;
    return Buffer.from(`${last}${costComment(numbers)}data: [DONE]\n\n`);
  }

  override failure(error: ApiError, requestId: string, numbers: FinalNumbers | null): Uint8Array {
    return Buffer.from(`${numbers ? costComment(numbers) : ''}data: ${failureEvent(error, requestId)}\n\n`);
  }

  override unstreamed(): string {
    return JSON.stringify(this.options.whole(this.options.steps.taken));
  }

  private useOf(request: ChatRequest, step: StreamedMessage): Promise<TokenUse> {
    const { counter } = this.options;
    return useOf(step.reported, {
      inputTokens: () => stepInputTokens(request, counter.patient()),
      outputTokens: async () => stepOutputTokens(request, await step.produced.tokens(counter)),
    });
  }

  private chunk(choice: { delta: object; finish_reason: string | null }): Uint8Array {
    const chunk = { ...this.header(), choices: [{ index: 0, ...choice }] };
    return Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`);
  }

  private header() {
    const { created } = this.options;
    return { id: this.id, object: 'chat.completion.chunk', created, model: this.model };
  }
}

/**
 * An UpstreamFailure tells the client that nothing was charged. In a later step that would be untrue, since the steps
 * before it are charged, so it becomes an answer that broke off.
 */
function laterFailure(error: unknown, { engine }: ModelStream): unknown {
  return error instanceof UpstreamFailure
    ? new UpstreamBrokeOff(brokenStatus(error.status), engine.provider, 'failed', error)
    : error;
}

function brokenStatus(status: number): 502 | 503 | 504 {
  return status === 503 || status === 504 ? status : 502;
}
