import { jsonField } from '../../../infrastructure/json/json-object';
import type { ResponseObject, ResponseRequest } from './response-object';

/** Makes the unique part of the id of a response or of an item: letters and digits. */
export type NewId = () => string;

/** The id of a response, when it was made, and by which model. */
export interface ResponseIdentity {
  readonly id: string;
  /** Unix time in seconds. */
  readonly createdAt: number;
  readonly model: string;
}

/** The Unix time in seconds at which a chat says that it was made; the present time where it does not say. */
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
    // A chat gives no summary of its reasoning, even if the request asks for one.
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
