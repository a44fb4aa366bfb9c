import type { ApiError } from '../errors/api-errors';
import type { TokenUse } from '../ledger/price-list';
import { formatUsd } from '../ledger/usd';

const TYPES: Record<number, string> = { 502: 'upstream_error', 504: 'timeout' };

/** The data of the event that says why a stream broke off, as JSON text in OpenAI's form of errors. */
export function failureEvent({ message, status }: ApiError, requestId: string): string {
  const type = TYPES[status] ?? 'server_error';
  return JSON.stringify({ error: { message, type, param: null, code: status, request_id: requestId } });
}

/** The charge for a stream, which is known only after its settlement. */
export interface FinalNumbers {
  chargedNanoUsd: bigint;
  /** What the account has left. */
  balanceNanoUsd: bigint;
  tokens: number;
}

/**
 * An answer that is sent as server-sent events while it is produced. The sender reads `events()` to its end, asks for
 * `use()`, settles the charge, and then sends the last bytes: `ending()` of a complete answer, or `failure()` of one
 * that broke off.
 */
export abstract class StreamedAnswer {
  /**
   * The bytes to send, in order, without the last ones. Ends when the answer is complete. Throws ApiError when the
   * answer broke off, and throws soon after the call's signal aborts.
   */
  abstract events(): AsyncIterable<Uint8Array>;

  /** The tokens of everything that was produced so far. It is asked for once, after `events()` has ended or thrown. */
  abstract use(): Promise<TokenUse>;

  /** The last bytes of a complete answer. Their last event tells the client that the answer is complete. */
  abstract ending(numbers: FinalNumbers): Uint8Array;

  /**
   * The last bytes of an answer that broke off: an event that names the error, and none that says that the answer is
   * complete. `numbers` is null where the call could not be settled.
   */
  abstract failure(error: ApiError, requestId: string, numbers: FinalNumbers | null): Uint8Array;

  /**
   * The answer as the JSON text that the same request gets without streaming; it is kept for a retry of the call. Null
   * where it is too large to be kept. Asked for only when the answer is complete, after `use`.
   */
  abstract unstreamed(): string | null;
}

/**
 * The cost, tokens and balance that other answers have in their headers. In a stream they are a comment, which no
 * client takes for data. The amounts are in US dollars.
 */
export function costComment({ chargedNanoUsd, balanceNanoUsd, tokens }: FinalNumbers): string {
  return `: cost=${formatUsd(chargedNanoUsd)} tokens=${tokens} balance=${formatUsd(balanceNanoUsd)}\n\n`;
}
