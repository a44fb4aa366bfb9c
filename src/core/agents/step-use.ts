import type { ChatRequest } from '../models/chat-completion';
import { estimateRequestTokens } from '../models/tokens/estimate-request-tokens';
import type { TokenCounter } from '../text/tokens/token-counter';
import type { TokenUse } from '../money/pricing/price-list';

/** What one step used: what its provider reported, counted where that said nothing, however much text waits for that. */
export async function stepUse(
  reported: { inputTokens: number | null; outputTokens: number | null },
  { messages, tools }: ChatRequest,
  produced: readonly string[],
  counter: TokenCounter,
): Promise<TokenUse> {
  const patient = counter.patient();
  return {
    inputTokens: reported.inputTokens ?? (await estimateRequestTokens({ messages, tools }, patient)),
    outputTokens: reported.outputTokens ?? (await patient.countAll(produced)),
  };
}
