import type { ApiError } from '../errors/api-errors';
import { formatUsd, type TokenUse } from '../ledger/money';
import { jsonField, parsedJson, withMember } from '../runtime/json';

const TYPES: Record<number, string> = { 502: 'upstream_error', 504: 'timeout' };

/** In OpenAI's form of errors. What an upstream refuses is told in its own words. */
export function failureEvent({ message, status, options }: ApiError, requestId: string): string {
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error');
  const reported = jsonField(jsonField(parsedJson(options.body ?? ''), 'error'), 'message');
  const text = typeof reported === 'string' ? reported : message;
  return JSON.stringify({ error: { message: text, type, param: null, code: status, request_id: requestId } });
}

export interface FinalUsage {
  chargedNanoUsd: bigint;
  balanceNanoUsd: bigint;
  tokens: number;
}

/** The sender reads `events()` to its end, asks for `use()`, settles the charge, and then sends the last bytes. */
export abstract class StreamedAnswer {
  /** One that fails before anything of it has come, after its headers have left, costs nothing. */
  get hasBegun(): boolean {
    return true;
  }

  /** All bytes but the last ones. @throws ApiError when the answer broke off, and soon after the call's signal aborts */
  abstract events(): AsyncIterable<Uint8Array>;

  /** Asked for once, after `events()` has ended or thrown. */
  abstract use(): Promise<TokenUse>;

  abstract ending(numbers: FinalUsage): Uint8Array;

  /** Does not say that the answer is complete. `numbers` is null where the call was not settled. */
  failure(error: ApiError, requestId: string, numbers: FinalUsage | null): Uint8Array {
    return Buffer.from(`${numbers ? costComment(numbers) : ''}data: ${failureEvent(error, requestId)}\n\n`);
  }

  /** For a retry; null where it is too large to be kept. Asked after `use`. */
  abstract unstreamed(): string | null;
}

/** Other answers have these in their headers; no client takes a comment for data. In US dollars. */
export function costComment({ chargedNanoUsd, balanceNanoUsd, tokens }: FinalUsage): string {
  return `: cost=${formatUsd(chargedNanoUsd)} tokens=${tokens} balance=${formatUsd(balanceNanoUsd)}\n\n`;
}

/** The JSON of a use, with its cost: JSON.stringify would write a small number with an exponent. */
export function usageWithCost(usage: object, costUsd: string): string {
  return withMember(JSON.stringify(usage), 'cost', costUsd);
}

/** Kept apart from costs, so that a connection on which nothing comes is not taken for a dead one. */
export const WAITING_COMMENT = Buffer.from(': waiting\n\n');
