import { Injectable } from '@nestjs/common';
import { Ajv, type ValidateFunction } from 'ajv';
import { ToolFault, type AgentTool, type AgentToolCall } from './agent-tool';

const ARGUMENTS_LENGTH_MAX = 20_000;

export interface ToolResult {
  text: string;
  /** Whether the text says what was wrong with the call. */
  isError: boolean;
}

interface RegisteredTool {
  tool: AgentTool;
  validate: ValidateFunction;
}

/** The tools that this service has. A group that brings one registers it when it starts. */
@Injectable()
export class AgentTools {
  private readonly tools = new Map<string, RegisteredTool>();
  private readonly ajv = new Ajv();

  /** @throws Error when there is a tool of that name, or its schema is none */
  register(tool: AgentTool): void {
    if (this.tools.has(functionName(tool.name))) {
      throw new Error(`there are two tools ${tool.name}`);
    }
    this.tools.set(functionName(tool.name), { tool, validate: this.ajv.compile(tool.parameters) });
  }

  has(name: string): boolean {
    return this.tools.get(functionName(name))?.tool.name === name;
  }

  /** The `tools` of a chat request; names that there is no tool for are left out. Source: OpenAI, "Function calling". */
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
   * Runs what a model asked for, by the name in its definition. A model may write anything: what it got wrong becomes the
   * result. Throws only what a tool throws beside ToolFault, and the signal's reason.
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

export interface FunctionDefinition {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  };
}

/** A function's name may have no dots. */
function functionName(name: string): string {
  return name.replaceAll('.', '_');
}

function readArguments(text: string): Record<string, unknown> {
  if (text.length > ARGUMENTS_LENGTH_MAX) {
    throw new ToolFault(`The arguments are longer than ${ARGUMENTS_LENGTH_MAX} characters.`);
  }
  try {
    // Models leave the arguments of a function empty that needs none.
    return JSON.parse(text.trim() === '' ? '{}' : text) as Record<string, unknown>;
  } catch {
    throw new ToolFault('The arguments are not JSON.');
  }
}

function refused(message: string): ToolResult {
  return { text: `Error: ${message}`, isError: true };
}
