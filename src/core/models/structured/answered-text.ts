import { believedTokens, wholeTokens } from '../../money/pricing/meter';
import type { TokenUse } from '../../money/pricing/price-list';
import type { ChatRequest, ChatResponse } from '../chat-completion';
import { estimateRequestTokens } from '../tokens/estimate-request-tokens';
import { reportedUse } from '../use/reported-use';
import { TokenCounter } from '../../text/tokens/token-counter';

const REFUSAL_LENGTH_MAX = 300;

/** The text that a chat answered, and whether it can be an answer. */
export interface AnsweredText {
  readonly text: string;
  /** Why the text cannot be an answer, as a sentence for the model; null where it may be one. */
  readonly fault: string | null;
}

/** Reads a chat's answer, of which an upstream may leave out anything. */
export function answeredText(response: ChatResponse): AnsweredText {
  const choices: unknown = response.choices;
  const choice = (Array.isArray(choices) ? choices[0] : null) as Partial<ChatResponse['choices'][0]> | null;
  const { content, refusal } = choice?.message ?? {};
  return { text: typeof content === 'string' ? content : '', fault: faultOf(choice?.finish_reason, refusal) };
}

/**
 * The tokens that a call used: what the upstream reports, as far as it is believed, and a count within the request's cap
 * where it reports nothing. `producedTokens` is at least the tokens of the text, even if the upstream reports fewer: a
 * repair gets only the output tokens that are left. Throws what TokenCounter.countAll throws.
 */
export async function distrustedUse(
  response: ChatResponse,
  request: ChatRequest,
  counter: TokenCounter,
  signal?: AbortSignal,
): Promise<TokenUse & { readonly producedTokens: number }> {
  const outputTokensMax = request.max_completion_tokens ?? 0;
  const reported = reportedUse(response.usage);
  const counted = Math.min(await counter.count(answeredText(response).text, signal), outputTokensMax);
  const told = wholeTokens(reported.outputTokens);
  const outputTokens = told === null ? counted : believedTokens(told, outputTokensMax);
  return {
    inputTokens:
      wholeTokens(reported.inputTokens) ?? (await estimateRequestTokens(request, counter, { signal })),
    outputTokens,
    producedTokens: Math.max(outputTokens, counted),
  };
}

function faultOf(finishReason: unknown, refusal: unknown): string | null {
  if (typeof refusal === 'string' && refusal !== '') {
    return `It refused: ${refusal.slice(0, REFUSAL_LENGTH_MAX)}`;
  }
  if (finishReason === 'length') {
    return 'It was cut off at its greatest length; answer more briefly.';
  }
  return finishReason === 'content_filter' ? 'It was withheld by a content filter.' : null;
}
