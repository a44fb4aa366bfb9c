import { jsonField, type JsonObject } from '../../infrastructure/json/json-object';
import type { ChatMessage } from '../models/chat-completion';
import { saidByModel } from '../models/said-by-model';

/** A call of a tool that a model asked for. */
export interface AskedTool {
  readonly id: string;
  readonly name: string;
  /** The arguments as JSON text; a model may write text that is no JSON. */
  readonly arguments: string;
  /** The call as the provider sent it, with any fields of its own: some providers refuse a call that lacks them. */
  readonly asSent: unknown;
}

/** The tool calls of an answer that have an id and a name. A provider may send anything, so the others are left out. */
export function readToolCalls(message: ChatMessage): AskedTool[] {
  return saidByModel(message)
    .calls.map(readToolCall)
    .filter((call) => call !== null);
}

function readToolCall(call: JsonObject): AskedTool | null {
  const { id, function: called } = call;
  const [name, text] = [jsonField(called, 'name'), jsonField(called, 'arguments')];
  if (typeof id !== 'string' || typeof name !== 'string') {
    return null;
  }
  return { id, name, arguments: typeof text === 'string' ? text : JSON.stringify(text ?? {}), asSent: call };
}
