import { jsonField } from '../../../infrastructure/json/json-object';
import type { UnsupportedFields } from './unsupported-fields';

type Json = Record<string, unknown>;

/** A response's function tools in the form of a chat; undefined without any. `unsupported` gets every other tool. */
export function chatTools(tools: unknown, unsupported: UnsupportedFields): Json[] | undefined {
  if (!Array.isArray(tools) || tools.length === 0) {
    return undefined;
  }
  return tools.map((tool: Json, index) => {
    if (tool.type !== 'function') {
      unsupported.add(
        `tools[${index}]`,
        `No tools of type ${String(tool.type)}: the model that answers has only functions.`,
      );
    }
    const { name, description, parameters, strict } = tool;
    return { type: 'function', function: given({ name, description, parameters, strict }) };
  });
}

/** A response's `tool_choice` in the form of a chat. `unsupported` gets a choice of tools that chats don't have. */
export function chatToolChoice(choice: unknown, unsupported: UnsupportedFields): unknown {
  if (typeof choice !== 'object' || choice === null) {
    return choice;
  }
  const { type, name, mode, tools } = choice as Json;
  if (type === 'function') {
    return { type, function: { name } };
  }
  const allowed = Array.isArray(tools) ? tools : [];
  if (type === 'allowed_tools' && allowed.every((tool) => jsonField(tool, 'type') === 'function')) {
    const functions = allowed.map((tool) => ({
      type: 'function',
      function: { name: jsonField(tool, 'name') },
    }));
    return { type, allowed_tools: { mode, tools: functions } };
  }
  unsupported.add('tool_choice');
  return undefined;
}

/**
 * A response's `text.format` as a chat's `response_format`; undefined for plain text. `unsupported` gets other formats.
 */
export function chatFormat(format: unknown, unsupported: UnsupportedFields): Json | undefined {
  if (format === undefined || format === null) {
    return undefined;
  }
  const { type, ...rest } = format as Json;
  switch (type) {
    case 'text':
      return undefined;
    case 'json_object':
      return { type };
    case 'json_schema':
      return { type, json_schema: given(rest) };
    default:
      unsupported.add('text.format');
      return undefined;
  }
}

function given(fields: Json): Json {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}
