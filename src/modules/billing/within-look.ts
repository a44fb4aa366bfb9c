import { OperatorCallFailed, RpcError } from '../../http/operator-http';
import { ChainUnavailable } from './payment-chain';

const LOOK_MS_MAX = 20_000;

/**
 * Does what asks a node, within the time of one look; all that can go wrong with a node becomes a ChainUnavailable. The node's
 * own words stay in the cause: they may repeat the URL with the operator's key in it.
 * @throws ChainUnavailable, WrongNetwork, the reason of the caller's signal
 */
export async function withinLook<Result>(
  coin: string,
  work: (signal: AbortSignal) => Promise<Result>,
  outer?: AbortSignal,
): Promise<Result> {
  const deadline = AbortSignal.timeout(LOOK_MS_MAX);
  try {
    return await work(outer ? AbortSignal.any([outer, deadline]) : deadline);
  } catch (error) {
    outer?.throwIfAborted();
    if (error instanceof RpcError) {
      throw new ChainUnavailable(`the ${coin} node: ${error.method} failed (${error.code})`, error);
    }
    if (error instanceof OperatorCallFailed && !deadline.aborted) {
      throw new ChainUnavailable(`the ${coin} node: ${error.message}`, error);
    }
    if (deadline.aborted) {
      throw new ChainUnavailable(`the ${coin} node took more than ${LOOK_MS_MAX} ms`, error);
    }
    throw error;
  }
}
