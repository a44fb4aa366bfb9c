import type { TokenUse } from '../../money/pricing/price-list';

/**
 * What an upstream's usage object says, in either API's names; null members where it says nothing that is a number. The
 * numbers may be anything: whoever charges for them holds them to what was reserved.
 */
export function reportedUse(usage: unknown): { inputTokens: number | null; outputTokens: number | null } {
  const fields = (typeof usage === 'object' && usage !== null ? usage : {}) as Record<string, unknown>;
  return {
    inputTokens: numberOf(fields.prompt_tokens ?? fields.input_tokens),
    outputTokens: numberOf(fields.completion_tokens ?? fields.output_tokens),
  };
}

/** The usage object for an answer whose upstream sent none. */
export function usageOf({ inputTokens, outputTokens }: TokenUse): Record<string, number> {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
