import type { ChatMessage } from '../models/chat-completion';
import type { Engine } from '../models/model-provider';
import type { Meter } from '../money/pricing/meter';
import type { AgentRecord } from './agent.entity';

/** A call of an agent, or of a model alone, with everything decided that its price depends on. */
export interface AgentRun {
  readonly accountId: string;
  readonly agent: AgentRecord | null;
  readonly model: string;
  /** The system prompt and the caller's messages, without memories. */
  readonly messages: readonly ChatMessage[];
  /** The tools that are offered to the model, as agents name them. */
  readonly tools: readonly string[];
  readonly temperature: number | null;
  /** Of one step. */
  readonly outputTokensMax: number;
  readonly allowDegraded: boolean;
}

/** What a run uses of the call that it answers. */
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

/** How often a run may call the model: again and again only with tools. */
export const STEPS_MAX = 5;
/** Of all results of one step together. */
export const RESULT_TOKENS_MAX = 2_000;
/** What a model asks for beyond these is dropped. */
export const TOOL_CALLS_PER_STEP_MAX = 8;
/** What the messages of a step cost beside their text: the framing of each and the ids of its tool calls. */
export const STEP_FRAMING_TOKENS_MAX = 400;
/** Of all memories that the model is told. */
export const MEMORY_TOKENS_MAX = 4_000;

export function stepsMax(run: Pick<AgentRun, 'tools'>): number {
  return run.tools.length > 0 ? STEPS_MAX : 1;
}
