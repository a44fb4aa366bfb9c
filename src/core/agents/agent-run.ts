import type { ChatMessage } from '../models/chat-completion';
import type { Engine } from '../models/model-provider';
import type { ModelRoute } from '../models/models';
import type { Meter } from '../money/pricing/meter';
import type { AgentRecord } from './agent.entity';

/** A call of an agent, or of a model alone, with everything decided that its price depends on. */
export interface AgentRun {
  readonly accountId: string;
  readonly agent: AgentRecord | null;
  /** The name that the caller or the agent gives; the route says which model it means. */
  readonly model: string;
  /** The providers that every step asks, one after the other. The run is priced by the first one's model. */
  readonly route: ModelRoute;
  /** The system prompt and the caller's messages, without memories. */
  readonly messages: readonly ChatMessage[];
  /** The tools that are offered to the model, by the names that agents list, such as `memory.search`. */
  readonly tools: readonly string[];
  readonly temperature: number | null;
  /** For each step. */
  readonly outputTokensMax: number;
  readonly allowDegraded: boolean;
}

/** The parts of an API call that a run needs to answer it. */
export interface RunCall {
  /** Ends the run when it aborts. */
  readonly signal: AbortSignal;
  /** Its `outputTokensMax` bounds all steps of the run together. */
  readonly meter: Meter;
  /** Puts a header into the answer, should the call succeed. */
  setHeader(name: string, value: string): void;
  /** Names what produced the answer. */
  setEngine(engine: Engine): void;
}

/** How often a run with tools may call the model. */
export const STEPS_MAX = 5;
/** The tokens that the results of all tools of one step may have together. */
export const RESULT_TOKENS_MAX = 2_000;
/** Tool calls beyond so many in one step are not run and not sent back to the model. */
export const TOOL_CALLS_PER_STEP_MAX = 8;
/** The tokens of a step's messages beside their text: the framing of each message and the ids of the tool calls. */
export const STEP_FRAMING_TOKENS_MAX = 400;
/** The tokens that all memories in a run's messages may have together. */
export const MEMORY_TOKENS_MAX = 4_000;

/** How many steps a run may take: without tools there is nothing to call the model a second time for. */
export function stepsMax(run: Pick<AgentRun, 'tools'>): number {
  return run.tools.length > 0 ? STEPS_MAX : 1;
}
