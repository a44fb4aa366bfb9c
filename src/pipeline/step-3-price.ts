import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Configuration } from '../config/configuration';
import { type Estimate, Estimates, type Estimator } from '../contract/operation';
import { NotFound } from '../errors/api-errors';
import { InsufficientCredits, Ledger, type ReserveVerdict, SpendingLimitExceeded } from '../ledger/ledger';
import {
  affordableInputTokens,
  affordableOutputTokens,
  mostNanoUsd,
  type Price,
  PriceList,
  withSurcharge,
} from '../ledger/money';
import { refuseUnboundedParts } from '../models/extra-costs';
import { estimateRequestTokens } from '../models/request-tokens';
import { TokenCounter } from '../text/token-counter';
import type { MeteredCall } from './metered-call';
import { ApiKeyExpired, InvalidApiKey, InvalidToken } from '../accounts/credentials';
import type { Quote, RequestInput, ValidRequest } from './call-transport';

/** In UTF-16 units: at most 6 KiB of UTF-8, quick to count. */
const SMALL_BODY_LENGTH_MAX = 2 * 1024;
const DOCUMENT_ID = 'document_id';
const SEEN_FOR_MS = 60_000;
const ACCOUNTS_MAX = 10_000;

/** Refuses accounts without credit before any work. Small calls skip it: the reservation decides. */
@Injectable()
export class FirstLook {
  private readonly seen = new LRUCache<string, bigint>({ max: ACCOUNTS_MAX, ttl: SEEN_FOR_MS });

  constructor(
    private readonly ledger: Ledger,
    private readonly configuration: Configuration,
  ) {}

  /** @throws InsufficientCredits where less than `leastNanoUsd` is available */
  pass(accountId: string, request: ValidRequest, leastNanoUsd: bigint): Promise<void> | undefined {
    return isSmall(request) ? undefined : this.look(accountId, leastNanoUsd);
  }

  look(accountId: string, leastNanoUsd: bigint): Promise<void> | undefined {
    return (this.seen.get(accountId) ?? -1n) >= leastNanoUsd ? undefined : this.ask(accountId, leastNanoUsd);
  }

  note(accountId: string, availableNanoUsd: bigint): void {
    this.seen.set(accountId, availableNanoUsd);
  }

  private async ask(accountId: string, leastNanoUsd: bigint): Promise<void> {
    const balance = await this.ledger.balance(accountId).catch((error: unknown) => {
      if (error instanceof NotFound) {
        return null;
      }
      throw error;
    });
    if (balance === null) {
      return;
    }
    const availableNanoUsd = balance.balanceNanoUsd - balance.reservedNanoUsd;
    this.note(accountId, availableNanoUsd);
    if (availableNanoUsd < leastNanoUsd) {
      throw new InsufficientCredits({
        requiredNanoUsd: leastNanoUsd,
        isLeast: true,
        sandboxCurrencies: this.configuration.sandboxCurrencies,
        availableNanoUsd,
        affordableMaxTokens: null,
        affordableMaxInputTokens: null,
      });
    }
  }
}

function isSmall({ input, bodyLength }: ValidRequest): boolean {
  const { params, body } = input;
  if (Object.keys(params).length > 0 || bodyLength > SMALL_BODY_LENGTH_MAX) {
    return false;
  }
  // Internal calls have no known length. A body may be nested as deep as it likes.
  const pending: unknown[] = [body];
  let length = 0;
  while (pending.length > 0 && length <= SMALL_BODY_LENGTH_MAX) {
    const next = pending.pop();
    length += typeof next === 'string' ? next.length : 1;
    if (typeof next === 'object' && next !== null) {
      const names = Object.keys(next);
      if (names.includes(DOCUMENT_ID)) {
        return false;
      }
      length += names.length;
      pending.push(...(Object.values(next) as unknown[]).slice(0, SMALL_BODY_LENGTH_MAX));
    }
  }
  return length <= SMALL_BODY_LENGTH_MAX;
}

/** Larger bodies are not read for an account without credit. */
const READ_UNSEEN_BYTES_MAX = 1024 * 1024;

/** docs/decisions/0013: one price, whichever model answers. Without credit nothing is counted or read. */
@Injectable()
export class PriceStep {
  constructor(
    private readonly prices: PriceList,
    private readonly tokens: TokenCounter,
    private readonly configuration: Configuration,
    private readonly estimates: Estimates,
    private readonly firstLook: FirstLook,
  ) {}

  /** Step 2a, before a large body is read. With an Idempotency-Key the stored answer may be free. */
  beforeBody(call: MeteredCall): Promise<void> | undefined {
    const { unreadBytesMax, idempotencyKey } = call.transport;
    if (unreadBytesMax > READ_UNSEEN_BYTES_MAX && idempotencyKey === null) {
      const price = this.prices.get(call.policy.price ?? '');
      return this.looked(call, price, this.firstLook.look(call.accountId, price.baseNanoUsd));
    }
  }

  quote(call: MeteredCall, request: ValidRequest): Promise<Quote> | Quote {
    const price = this.prices.get(call.policy.price ?? '');
    return price.perTokenNanoUsd === null
      ? this.quoteOf(price, NO_TOKENS)
      : this.quoteByTokens(call, request, price);
  }

  private async quoteByTokens(call: MeteredCall, request: ValidRequest, price: Price): Promise<Quote> {
    const leastNanoUsd = this.prices.leastNanoUsd(price.name);
    const looking = this.firstLook.pass(call.accountId, request, leastNanoUsd);
    if (looking) {
      await this.looked(call, price, looking);
    }
    const estimator = this.estimates.of(call.policy.operationId);
    return estimator
      ? this.quoteByEstimate(call, request.input, price, estimator)
      : this.quoteByBody(call, request.input, price);
  }

  private async looked(call: MeteredCall, price: Price, looking: Promise<void> | undefined): Promise<void> {
    try {
      await looking;
    } catch (error) {
      call.quote = this.quoteOf(price, NO_TOKENS);
      throw error;
    }
  }

  private async quoteByEstimate(
    { policy, account, signal }: MeteredCall,
    { params, body }: RequestInput,
    price: Price,
    estimator: Estimator,
  ): Promise<Quote> {
    const { operationId } = policy;
    if (!account) {
      throw new Error(`${operationId} has an estimator but was called without an account`);
    }
    const estimate = await estimator({ operationId, params, body, account, signal });
    const ofModel = this.prices.forModel(price.name, estimate.model);
    return this.quoteOf(withSurcharge(ofModel, estimate.surcharge ?? null), estimate);
  }

  private async quoteByBody({ signal }: MeteredCall, { body }: RequestInput, price: Price): Promise<Quote> {
    refuseUnboundedParts(body);
    const inputTokens = await estimateRequestTokens(body, this.tokens, {
      signal,
      imageTokensMax: this.configuration.imageTokensMax,
    });
    return this.quoteOf(price, { inputTokens, ...this.output(body) });
  }

  private quoteOf(price: Price, estimate: Omit<Estimate, 'model' | 'surcharge'>): Quote {
    const { inputTokens, boundedInput = null, choices, outputTokensFixed = 0 } = estimate;
    const isOutputPriced = price.counts === 'input_and_output';
    const outputTokensMax = isOutputPriced ? estimate.outputTokensMax : 0;
    return {
      price,
      priceVersion: this.prices.version,
      inputTokens,
      boundedInput,
      outputTokensMax,
      outputTokensFixed,
      choices: isOutputPriced ? choices : 1,
      reserveNanoUsd: mostNanoUsd(price, { inputTokens, outputTokens: outputTokensMax }),
      plan: estimate.plan ?? null,
      planFor: estimate.planFor,
    };
  }

  private output(body: unknown): Pick<Estimate, 'choices' | 'outputTokensMax'> {
    const { max_completion_tokens, max_tokens, n } = (body ?? {}) as Record<
      string,
      number | null | undefined
    >;
    const tokensMax = max_completion_tokens ?? max_tokens ?? this.configuration.defaultOutputTokensMax;
    return { choices: n ?? 1, outputTokensMax: (n ?? 1) * tokensMax };
  }
}

const NO_TOKENS = { inputTokens: 0, outputTokensMax: 0, choices: 1 };

export type RefusedReservation = Exclude<ReserveVerdict, { verdict: 'reserved' }>;

/** With fewer tokens the call is refused, and the answer names affordable bounds. */
const OUTPUT_TOKENS_MIN = 16;

/** A quote with output of the service's choice, lowered to the room; null where that is too little. */
export function lowered(quote: Quote, verdict: RefusedReservation): Quote | null {
  const { planFor, price, inputTokens, choices, outputTokensFixed = 0 } = quote;
  const tokensMax = planFor && 'roomNanoUsd' in verdict ? affordable(quote, verdict.roomNanoUsd) : null;
  if (planFor === undefined || tokensMax === null || tokensMax < OUTPUT_TOKENS_MIN) {
    return null;
  }
  const outputTokensMax = choices * tokensMax + outputTokensFixed;
  const reserveNanoUsd = mostNanoUsd(price, { inputTokens, outputTokens: outputTokensMax });
  return { ...quote, outputTokensMax, reserveNanoUsd, plan: planFor(tokensMax) };
}

export function refusalOf(
  verdict: RefusedReservation,
  quote: Quote,
  hasKey: boolean,
  sandboxCurrencies: readonly string[],
): Error {
  if (verdict.verdict === 'key_expired') {
    return new ApiKeyExpired();
  }
  if (!('roomNanoUsd' in verdict)) {
    return hasKey ? new InvalidApiKey() : new InvalidToken();
  }
  const wanted = {
    requiredNanoUsd: quote.reserveNanoUsd,
    affordableMaxTokens: affordable(quote, verdict.roomNanoUsd),
    affordableMaxInputTokens: affordableInput(quote, verdict.roomNanoUsd),
  };
  if (verdict.verdict === 'insufficient_credits') {
    const { availableNanoUsd } = verdict;
    return new InsufficientCredits({ ...wanted, availableNanoUsd, sandboxCurrencies });
  }
  const { verdict: limitType, limitNanoUsd, spentNanoUsd, resetsAt } = verdict;
  const left = limitNanoUsd - spentNanoUsd;
  const availableNanoUsd = left > 0n ? left : 0n;
  return new SpendingLimitExceeded({
    ...wanted,
    availableNanoUsd,
    limitType,
    limitNanoUsd,
    spentNanoUsd,
    resetsAt,
  });
}

/** Fits the balance and every limit; null where even the least does not. */
function affordable(quote: Quote, roomNanoUsd: bigint): number | null {
  const fitting = affordableOutputTokens(quote.price, quote.inputTokens, roomNanoUsd) ?? 0;
  const tokens = fitting - (quote.outputTokensFixed ?? 0);
  return tokens < quote.choices ? null : Math.floor(tokens / quote.choices);
}

/** Null where the call has no such bound, or even the least costs too much. */
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
