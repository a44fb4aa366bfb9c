import { nanoToUsd } from '../core/money/pricing/usd';
import { isoText } from '../infrastructure/clock/iso-text';
import type { MeteredCall } from './metered-call';

/** The envelope's `metadata`. */
export function envelopeMetadata(call: MeteredCall, chargeNanoUsd: bigint, now: Date): object {
  return {
    request_id: call.requestId,
    timestamp: isoText(now),
    cost: nanoToUsd(chargeNanoUsd),
    ...(call.engine && { engine: call.engine }),
  };
}

/** The JSON text of an answer, in the envelope where its operation has one. */
export function envelopedJson(call: MeteredCall, json: string, chargeNanoUsd: bigint, now: Date): string {
  if (!call.policy.envelope) {
    return json;
  }
  return `{"data":${json},"metadata":${JSON.stringify(envelopeMetadata(call, chargeNanoUsd, now))}}`;
}
