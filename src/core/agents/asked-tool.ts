import type { ChatMessage } from '../models/chat-completion';

/** A tool that a model asked for. */
export interface AskedTool {
  readonly id: string;
  readonly name: string;
  /** JSON, if the model wrote it well. */
  readonly arguments: string;
  /** As the model's provider sent it, vendor fields included: some refuse their own calls without them. */
  readonly asSent: unknown;
}

/** The well-formed tool calls of an answer. A provider may send anything, so anything is expected. */
export function readToolCalls(message: ChatMessage): AskedTool[] {
  const calls: unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  return calls.map(readToolCall).filter((call) => call !== null);
}

function readToolCall(call: unknown): AskedTool | null {
  const { id, function: called } = (call ?? {}) as { id?: unknown; function?: unknown };
  const { name, arguments: text } = (called ?? {}) as { name?: unknown; arguments?: unknown };
  if (typeof id !== 'string' || typeof name !== 'string') {
    return null;
  }
  return { id, name, arguments: typeof text === 'string' ? text : JSON.stringify(text ?? {}), asSent: call };
}
