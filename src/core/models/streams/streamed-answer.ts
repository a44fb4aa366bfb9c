import { formatUsd } from '../../money/pricing/usd';
import type { ApiError } from '../../errors/api-error';
import type { TokenUse } from '../../money/pricing/price-list';

/** What the settlement of a stream made final. */
export interface FinalNumbers {
  chargedNanoUsd: bigint;
  balanceNanoUsd: bigint;
  tokens: number;
}

/**
 * An answer that leaves as server-sent events while it comes about. Whoever sends it reads `events()` to its end, asks
 * `use()`, settles, and then sends the last bytes: `ending()` of a complete answer, `failure()` of one that broke off.
 */
export abstract class StreamedAnswer {
  /**
   * The bytes as they are to leave, in order, all but the last. Returns when the answer is complete. Throws ApiError
   * when it broke off, and soon after the call's signal aborts.
   */
  abstract events(): AsyncIterable<Uint8Array>;

  /** What was used, of everything that was produced so far; asked once, after `events()` has ended in whatever way. */
  abstract use(): Promise<TokenUse>;

  /** The last bytes of a complete answer, whose last event says that it is complete. */
  abstract ending(numbers: FinalNumbers): Uint8Array;

  /** The last bytes of an answer that broke off: an event that names the error, and no sign of completeness. */
  abstract failure(error: ApiError, requestId: string, numbers: FinalNumbers | null): Uint8Array;

  /**
   * The same answer as it would be without streaming, JSON, which a retry gets; null where it is too large to be kept.
   * Asked only when it is complete, after `use`.
   */
  abstract unstreamed(): string | null;
}

/** The event that tells a stream's reader what an answer's headers tell others: a comment, which no client takes for data. */
export function costComment({ chargedNanoUsd, balanceNanoUsd, tokens }: FinalNumbers): string {
  return `: cost=${formatUsd(chargedNanoUsd)} tokens=${tokens} balance=${formatUsd(balanceNanoUsd)}\n\n`;
}
