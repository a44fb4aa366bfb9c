import { jsonField } from '../../../infrastructure/json/json-object';
import type { ResponseObject, ResponseRequest } from './response-object';

/** What makes a response's and its items' ids unique: letters and digits. */
export type NewId = () => string;

/** Which response this is, and of which model. */
export interface ResponseIdentity {
  readonly id: string;
  /** Unix time in seconds. */
  readonly createdAt: number;
  readonly model: string;
}

/** When a chat says that it was made, and now where it does not say; Unix seconds. */
export function createdAt(chat: unknown): number {
  const created = jsonField(chat, 'created');
  return typeof created === 'number' ? created : Math.floor(Date.now() / 1000);
}

/**
 * A response that has just begun. It repeats the request's parameters, with the defaults of the API where the request
 * names none.
 */
export function responseShell(request: ResponseRequest, identity: ResponseIdentity): ResponseObject {
  const text = request.text as Record<string, unknown> | null | undefined;
  const reasoning = request.reasoning as Record<string, unknown> | null | undefined;
  return {
    id: identity.id,
    object: 'response',
    created_at: identity.createdAt,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    model: identity.model,
    output: [],
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: null,
    // A chat has no summaries, whatever was asked for.
    reasoning: { effort: reasoning?.effort ?? null, summary: null },
    service_tier: request.service_tier ?? 'auto',
    store: false,
    temperature: request.temperature ?? 1,
    text: { format: { type: 'text' }, ...text },
    tool_choice: request.tool_choice ?? 'auto',
    tools: request.tools ?? [],
    top_logprobs: request.top_logprobs ?? 0,
    top_p: request.top_p ?? 1,
    truncation: 'disabled',
    usage: null,
    user: request.user ?? null,
    metadata: request.metadata ?? {},
  };
}
