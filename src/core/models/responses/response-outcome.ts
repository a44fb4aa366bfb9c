import { jsonField } from './json-field';
import type { ItemStatus, OutputItem, ResponseObject, ResponseUsage } from './response-object';

/** How a response ended, said as the fields of it. */
export type ResponseOutcome = Pick<ResponseObject, 'status' | 'incomplete_details'>;

/** What a choice's `finish_reason` means for a response. */
export function responseOutcome(finishReason: string | null | undefined): ResponseOutcome {
  switch (finishReason) {
    case 'length':
      return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    case 'content_filter':
      return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
    default:
      return { status: 'completed', incomplete_details: null };
  }
}

/** What was cut off is the item that came last. */
export function endedItems(items: readonly OutputItem[], outcome: ResponseOutcome): OutputItem[] {
  return items.map((item, index) => ({
    ...item,
    status: index === items.length - 1 ? lastItemStatus(outcome) : 'completed',
  }));
}

export function lastItemStatus({ status }: ResponseOutcome): ItemStatus {
  return status === 'incomplete' ? 'incomplete' : 'completed';
}

/** A chat's usage under the names of a response's; null where the chat has none. Other fields stay. */
export function responseUsage(usage: unknown): ResponseUsage | null {
  if (typeof usage !== 'object' || usage === null) return null;
  const { prompt_tokens, completion_tokens, total_tokens, ...rest } = usage as Record<string, unknown>;
  const { prompt_tokens_details: input, completion_tokens_details: output, ...others } = rest;
  const [inputTokens, outputTokens] = [tokens(prompt_tokens), tokens(completion_tokens)];
  return {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: tokens(jsonField(input, 'cached_tokens')),
      cache_write_tokens: tokens(jsonField(input, 'cache_write_tokens')),
    },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: tokens(jsonField(output, 'reasoning_tokens')) },
    total_tokens: typeof total_tokens === 'number' ? total_tokens : inputTokens + outputTokens,
    ...others,
  };
}

function tokens(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
