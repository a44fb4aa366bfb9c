import type { ApiError } from '../errors/api-errors';
import { formatUsd, type TokenUse } from '../ledger/money';
import { jsonField, parsedJson, withMember } from '../runtime/json';

const TYPES: Record<number, string> = { 502: 'upstream_error', 504: 'timeout' };

/** In OpenAI's form of errors, with the upstream's own message where it refused. */
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

/** The sender reads `events()` to its end, calls `use()`, settles the charge, then sends the last bytes. */
export abstract class StreamedAnswer {
  /** An answer that fails after its headers but before any content costs nothing. */
  get hasBegun(): boolean {
    return true;
  }

  /** Throws ApiError when the answer breaks off, and soon after the call's signal aborts. */
  abstract events(): AsyncIterable<Uint8Array>;

  abstract use(): Promise<TokenUse>;

  abstract ending(numbers: FinalUsage): Uint8Array;

  /** Must not claim that the answer is complete. `numbers` is null where the call was not settled. */
  failure(error: ApiError, requestId: string, numbers: FinalUsage | null): Uint8Array {
    return Buffer.from(`${numbers ? costComment(numbers) : ''}data: ${failureEvent(error, requestId)}\n\n`);
  }

  /** Kept for a retry; null where too large. Called after `use`. */
  abstract unstreamed(): string | null;
}

/** Other answers have these in headers; clients ignore comments. In US dollars. */
export function costComment({ chargedNanoUsd, balanceNanoUsd, tokens }: FinalUsage): string {
  return `: cost=${formatUsd(chargedNanoUsd)} tokens=${tokens} balance=${formatUsd(balanceNanoUsd)}\n\n`;
}

/** Decimal text, because JSON.stringify writes small numbers with an exponent. */
export function usageWithCost(usage: object, costUsd: string): string {
  return withMember(JSON.stringify(usage), 'cost', costUsd);
}

/** Sent apart from costs, so that an idle connection is not taken for a dead one. */
export const WAITING_COMMENT = Buffer.from(': waiting\n\n');
