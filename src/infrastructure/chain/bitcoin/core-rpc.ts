import { JsonRpc, RpcError, type RpcRequest } from '../../operator-http/json-rpc';
import type { OperatorHttp } from '../../operator-http/operator-http';

/** What bitcoind's errors mean (src/rpc/protocol.h of Bitcoin Core). */
export const CORE_ERRORS = {
  walletFault: -4,
  unknownTransaction: -5,
  unknownWallet: -18,
  alreadyLoaded: -35,
} as const;

/** The connection of one look at the chain to bitcoind and to the wallet there that watches the addresses. */
export class CoreRpc {
  private readonly node: JsonRpc;
  private readonly wallet: JsonRpc;
  private readonly patientNode: JsonRpc;
  private readonly patientWallet: JsonRpc;

  /** @param patientHttp has a longer time-out, and takes longer answers, for what takes a wallet long */
  constructor(
    http: OperatorHttp,
    patientHttp: OperatorHttp,
    readonly walletName: string,
    readonly signal: AbortSignal,
  ) {
    const path = `/wallet/${walletName}`;
    this.node = new JsonRpc(http);
    this.wallet = new JsonRpc(http, path);
    this.patientNode = new JsonRpc(patientHttp);
    this.patientWallet = new JsonRpc(patientHttp, path);
  }

  get requests(): number {
    return [this.node, this.wallet, this.patientNode, this.patientWallet].reduce(
      (sum, { requests }) => sum + requests,
      0,
    );
  }

  /** @throws RpcError, OperatorCallFailed */
  call(method: string, ...params: unknown[]): Promise<unknown> {
    return this.wallet.call(method, params, this.signal);
  }

  callPatiently(method: string, ...params: unknown[]): Promise<unknown> {
    return this.patientWallet.call(method, params, this.signal);
  }

  callNodePatiently(method: string, ...params: unknown[]): Promise<unknown> {
    return this.patientNode.call(method, params, this.signal);
  }

  /**
   * Sends requests in batches of a size that even the longest answers fit into.
   * @returns what was answered; null where the answer was an error with the code `expected`
   * @throws RpcError for any other error, OperatorCallFailed
   */
  batch(calls: readonly RpcRequest[], sizeMax: number, expected?: number): Promise<unknown[]> {
    return this.inBatches(this.wallet, calls, sizeMax, expected);
  }

  /** As `batch`, for answers that are long. */
  batchPatiently(calls: readonly RpcRequest[], sizeMax: number, expected?: number): Promise<unknown[]> {
    return this.inBatches(this.patientWallet, calls, sizeMax, expected);
  }

  private async inBatches(
    wallet: JsonRpc,
    calls: readonly RpcRequest[],
    sizeMax: number,
    expected: number | undefined,
  ): Promise<unknown[]> {
    const results: unknown[] = [];
    for (let start = 0; start < calls.length; start += sizeMax) {
      for (const outcome of await wallet.batch(calls.slice(start, start + sizeMax), this.signal)) {
        if ('error' in outcome && outcome.error.code !== expected) {
          throw outcome.error;
        }
        results.push('error' in outcome ? null : outcome.result);
      }
    }
    return results;
  }
}

/** Whether what was thrown is bitcoind's error with this code. */
export function isCoreError(error: unknown, code: number): error is RpcError {
  return error instanceof RpcError && error.code === code;
}
