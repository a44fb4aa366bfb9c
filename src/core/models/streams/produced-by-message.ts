import { isObject, objectsOf, type JsonObject } from '../json/json-object';
import { saidText, thoughtText } from '../said-text';

/**
 * All text in a chat's message, or in the delta of one, that a model produced and that is paid for: what it says, refuses
 * or thinks, and the names and arguments of what it calls.
 */
export function producedByMessage(message: unknown): string[] {
  if (!isObject(message)) {
    return [];
  }
  const calls = objectsOf(message.tool_calls).map((call) => call.function);
  return [
    saidText(message.content),
    textOf(message.refusal),
    thoughtText(message),
    ...[...calls, message.function_call].filter(isObject).flatMap(namesAndArguments),
  ];
}

function namesAndArguments(called: JsonObject): string[] {
  return [textOf(called.name), textOf(called.arguments)];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
