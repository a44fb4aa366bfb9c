import type { TestService } from '../api/service';
import { createAccount, World } from '../api/world';
import { ledgerFaults } from './ledger-faults';

const PRICE_NANO_USD = 100_000n;
const CALLS = 200;
const AFFORDABLE = 50;

/** Writes a memory, and tells the status of the answer. */
export interface CapCaller {
  post(index: number): Promise<number>;
}

/**
 * The tests of a hard cap, whoever serves.
 * @param callerOf calls with this access key
 */
export function itHoldsCaps(service: () => TestService, callerOf: (key: string) => CapCaller): void {
  it(`serves exactly what the balance covers of ${CALLS} calls at once, and ends at 0`, async () => {
    const account = await createAccount(service(), { creditUsd: '0.005' });
    const statuses = await race(callerOf(account.key));
    expect(statuses).toEqual({ 201: AFFORDABLE, 402: CALLS - AFFORDABLE });
    await expectSpent(service(), account.id, { balance: 0n, charges: AFFORDABLE });
  });

  it(`serves exactly what the daily limit covers of ${CALLS} calls at once`, async () => {
    const world = await World.create(service());
    await world.setLimits(world.owner, { dailyLimitNano: PRICE_NANO_USD * BigInt(AFFORDABLE) });
    const before = await world.balanceNanoUsd();
    const statuses = await race(callerOf(world.owner.key));
    expect(statuses).toEqual({ 201: AFFORDABLE, 402: CALLS - AFFORDABLE });
    const balance = before - PRICE_NANO_USD * BigInt(AFFORDABLE);
    await expectSpent(service(), world.owner.id, { balance, charges: AFFORDABLE });
  });
}

/** One process, or what stands in front of several. */
export function callerOf(service: TestService, key: string): CapCaller {
  return {
    post: async (index) =>
      (await service.call('createMemory', { credential: key, body: { key: `k${index}`, value: 'v' } }))
        .status,
  };
}

/** How often each status was answered to 200 calls at once. */
async function race(caller: CapCaller): Promise<Record<string, number>> {
  const statuses = await Promise.all(Array.from({ length: CALLS }, (_, index) => caller.post(index)));
  const counts: Record<string, number> = {};
  for (const status of statuses) {
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

async function expectSpent(
  service: TestService,
  accountId: string,
  expected: { balance: bigint; charges: number },
): Promise<void> {
  const [row]: Record<string, string>[] = await service.database.query(
    `SELECT balance_nano, reserved_nano,
       (SELECT count(*) FROM ledger_entries WHERE account_id = $1 AND type = 'charge') AS charges,
       (SELECT count(*) FROM memories WHERE account_id = $1) AS memories
     FROM balances WHERE account_id = $1`,
    [accountId],
  );
  const counts = { charges: String(expected.charges), memories: String(expected.charges) };
  expect(row).toEqual({ balance_nano: expected.balance.toString(), reserved_nano: '0', ...counts });
  expect(await ledgerFaults(service.database)).toEqual([]);
}
