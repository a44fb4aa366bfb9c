import { OperatorCallFailed } from '../../operator-http/operator-http';
import { RpcError } from '../../operator-http/json-rpc';
import { ChainUnavailable } from '../chain-errors';

/** How long one look at the chain may take. */
export const LOOK_TIMEOUT_MS = 20_000;
export const CALL_TIMEOUT_MS = 5_000;
export const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
/**
 * Of what tells of a whole wallet: it can't be asked for in parts, and grows with each replacement of a transaction, by
 * whomever, that pays to many watched addresses.
 */
export const LISTING_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Does what asks a node, within the time of one look; all that can go wrong with a node becomes a ChainUnavailable.
 * @throws ChainUnavailable, WrongNetwork, the reason of the caller's signal
 */
export async function withinOneLook<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  outer?: AbortSignal,
): Promise<Result> {
  const deadline = AbortSignal.timeout(LOOK_TIMEOUT_MS);
  try {
    return await work(outer ? AbortSignal.any([outer, deadline]) : deadline);
  } catch (error) {
    outer?.throwIfAborted();
    if (deadline.aborted) {
      throw new ChainUnavailable('the look at the Bitcoin chain took too long', error);
    }
    if (error instanceof RpcError) {
      // Its text is the server's, which may repeat the URL with the operator's key in it.
      throw new ChainUnavailable(`the Bitcoin node: ${error.method} failed (${error.code})`, error);
    }
    if (error instanceof OperatorCallFailed) {
      throw new ChainUnavailable(`the Bitcoin node: ${error.message}`, error);
    }
    throw error;
  }
}
