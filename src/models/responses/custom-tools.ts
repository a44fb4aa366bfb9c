import { jsonField, type JsonObject, objectsOf, parsedJson } from '../../runtime/json';

/** Each becomes a function for a chat. Source: OpenAI's guide "Function calling", custom tools. */
const INPUT = 'input';
const PARAMETERS = {
  type: 'object',
  properties: { [INPUT]: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
  required: [INPUT],
  additionalProperties: false,
};

export function customAsFunction({ name, description, format }: JsonObject): JsonObject {
  const [syntax, grammar] = [jsonField(format, 'syntax'), jsonField(format, 'definition')];
  const rule =
    typeof grammar === 'string'
      ? `The input has to follow this ${String(syntax)} grammar:\n${grammar}`
      : null;
  const texts = [description, rule].filter((text) => typeof text === 'string');
  return { name, description: texts.length > 0 ? texts.join('\n\n') : undefined, parameters: PARAMETERS };
}

export function customArguments(input: string): string {
  return JSON.stringify({ [INPUT]: input });
}

export function customInput(sent: string): string {
  const input = jsonField(parsedJson(sent), INPUT);
  return typeof input === 'string' ? input : sent;
}

export function customNames({ tools }: JsonObject): ReadonlySet<unknown> {
  return new Set(objectsOf(tools).flatMap((tool) => (tool.type === 'custom' ? [tool.name] : [])));
}
