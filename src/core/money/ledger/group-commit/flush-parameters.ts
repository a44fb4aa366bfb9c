import { newId } from '../../../../infrastructure/ids/ids';
import type { Batch } from './waiting-order';

/** The statement of every flush. flushParameters() makes its 24 parameters. */
export const FLUSH = `SELECT * FROM ledger_flush(${Array.from({ length: 24 }, (_, index) => `$${index + 1}`).join(', ')})`;

/**
 * A batch as the parameters of ledger_flush. Arrays are written as Postgres array literals here, because the driver's
 * general conversion looks at the type of every element, which takes longer than all other bookkeeping of a call.
 * @param processId whose reservations they are; null where no process is registered
 */
export function flushParameters(
  { settles, reserves }: Batch,
  processId: string | null,
): (string | boolean | null)[] {
  const s = settles.map(({ order }) => order);
  const r = reserves.map(({ order }) => order);
  const hasClaims = s.some(
    ({ answer, outcome, holdsClaim }) => answer !== null || outcome !== 'settled' || holdsClaim === true,
  );
  return [
    plain(s.map((order) => order.callId)),
    plain(s.map((order) => order.accountId)),
    plain(s.map((order) => order.outcome)),
    plain(s.map((order) => order.chargeNanoUsd)),
    plain(s.map((order) => order.status)),
    plain(s.map((order) => order.inputTokens)),
    plain(s.map((order) => order.outputTokens)),
    plain(s.map((order) => order.now.getTime())),
    plain(s.map(() => newId())),
    texts(s.map((order) => order.answer)),
    hasClaims,
    plain(r.map((order) => order.callId)),
    plain(r.map((order) => order.accountId)),
    plain(r.map((order) => order.keyId)),
    plain(r.map((order) => order.amountNanoUsd)),
    plain(r.map((order) => order.now.getTime())),
    plain(r.map((order) => order.leaseUntil.getTime())),
    texts(r.map((order) => order.operation)),
    texts(r.map((order) => order.requestId)),
    texts(r.map((order) => order.price)),
    texts(r.map((order) => order.priceVersion)),
    plain(r.map((order) => (order.secretHash ? `"\\\\x${order.secretHash.toString('hex')}"` : null))),
    texts(r.map((order) => order.clientRequestId ?? null)),
    processId,
  ];
}

/** An array literal of elements that need no quotes in it: ids, numbers, outcomes. */
function plain(elements: readonly (string | number | bigint | null)[]): string {
  let literal = '{';
  for (let index = 0; index < elements.length; index += 1) {
    literal += `${index === 0 ? '' : ','}${elements[index] ?? 'NULL'}`;
  }
  return `${literal}}`;
}

function texts(elements: readonly (string | null)[]): string {
  return plain(elements.map((text) => (text === null ? null : quoted(text))));
}

function quoted(text: string): string {
  return /["\\]/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`;
}
