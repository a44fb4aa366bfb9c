import type { ApiError } from '../errors/api-errors';
import { formatUsd, type TokenUse } from '../ledger/money';

const TYPES: Record<number, string> = { 502: 'upstream_error', 504: 'timeout' };

/** JSON text in OpenAI's form of errors. */
export function failureEvent({ message, status }: ApiError, requestId: string): string {
  const type = TYPES[status] ?? 'server_error';
  return JSON.stringify({ error: { message, type, param: null, code: status, request_id: requestId } });
}

/** Known only after the settlement of a stream. */
export interface FinalNumbers {
  chargedNanoUsd: bigint;
  balanceNanoUsd: bigint;
  tokens: number;
}

/**
 * An answer that is sent as server-sent events while it is produced. The sender reads `events()` to its end, asks for `use()`,
 * settles the charge, and then sends the last bytes.
 */
export abstract class StreamedAnswer {
  /** All bytes but the last ones. @throws ApiError when the answer broke off, and soon after the call's signal aborts */
  abstract events(): AsyncIterable<Uint8Array>;

  /** Of everything that was produced; asked for once, after `events()` has ended or thrown. */
  abstract use(): Promise<TokenUse>;

  abstract ending(numbers: FinalNumbers): Uint8Array;

  /** Names the error and does not say that the answer is complete. `numbers` is null where the call was not settled. */
  abstract failure(error: ApiError, requestId: string, numbers: FinalNumbers | null): Uint8Array;

  /** The answer as it is without streaming, for a retry; null where it is too large to be kept. Asked after `use`. */
  abstract unstreamed(): string | null;
}

/** What other answers have in their headers; no client takes a comment for data. In US dollars. */
export function costComment({ chargedNanoUsd, balanceNanoUsd, tokens }: FinalNumbers): string {
  return `: cost=${formatUsd(chargedNanoUsd)} tokens=${tokens} balance=${formatUsd(balanceNanoUsd)}\n\n`;
}
