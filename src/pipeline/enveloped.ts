import { nanoToUsd } from '../core/money/pricing/usd';
import type { MeteredCall } from './metered-call';

/** The envelope's `metadata`. */
export function envelopeMetadata(call: MeteredCall, chargeNanoUsd: bigint, now: Date): object {
  return {
    request_id: call.requestId,
    timestamp: isoText(now),
    cost: nanoToUsd(chargeNanoUsd + call.includedNanoUsd),
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

let latestMs = NaN;
let latestText = '';

/**
 * A time as `2026-01-15T12:00:00.000Z`. The last text is kept for calls in the same millisecond: making it is slow.
 */
function isoText(time: Date): string {
  const ms = time.getTime();
  if (ms !== latestMs) {
    latestText = time.toISOString();
    latestMs = ms;
  }
  return latestText;
}
