import { jsonField, type JsonObject } from '../../infrastructure/json/json-object';
import type { ChatMessage } from '../models/chat-completion';
import { saidByModel } from '../models/said-by-model';

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
