import type { DataSource } from 'typeorm';
import type { ClientCall } from './paid-load';

/** What the database knows of one call, by the request id that its client gave it. */
export interface ChargedCall {
  /** Of its charges in the ledger, one amount each. */
  chargesNanoUsd: bigint[];
  /** Of its receipts, one each; a call that moved no money may have none. */
  receipts: { outcome: string; chargedNanoUsd: bigint }[];
  /** Whether the memory is stored that this call's order asked for. */
  isStored: boolean;
}

/** Looks up every call that a client made. */
export async function chargedCalls(
  database: DataSource,
  told: readonly ClientCall[],
): Promise<Map<ClientCall, ChargedCall>> {
  const requestIds = told.map(({ requestId }) => requestId);
  const charges: { request_id: string; amount_nano: string }[] = await database.query(
    `SELECT c.client_request_id AS request_id, e.amount_nano FROM ledger_entries AS e
     JOIN calls AS c ON c.id::text = e.reference_id
     WHERE e.type = 'charge' AND c.client_request_id = ANY($1)`,
    [requestIds],
  );
  const receipts: { request_id: string; outcome: string; charged_nano: string }[] = await database.query(
    `SELECT client_request_id AS request_id, outcome, charged_nano FROM calls WHERE client_request_id = ANY($1)`,
    [requestIds],
  );
  const memories: { key: string }[] = await database.query('SELECT key FROM memories WHERE key = ANY($1)', [
    told.map(({ order }) => order.id),
  ]);
  const stored = new Set(memories.map(({ key }) => key));
  const calls = new Map(told.map(({ requestId }) => [requestId, emptyCall()]));
  for (const { request_id, amount_nano } of charges) {
    calls.get(request_id)?.chargesNanoUsd.push(-BigInt(amount_nano));
  }
  for (const { request_id, outcome, charged_nano } of receipts) {
    calls.get(request_id)?.receipts.push({ outcome, chargedNanoUsd: BigInt(charged_nano) });
  }
  return new Map(
    told.map((call) => {
      const known = calls.get(call.requestId) ?? emptyCall();
      return [call, { ...known, isStored: stored.has(call.order.id) }];
    }),
  );
}

function emptyCall(): ChargedCall {
  return { chargesNanoUsd: [], receipts: [], isStored: false };
}
