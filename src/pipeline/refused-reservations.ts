import { ApiKeyExpired, InvalidApiKey, InvalidToken } from '../accounts/credentials';
import { InsufficientCredits, type ReserveVerdict, SpendingLimitExceeded } from '../ledger/ledger';
import { affordableInputTokens, affordableOutputTokens, costNanoUsd } from '../ledger/money';
import type { Quote } from './call-transport';

type Refused = Exclude<ReserveVerdict, { verdict: 'reserved' }>;

/** Fewer would hardly be an answer: the call is refused then, and its caller told what it may ask for. */
const OUTPUT_TOKENS_MIN = 16;

/** Lowers a quote whose output is the service's to choose to what there is room for. @returns whether it is lower now */
export function lower(quote: Quote, verdict: Refused): boolean {
  const { planFor, price, inputTokens, choices, outputTokensFixed = 0 } = quote;
  const tokensMax = planFor && 'roomNanoUsd' in verdict ? affordable(quote, verdict.roomNanoUsd) : null;
  if (planFor === undefined || tokensMax === null || tokensMax < OUTPUT_TOKENS_MIN) {
    return false;
  }
  const outputTokensMax = choices * tokensMax + outputTokensFixed;
  const reserveNanoUsd = costNanoUsd(price, { inputTokens, outputTokens: outputTokensMax });
  Object.assign(quote, { outputTokensMax, reserveNanoUsd, plan: planFor(tokensMax) });
  return true;
}

/** The error of a call that the ledger has refused, with what its caller may ask for instead. */
export function refusalOf(
  verdict: Refused,
  quote: Quote,
  hasKey: boolean,
  sandboxCurrencies: readonly string[],
): Error {
  switch (verdict.verdict) {
    case 'insufficient_credits':
      return new InsufficientCredits({
        requiredNanoUsd: quote.reserveNanoUsd,
        availableNanoUsd: verdict.availableNanoUsd,
        affordableMaxTokens: affordable(quote, verdict.roomNanoUsd),
        affordableMaxInputTokens: affordableInput(quote, verdict.roomNanoUsd),
        sandboxCurrencies,
      });
    case 'per_request':
    case 'daily':
    case 'monthly': {
      const left = verdict.limitNanoUsd - verdict.spentNanoUsd;
      const availableNanoUsd = left > 0n ? left : 0n;
      return new SpendingLimitExceeded({
        requiredNanoUsd: quote.reserveNanoUsd,
        availableNanoUsd,
        affordableMaxTokens: affordable(quote, verdict.roomNanoUsd),
        affordableMaxInputTokens: affordableInput(quote, verdict.roomNanoUsd),
        limitType: verdict.verdict,
        limitNanoUsd: verdict.limitNanoUsd,
        spentNanoUsd: verdict.spentNanoUsd,
        resetsAt: verdict.resetsAt,
      });
    }
    case 'key_expired':
      return new ApiKeyExpired();
    default:
      return hasKey ? new InvalidApiKey() : new InvalidToken();
  }
}

/**
 * The largest max_tokens with which the call would fit into the balance and every limit, not only into the one that
 * refused it; null where even the least does not fit.
 */
function affordable(quote: Quote, roomNanoUsd: bigint): number | null {
  const fitting = affordableOutputTokens(quote.price, quote.inputTokens, roomNanoUsd) ?? 0;
  const tokens = fitting - (quote.outputTokensFixed ?? 0);
  return tokens < quote.choices ? null : Math.floor(tokens / quote.choices);
}

/** The largest max_input_tokens with which the call would fit; null where it has none, or even the least does not fit. */
function affordableInput(
  { price, inputTokens, boundedInput, outputTokensMax }: Quote,
  roomNanoUsd: bigint,
): number | null {
  if (boundedInput === null) {
    return null;
  }
  const { tokens, times } = boundedInput;
  const fitting = affordableInputTokens(price, outputTokensMax, roomNanoUsd) ?? 0;
  const left = Math.floor((fitting - (inputTokens - tokens * times)) / times);
  return left < 1 ? null : left;
}
