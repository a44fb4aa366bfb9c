import { Ledger } from '../../../src/ledger/ledger';
import { parseUsd } from '../../../src/ledger/money';
import { newId } from '../../../src/runtime/ids';
import type { TestService } from './service';
import type { TestAccount } from './world';

export interface CallFields {
  /** What the call cost, USD as a decimal string. */
  charge?: string;
  operation?: string;
  price?: string;
  /** The key that made it, the account's own where absent; null for the account token. */
  keyId?: string | null;
  /** Anything but 2xx releases the reservation: such a call costs nothing. */
  status?: number;
  inputTokens?: number;
  outputTokens?: number;
  /** How long the work takes on the service's clock. */
  tookMs?: number;
}

/** A call that really passes the ledger, with a cost that no price would give. Returns its request id. */
export async function recordCall(
  service: TestService,
  account: TestAccount,
  fields: CallFields = {},
): Promise<string> {
  const { operation = 'createMemory', price = 'memory_operation', keyId = account.keyId } = fields;
  const { status = 200, inputTokens = 0, outputTokens = 0, tookMs = 0 } = fields;
  const ledger = service.app.get(Ledger);
  const amountNanoUsd = parseUsd(fields.charge ?? '0.0001');
  const [callId, requestId, startedAt] = [newId(), newId(), service.clock.now()];
  const { verdict } = await ledger.reserve({
    callId,
    accountId: account.id,
    keyId,
    amountNanoUsd,
    now: startedAt,
    leaseUntil: new Date(startedAt.getTime() + 20_000),
    operation,
    requestId,
    price,
    priceVersion: 'test',
  });
  expect(verdict).toBe('reserved');
  service.clock.advance(tookMs);
  const isCharged = status >= 200 && status < 300;
  await ledger.settle({
    callId,
    accountId: account.id,
    outcome: isCharged ? 'settled' : 'released',
    chargeNanoUsd: isCharged ? amountNanoUsd : 0n,
    status,
    inputTokens,
    outputTokens,
    now: service.clock.now(),
    answer: null,
  });
  return requestId;
}
