import { believedTokens, formatUsd, type TokenUse, type WatchedWork, wholeTokens } from '../../ledger/money';
import { UpstreamBrokeOff, UpstreamFailure } from '../../models/errors';
import { usesTogether } from '../../models/generation/structured-answers';
import { saidByModel } from '../../models/message-text';
import type { ChatMessage, ChatRequest, ModelStream } from '../../models/model-provider';
import { estimateRequestTokens } from '../../models/request-tokens';
import { costComment, type FinalUsage, StreamedAnswer, usageWithCost } from '../../models/streamed-answer';
import { StreamedMessage } from '../../models/streamed-completion';
import { usageOf, useOf } from '../../models/usage';
import { newId } from '../../runtime/ids';
import { jsonField, withMember } from '../../runtime/json';
import { fitToTokens, type TokenCounter } from '../../text/token-counter';
import { type AgentRun, RESULT_TOKENS_MAX, stepsMax, TOOL_CALLS_PER_STEP_MAX } from './agent-run';
import type { AgentTools, ToolResult } from './agent-tools';

interface AskedTool {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** With the provider's own fields: some refuse a call that lacks them. */
  readonly asSent: unknown;
}

/** A provider may send anything: calls without an id or a name are left out. */
function readToolCalls(message: ChatMessage): AskedTool[] {
  return saidByModel(message).calls.flatMap((call) => {
    const { id, function: called } = call;
    const [name, text] = [jsonField(called, 'name'), jsonField(called, 'arguments')];
    if (typeof id !== 'string' || typeof name !== 'string') {
      return [];
    }
    const written = typeof text === 'string' ? text : JSON.stringify(text ?? {});
    return [{ id, name, arguments: written, asSent: call }];
  });
}

export interface StepAnswer {
  readonly model: string;
  readonly finishReason: string | null;
  readonly message: ChatMessage;
  readonly use: TokenUse;
}

export interface TakenStep extends StepAnswer {
  readonly toolCalls: readonly (AskedTool & ToolResult)[];
}

/**
 * Together at most the reserved output. When no further step fits, the model gets no tools, so that it has to answer.
 */
export class AgentSteps {
  readonly taken: TakenStep[] = [];
  isOver = false;
  hasAnswered = false;
  use: TokenUse = { inputTokens: 0, outputTokens: 0 };

  constructor(
    private readonly run: AgentRun,
    private readonly messages: ChatMessage[],
    private outputTokensLeft: number,
    private readonly tools: AgentTools,
    private readonly tokens: TokenCounter,
  ) {}

  next(): ChatRequest {
    const { run } = this;
    const definitions = this.isLast ? [] : this.tools.definitions(run.tools);
    return {
      model: run.model,
      messages: this.messages,
      max_completion_tokens: this.outputTokensMax,
      ...(run.temperature !== null && { temperature: run.temperature }),
      ...(definitions.length > 0 && { tools: definitions }),
      ...(run.allowDegraded && { allow_degraded: true }),
    };
  }

  /** The use is added, and `counted` called, before the tools run, so that it counts even where a tool fails. */
  async take(answer: StepAnswer, signal: AbortSignal, counted: () => void = () => undefined): Promise<void> {
    const asked = this.isLast ? [] : readToolCalls(answer.message).slice(0, TOOL_CALLS_PER_STEP_MAX);
    const use = soundUse(answer.use, this.outputTokensMax);
    this.use = usesTogether([this.use, use]);
    this.hasAnswered = true;
    counted();
    const results: ToolResult[] = [];
    for (const call of asked) {
      results.push(await this.result(call, Math.floor(RESULT_TOKENS_MAX / asked.length), signal));
    }
    const toolCalls = asked.map((call, index) => ({ ...call, ...(results[index] as ToolResult) }));
    this.taken.push({ ...answer, use, toolCalls });
    this.outputTokensLeft -= Math.min(use.outputTokens, this.outputTokensMax);
    this.isOver = toolCalls.length === 0;
    this.messages.push(
      { ...answer.message, tool_calls: asked.map(({ asSent }) => asSent) },
      ...toolCalls.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text })),
    );
  }

  /** Ended steps are read before anything is awaited, so that a step that ends meanwhile is not counted twice. */
  async useWith(part: Promise<TokenUse>): Promise<TokenUse> {
    const { use, outputTokensMax } = this;
    return usesTogether([use, soundUse(await part, outputTokensMax)]);
  }

  private get outputTokensMax(): number {
    return Math.min(this.run.outputTokensMax, this.outputTokensLeft);
  }

  private get isLast(): boolean {
    const isSpent = this.outputTokensLeft <= this.run.outputTokensMax;
    return isSpent || this.taken.length + 1 >= stepsMax(this.run);
  }

  private async result(asked: AskedTool, tokensMax: number, signal: AbortSignal): Promise<ToolResult> {
    const { accountId, agent, allowDegraded } = this.run;
    const context = { accountId, namespace: agent?.memoryNamespace ?? 'default', allowDegraded, signal };
    const { text, isError } = await this.tools.run(this.run.tools, asked, context);
    return { text: await fitToTokens(text, tokensMax, this.tokens, signal), isError };
  }
}

export function stepOutputTokens({ max_completion_tokens: tokensMax }: ChatRequest, counted: number): number {
  return Math.min(counted, tokensMax ?? Infinity);
}

export function stepInputTokens({ messages, tools }: ChatRequest, counter: TokenCounter): Promise<number> {
  return estimateRequestTokens({ messages, tools }, counter);
}

/** Absurd output counts only up to what was asked for; absurd input is rejected by the call's meter. */
function soundUse(use: TokenUse, outputTokensMax: number): TokenUse {
  return {
    ...use,
    inputTokens: wholeTokens(use.inputTokens) ?? 0,
    outputTokens: believedTokens(use.outputTokens, outputTokensMax),
  };
}

interface AgentStreamOptions {
  readonly steps: AgentSteps;
  readonly whole: (steps: readonly TakenStep[]) => object;
  readonly request: ChatRequest;
  readonly stream: ModelStream;
  readonly ask: (request: ChatRequest) => { progress: WatchedWork; stream: Promise<ModelStream> };
  readonly counter: TokenCounter;
  readonly signal: AbortSignal;
  readonly created: number;
}

const PARAGRAPH = '\n\n';

/** The steps as chunks of one chat. The model's text is sent on at once; its tool calls are never sent. */
export class AgentStream extends StreamedAnswer {
  private readonly id = `chatcmpl-${newId().replaceAll('-', '')}`;
  /** The step that was asked for and is not yet in `steps.use`. */
  private current: WatchedWork | null = null;
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
      const useSoFar = () => this.useOf(request, step);
      this.current = { useSoFar };
      this.model = stream.model;
      let separator = hasSpoken ? PARAGRAPH : '';
      for await (const text of step.pieces()) {
        yield this.chunk({ delta: { content: separator + text }, finish_reason: null });
        separator = '';
        hasSpoken = true;
      }
      const answer = { ...step.answer(), use: await useSoFar() };
      await steps.take(answer, signal, () => (this.current = null));
      if (steps.isOver) {
        yield this.chunk({ delta: {}, finish_reason: answer.finishReason });
        return;
      }
      request = steps.next();
      const next = ask(request);
      this.current = next.progress;
      stream = await next.stream.catch((error: unknown) => {
        throw laterFailure(error, stream);
      });
    }
  }

  override async use(): Promise<TokenUse> {
    const part = this.current?.useSoFar();
    const { steps } = this.options;
    this.used = part ? await steps.useWith(part) : steps.use;
    return this.used;
  }

  override ending(numbers: FinalUsage): Uint8Array {
    const usage = usageWithCost(usageOf(this.used), formatUsd(numbers.chargedNanoUsd));
    const last = `data: ${withMember(JSON.stringify({ ...this.header(), choices: [] }), 'usage', usage)}\n\n`;
    return Buffer.from(`${last}${costComment(numbers)}data: [DONE]\n\n`);
  }

  override unstreamed(): string {
    return JSON.stringify(this.options.whole(this.options.steps.taken));
  }

  private useOf(request: ChatRequest, step: StreamedMessage): Promise<TokenUse> {
    const { counter } = this.options;
    return useOf(step.reported, {
      inputTokens: () => stepInputTokens(request, counter.withFallback()),
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

/** An UpstreamFailure promises that nothing was charged, which is untrue after the first step. */
function laterFailure(error: unknown, { engine }: ModelStream): unknown {
  if (!(error instanceof UpstreamFailure)) {
    return error;
  }
  const status = error.status === 503 || error.status === 504 ? error.status : 502;
  return new UpstreamBrokeOff(status, engine.provider, 'failed', error);
}
