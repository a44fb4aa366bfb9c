import { nanoToUsd } from '../pricing/usd';
import type { Receipt } from './usage-log.repository';

/** A receipt as the account that made the call and operators see it. */
export function receiptRecord(receipt: Receipt) {
  const isEnded = receipt.completedAt !== null;
  return {
    request_id: receipt.requestId,
    client_request_id: receipt.clientRequestId,
    operation: receipt.operation,
    key_id: receipt.keyId,
    status: receipt.status,
    outcome: receipt.outcome,
    price: receipt.price,
    price_version: receipt.priceVersion,
    input_tokens: receipt.inputTokens,
    output_tokens: receipt.outputTokens,
    reserved: nanoToUsd(receipt.reservedNanoUsd),
    charged: nanoToUsd(receipt.chargedNanoUsd),
    released: isEnded ? nanoToUsd(releasedNanoUsd(receipt)) : 0,
    latency_ms: receipt.latencyMs,
    transaction_id: receipt.transactionId,
    created_at: receipt.createdAt.toISOString(),
    completed_at: receipt.completedAt?.toISOString() ?? null,
  };
}

/** Nothing goes back where the call cost more than was reserved. */
function releasedNanoUsd({ reservedNanoUsd, chargedNanoUsd }: Receipt): bigint {
  return reservedNanoUsd > chargedNanoUsd ? reservedNanoUsd - chargedNanoUsd : 0n;
}
