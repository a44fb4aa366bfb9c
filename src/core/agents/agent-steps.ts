import type { AgentTools, ToolResult } from './tools/agent-tools';
import type { ChatMessage, ChatRequest } from '../models/chat-completion';
import { estimateRequestTokens } from '../models/tokens/estimate-request-tokens';
import { believedTokens, wholeTokens } from '../money/pricing/meter';
import type { TokenUse } from '../money/pricing/price-list';
import { fitToTokens } from '../text/tokens/fit-to-tokens';
import type { TokenCounter } from '../text/tokens/token-counter';
import { RESULT_TOKENS_MAX, TOOL_CALLS_PER_STEP_MAX, stepsMax, type AgentRun } from './agent-run';
import { readToolCalls, type AskedTool } from './asked-tool';

/** What a model answered in one step, whether it came whole or as a stream. */
export interface StepAnswer {
  readonly model: string;
  readonly finishReason: string | null;
  /** As the provider sent it, `tool_calls` included. The next step sends it back to the model. */
  readonly message: ChatMessage;
  readonly use: TokenUse;
}

/** A step's answer, and each tool call that it asked for with its result. */
export interface TakenStep extends StepAnswer {
  readonly toolCalls: readonly (AskedTool & ToolResult)[];
}

/**
 * The steps of one run: builds the request of each, and takes in its answer. All steps together never ask for more
 * output than the call has reserved. When the reservation covers no further step, the present one is offered no tools,
 * so that the model has to answer.
 */
export class AgentSteps {
  readonly taken: TakenStep[] = [];
  isOver = false;
  /** Whether any step has answered, so that `use` has to be paid for. */
  hasAnswered = false;
  /** The tokens of all steps that have answered, together. */
  use: TokenUse = { inputTokens: 0, outputTokens: 0 };

  constructor(
    private readonly run: AgentRun,
    private readonly messages: ChatMessage[],
    private outputTokensLeft: number,
    private readonly tools: AgentTools,
    private readonly tokens: TokenCounter,
  ) {}

  /** The chat request of the next step. */
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

  /**
   * Takes the answer to the request of `next()` and runs the tools that it asks for. Its use is added before the tools
   * run, so that `use` has it even where a tool fails. Throws what AgentTools.run and TokenCounter.count throw.
   * @param counted is called as soon as `use` contains the answer's use
   */
  async take(answer: StepAnswer, signal: AbortSignal, counted: () => void = () => undefined): Promise<void> {
    const asked = this.isLast ? [] : readToolCalls(answer.message).slice(0, TOOL_CALLS_PER_STEP_MAX);
    const use = soundUse(answer.use, this.outputTokensMax);
    this.use = sumOf(this.use, use);
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

  /**
   * The use of all steps that have answered and of the one that is still going on. What `partOf` promises is bounded as
   * if that step had answered so. The sum of the others is read before anything is awaited: should the step answer in
   * the meantime, it is not counted twice.
   */
  async useWith(partOf: () => Promise<TokenUse>): Promise<TokenUse> {
    const { use, outputTokensMax } = this;
    return sumOf(use, soundUse(await partOf(), outputTokensMax));
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

/** The output tokens of a step that were counted, as its provider reported none: no more than it was asked for. */
export function stepOutputTokens({ max_completion_tokens: tokensMax }: ChatRequest, counted: number): number {
  return Math.min(counted, tokensMax ?? Infinity);
}

/** The input tokens of a step, for a provider that does not report them. Throws what TokenCounter.countAll throws. */
export function stepInputTokens({ messages, tools }: ChatRequest, counter: TokenCounter): Promise<number> {
  return estimateRequestTokens({ messages, tools }, counter);
}

function sumOf(one: TokenUse, other: TokenUse): TokenUse {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}

/**
 * An upstream may report any numbers; they are made whole and not negative. Of absurd output no more counts than was
 * asked for; absurd input makes the sum of the run absurd, which its meter then does not believe.
 */
function soundUse({ inputTokens, outputTokens }: TokenUse, outputTokensMax: number): TokenUse {
  return {
    inputTokens: wholeTokens(inputTokens) ?? 0,
    outputTokens: believedTokens(outputTokens, outputTokensMax),
  };
}
