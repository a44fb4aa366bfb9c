/** Something that a model may call while an agent answers. */
export interface AgentTool {
  /** As an agent lists it, such as `memory.search`. */
  readonly name: string;
  /** What the model is told that it does. */
  readonly description: string;
  /** The JSON Schema of its arguments, an object; the registry holds every call to it. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * What the model is told. It is cut where it is long, so the best comes first. Throws ToolFault for what the model did
   * wrong, and gives up soon after the signal aborts; anything else that it throws fails the call.
   */
  run(call: AgentToolCall): Promise<string> | string;
}

export interface AgentToolCall {
  /** Whose agent it is: a tool sees nothing of others. */
  readonly accountId: string;
  /** The namespace of the agent's memories. */
  readonly namespace: string;
  /** As the tool's schema says. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** The model's own fault; it is told the message and may try again. */
export class ToolFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}
