/** Something that a model may call while an agent answers. */
export interface AgentTool {
  /** The name by which an agent lists the tool, such as `memory.search`. */
  readonly name: string;
  /** Tells the model what the tool does. */
  readonly description: string;
  /** The JSON Schema of the arguments, which are an object. AgentTools checks every call against it. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * Returns the text that the model is told. A long text is cut at its end, so the most useful part has to come first.
   * Throws ToolFault for a mistake of the model's; any other error fails the whole API call. Gives up soon after the
   * signal aborts.
   */
  run(call: AgentToolCall): Promise<string> | string;
}

/** One call of a tool. */
export interface AgentToolCall {
  /** The account that runs the agent: a tool must not read what other accounts own. */
  readonly accountId: string;
  /** The namespace of the agent's memories. */
  readonly namespace: string;
  /** The arguments, which have passed the tool's schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Whether the API call takes a lesser answer where an upstream fails. */
  readonly allowDegraded: boolean;
  readonly signal: AbortSignal;
}

/** A mistake of the model's. The model is told the message and may call the tool again. */
export class ToolFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}
