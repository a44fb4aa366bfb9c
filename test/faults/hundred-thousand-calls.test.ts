import type { DataSource } from 'typeorm';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { LedgerReplica } from '../support/ledger/ledger-replica';
import {
  keysRefusedEarly,
  raceLedgers,
  type RaceCounts,
  type RaceOrder,
} from '../support/ledger/ledger-race';
import { openLedger, type OpenLedger } from '../support/ledger/open-ledger';
import { createTestDatabase, type TestDatabase } from '../support/api/test-database';
import { fittingCalls, tightAccount, type TightAccount } from '../support/ledger/tight-account';
import { until } from '../support/until';
import { depth } from '../support/jest/depth';

const CALLS = depth('RACING_CALLS', { short: 5_000, deep: 100_000 });
const PROCESSES = 3;
const ACCOUNTS = 50;
const IN_FLIGHT_PER_PROCESS = 200;

describe(`${CALLS} racing calls over ${PROCESSES} processes and ${ACCOUNTS} accounts`, () => {
  const plans = Array.from({ length: ACCOUNTS }, (_, index) =>
    tightAccount(index, CALLS / ACCOUNTS, 100_000n + 7n * BigInt(index)),
  );
  let testDatabase: TestDatabase;
  let open: OpenLedger;
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    open = await openLedger(testDatabase.url);
  });
  afterAll(async () => {
    await open.close();
    await testDatabase.drop();
  });

  it('overspend nothing, deadlock never, and let pass exactly what the model does', async () => {
    const accounts = await createAccounts(open);
    const deadlocksBefore = await deadlocks(open.database);
    const results = await raceLedgers({
      databaseUrl: testDatabase.url,
      processes: PROCESSES,
      calls: CALLS,
      inFlight: IN_FLIGHT_PER_PROCESS,
      now: new Date('2026-01-15T12:00:00.000Z'),
      accounts,
    });
    const tookMs = Math.max(...results.map((result) => result.tookMs));

    expect(results.flatMap(({ faults }) => faults)).toEqual([]);
    const counts = accounts.map((_, index) => total(results.map((result) => result.counts[index])));
    expect(counts).toEqual(plans.map(expected));
    const givingNothingBack = accounts.filter(({ releases }) => !releases);
    const keyIds = givingNothingBack.flatMap(({ keys }) => keys.map(({ id }) => id));
    expect(keysRefusedEarly(results, keyIds)).toEqual([]);
    // A process tells its deadlocks to the statistics when it ends.
    await until('the racers are gone from the database', async () => (await racersLeft(open.database)) === 0);
    expect((await deadlocks(open.database)) - deadlocksBefore).toBe(0);
    expect(await ledgerFaults(open.database)).toEqual([]);
    await open.ledger.show(null);
    expect(await open.database.query('SELECT id FROM reservations')).toEqual([]);
    for (const [index, plan] of plans.entries()) {
      const { balanceNanoUsd } = await open.ledger.balance(accounts[index]?.id ?? '');
      expect(balanceNanoUsd).toBe(plan.balanceNanoUsd - BigInt(expected(plan).settled) * plan.priceNanoUsd);
    }
    report(total(counts), tookMs);
  }, 900_000);

  async function createAccounts(from: OpenLedger): Promise<RaceOrder['accounts']> {
    const replica = new LedgerReplica(from);
    const accounts: RaceOrder['accounts'] = [];
    for (const { balanceNanoUsd: amount, keyLimits, priceNanoUsd, bound } of plans) {
      const secrets = new Map<string, Buffer>();
      const nowMs = replica.clock.now().getTime();
      const id = await replica.createAccount();
      await replica.perform(id, { act: 'credit', amount, reference: null, nowMs }, secrets);
      const keys: RaceOrder['accounts'][number]['keys'] = [];
      for (const change of keyLimits) {
        const { keyId, secretHash } = await replica.createKey(id, null);
        await replica.perform(id, { act: 'change limits', keyId, change, nowMs }, secrets);
        keys.push({ id: keyId, secretHash });
      }
      accounts.push({ id, keys, priceNanoUsd, releases: bound === 'nothing' });
    }
    return accounts;
  }
});

/** Where nothing bounds an account every call passes, and half of them are released. */
function expected(plan: TightAccount): RaceCounts {
  const fitting = fittingCalls(plan);
  const calls = CALLS / ACCOUNTS;
  const settled = plan.bound === 'nothing' ? calls / 2 : fitting;
  return { settled, released: fitting - settled, refused: calls - fitting };
}

function total(counts: (RaceCounts | undefined)[]): RaceCounts {
  const sum = (kind: keyof RaceCounts) => counts.reduce((so, count) => so + (count?.[kind] ?? 0), 0);
  return { settled: sum('settled'), released: sum('released'), refused: sum('refused') };
}

async function deadlocks(database: DataSource): Promise<number> {
  const [row]: { deadlocks: string }[] = await database.query(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(row?.deadlocks);
}

async function racersLeft(database: DataSource): Promise<number> {
  const [row]: { others: string }[] = await database.query(
    `SELECT count(*) AS others FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ledger'`,
  );
  return Number(row?.others);
}

function report({ settled, released, refused }: RaceCounts, tookMs: number): void {
  const perSecond = Math.round((CALLS / tookMs) * 1000);
  process.stdout.write(
    `${CALLS} calls: ${settled} settled, ${released} released, ${refused} refused as the model says; ` +
      `overspent 0, deadlocks 0; ${perSecond} calls/s\n`,
  );
}
