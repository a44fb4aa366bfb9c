import { Injectable } from '@nestjs/common';
import { Ajv, type ValidateFunction } from 'ajv';
import { ToolFault, type AgentTool, type AgentToolCall } from './agent-tool';

const ARGUMENTS_LENGTH_MAX = 20_000;

/** What a call of a tool came to. */
export interface ToolResult {
  /** What the model is told. */
  text: string;
  /** Whether the text says what was wrong with the call. */
  isError: boolean;
}

interface RegisteredTool {
  tool: AgentTool;
  validate: ValidateFunction;
}

/** The tools that this service has. A module that has a tool of its own registers it when the service starts. */
@Injectable()
export class AgentTools {
  private readonly tools = new Map<string, RegisteredTool>();
  private readonly ajv = new Ajv();

  /** @throws Error when models know another tool by the same name, or when the tool's schema is no JSON Schema */
  register(tool: AgentTool): void {
    if (this.tools.has(functionName(tool.name))) {
      throw new Error(`there are two tools ${tool.name}`);
    }
    this.tools.set(functionName(tool.name), { tool, validate: this.ajv.compile(tool.parameters) });
  }

  /** Whether there is a tool that agents list by this name. */
  has(name: string): boolean {
    return this.tools.get(functionName(name))?.tool.name === name;
  }

  /** The `tools` of a chat request; names without a tool are left out. Source: OpenAI's guide, "Function calling". */
  definitions(names: readonly string[]): FunctionDefinition[] {
    return names
      .filter((name) => this.has(name))
      .map((name) => {
        const called = functionName(name);
        const { description, parameters } = (this.tools.get(called) as RegisteredTool).tool;
        return { type: 'function', function: { name: called, description, parameters } };
      });
  }

  /**
   * Runs the tool that a model asked for. A mistake of the model's, such as an unknown name, becomes a result that
   * tells it so. Throws the signal's reason, and every error of the tool but ToolFault.
   * @param offered the tools that the agent has, by the names that agents list
   * @param asked the function's name, as `definitions` gives it, and its arguments as JSON text
   */
  async run(
    offered: readonly string[],
    asked: { name: string; arguments: string },
    call: Omit<AgentToolCall, 'parameters'>,
  ): Promise<ToolResult> {
    call.signal.throwIfAborted();
    const registered = this.tools.get(asked.name);
    if (!registered || !offered.includes(registered.tool.name)) {
      return refused('There is no such tool.');
    }
    try {
      const parameters = readArguments(asked.arguments);
      if (!registered.validate(parameters)) {
        return refused(this.ajv.errorsText(registered.validate.errors, { dataVar: 'arguments' }));
      }
      const text = await registered.tool.run({ ...call, parameters });
      return { text, isError: false };
    } catch (error) {
      if (error instanceof ToolFault) {
        return refused(error.message);
      }
      throw error;
    }
  }
}

/** A tool as a chat request defines it. */
export interface FunctionDefinition {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  };
}

/** The name by which models call a tool: providers allow no dots in the name of a function. */
function functionName(name: string): string {
  return name.replaceAll('.', '_');
}

function readArguments(text: string): Record<string, unknown> {
  if (text.length > ARGUMENTS_LENGTH_MAX) {
    throw new ToolFault(`The arguments are longer than ${ARGUMENTS_LENGTH_MAX} characters.`);
  }
  try {
    // Some models write an empty text for a function that they give no arguments.
    return JSON.parse(text.trim() === '' ? '{}' : text) as Record<string, unknown>;
  } catch {
    throw new ToolFault('The arguments are not JSON.');
  }
}

function refused(message: string): ToolResult {
  return { text: `Error: ${message}`, isError: true };
}
