import type { ChatRequest } from '../../core/models/chat-completion';
import { estimateRequestTokens } from '../../core/models/tokens/estimate-request-tokens';
import type { TokenCounter } from '../../core/models/tokens/token-counter';
import type { TokenUse } from '../../core/pricing/price-list';

/** What one step used: what its provider reported, counted where that said nothing. */
export async function stepUse(
  reported: { inputTokens: number | null; outputTokens: number | null },
  { messages, tools }: ChatRequest,
  produced: readonly string[],
  counter: TokenCounter,
): Promise<TokenUse> {
  return {
    inputTokens: reported.inputTokens ?? (await estimateRequestTokens({ messages, tools }, counter)),
    outputTokens: reported.outputTokens ?? (await counter.countAll(produced)),
  };
}
