import { isObject, jsonField } from '../../../infrastructure/json/json-object';
import type { TokenUse } from '../../money/pricing/price-list';
import type { ResponseUsage } from '../responses/response-object';

/** The tokens that a provider reported; a member is null where it reported none. */
export interface ReportedUse {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/**
 * Reads an upstream's usage object, whether it uses the names of chats or of responses. Members that are no numbers are
 * null. The numbers may be absurd: whoever charges for them has to bound them by what was reserved.
 */
export function reportedUse(usage: unknown): ReportedUse {
  const fields = isObject(usage) ? usage : {};
  return {
    inputTokens: numberOf(fields.prompt_tokens ?? fields.input_tokens),
    outputTokens: numberOf(fields.completion_tokens ?? fields.output_tokens),
  };
}

/**
 * The use of an answer: the reported tokens, and a count of those that were not reported. Throws what counting throws.
 */
export async function useOf(
  reported: ReportedUse,
  counted: { inputTokens(): Promise<number> | number; outputTokens(): Promise<number> },
): Promise<TokenUse> {
  return {
    inputTokens: reported.inputTokens ?? (await counted.inputTokens()),
    outputTokens: reported.outputTokens ?? (await counted.outputTokens()),
  };
}

/** The usage object for a chat or a completion whose upstream sent none. */
export function usageOf({ inputTokens, outputTokens }: TokenUse): Record<string, number> {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

/** The usage object for a response whose upstream sent none. */
export function responseUsageOf({ inputTokens, outputTokens }: TokenUse): ResponseUsage {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}

/** A chat's usage under the names of a response's; null where the chat has none. Other fields stay. */
export function asResponseUsage(usage: unknown): ResponseUsage | null {
  if (!isObject(usage)) {
    return null;
  }
  const { prompt_tokens, completion_tokens, total_tokens, ...rest } = usage;
  const { prompt_tokens_details: input, completion_tokens_details: output, ...others } = rest;
  const [inputTokens, outputTokens] = [numberOf(prompt_tokens) ?? 0, numberOf(completion_tokens) ?? 0];
  return {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: numberOf(jsonField(input, 'cached_tokens')) ?? 0,
      cache_write_tokens: numberOf(jsonField(input, 'cache_write_tokens')) ?? 0,
    },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: numberOf(jsonField(output, 'reasoning_tokens')) ?? 0 },
    total_tokens: numberOf(total_tokens) ?? inputTokens + outputTokens,
    ...others,
  };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
