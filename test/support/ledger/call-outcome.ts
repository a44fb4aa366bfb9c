import { usdToNano } from '../../../src/ledger/money';
import { ledgerFaults } from './ledger-faults';
import { ledgerEntries } from './ledger-entries';
import type { TestService } from '../api/service';
import { until } from '../until';
import type { TestAccount } from '../api/world';
import { openReservations } from './open-reservations';

export const BASE_NANO_USD = 2_000_000n;
export const TOKEN_NANO_USD = 10_000n;
/** Of every call that these tests make. */
export const OUTPUT_TOKENS_MAX = 40;

/** What became of an account's only call, everywhere where it can be seen. Nano-USD. */
export interface CallOutcome {
  readonly outcome: string;
  readonly status: number | null;
  readonly reservedNanoUsd: bigint;
  readonly chargedNanoUsd: bigint;
  readonly releasedNanoUsd: bigint;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** What was counted as input before the call began, as its reservation tells. */
  readonly countedInputTokens: number;
}

/** What a call with this many tokens costs. */
export function priceNanoUsd(tokens: number): bigint {
  return BASE_NANO_USD + TOKEN_NANO_USD * BigInt(tokens);
}

/**
 * Waits for a call's end and reads its receipt by the API. Fails unless receipt, ledger, balance and reservations tell
 * the same of it.
 * @param requestId that the client gave the call
 * @param creditNanoUsd what the account had before this call, its only one
 */
export async function callOutcome(
  service: TestService,
  account: TestAccount,
  requestId: string,
  creditNanoUsd = 10_000_000_000n,
): Promise<CallOutcome> {
  const read = async () =>
    service.call('getRequestReceipt', { credential: account.token, params: { request_id: requestId } });
  await until('the call has ended', async () => {
    const { status, body } = await read();
    return status === 200 && body.outcome !== 'in_flight';
  });
  const { body: receipt } = await read();
  const outcome: CallOutcome = {
    outcome: receipt.outcome,
    status: receipt.status,
    reservedNanoUsd: usdToNano(receipt.reserved),
    chargedNanoUsd: usdToNano(receipt.charged),
    releasedNanoUsd: usdToNano(receipt.released),
    inputTokens: receipt.input_tokens,
    outputTokens: receipt.output_tokens,
    countedInputTokens:
      Number((usdToNano(receipt.reserved) - BASE_NANO_USD) / TOKEN_NANO_USD) - OUTPUT_TOKENS_MAX,
  };
  const unused = outcome.reservedNanoUsd - outcome.chargedNanoUsd;
  expect(outcome.releasedNanoUsd).toBe(unused > 0n ? unused : 0n);
  const [deposit, ...charges] = await ledgerEntries(service, account);
  expect(deposit).toMatchObject({ type: 'deposit', amountNanoUsd: creditNanoUsd });
  const { chargedNanoUsd } = outcome;
  const charge = { type: 'charge', amountNanoUsd: -chargedNanoUsd, requestId: receipt.request_id };
  const after = { balanceAfterNanoUsd: creditNanoUsd - chargedNanoUsd };
  expect(charges).toEqual(chargedNanoUsd === 0n ? [] : [expect.objectContaining({ ...charge, ...after })]);
  expect(await openReservations(service, account.id)).toEqual([]);
  expect(await ledgerFaults(service.database)).toEqual([]);
  return outcome;
}
