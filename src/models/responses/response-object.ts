import { jsonField, type JsonObject, objectsOf, parsedJson, shownValue } from '../../runtime/json';
import type { ContentPart } from '../model-provider';

/** Fields that this service does not know stay in the object. Source: OpenAI's API reference, "Responses". */
export interface ResponseRequest {
  readonly model: string;
  readonly input: string | readonly ResponseInputItem[];
  readonly instructions?: string | null;
  readonly max_output_tokens?: number | null;
  readonly [field: string]: unknown;
}

export interface ResponseInputItem {
  readonly type?: string | null;
  readonly role?: string;
  readonly content?: string | readonly ContentPart[] | null;
  readonly [field: string]: unknown;
}

export interface ResponseObject {
  id: string;
  object: 'response';
  created_at: number;
  status: ResponseStatus;
  error: { code: string; message: string } | null;
  incomplete_details: { reason: 'max_output_tokens' | 'content_filter' } | null;
  model: string;
  output: OutputItem[];
  /** Null until the response has ended, and where the provider did not count. */
  usage: ResponseUsage | null;
  store: boolean;
  [field: string]: unknown;
}

export type ResponseStatus = 'in_progress' | 'completed' | 'incomplete' | 'failed';

export interface ResponseUsage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  [field: string]: unknown;
}

export type CallItem = FunctionCallItem | CustomCallItem;
export type OutputItem = MessageItem | CallItem | ReasoningItem;
export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

interface Item {
  id: string;
  status: ItemStatus;
  [field: string]: unknown;
}

export interface MessageItem extends Item {
  type: 'message';
  role: 'assistant';
  content: MessagePart[];
}

export type MessagePart = TextPart | RefusalPart;

export interface TextPart {
  type: 'output_text';
  annotations: unknown[];
  logprobs: unknown[];
  text: string;
  [field: string]: unknown;
}

interface RefusalPart {
  type: 'refusal';
  refusal: string;
  [field: string]: unknown;
}

interface FunctionCallItem extends Item {
  type: 'function_call';
  arguments: string;
  call_id: string;
  name: string;
}

interface CustomCallItem extends Item {
  type: 'custom_tool_call';
  input: string;
  call_id: string;
  name: string;
}

export interface ReasoningItem extends Item {
  type: 'reasoning';
  summary: unknown[];
  content: ReasoningPart[];
}

export interface ReasoningPart {
  type: 'reasoning_text';
  text: string;
  [field: string]: unknown;
}

const ENDS: readonly unknown[] = ['response.completed', 'response.incomplete'];

/** A streamed response has no `[DONE]`. One that failed has broken off. */
export function isResponseEnd({ type }: Readonly<Record<string, unknown>>): boolean {
  return ENDS.includes(type);
}

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
      ? `The input has to follow this ${shownValue(syntax)} grammar:\n${grammar}`
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
