import fc from 'fast-check';
import { createTestDatabase, type TestDatabase } from '../support/api/test-database';
import { crowds, takeStep, type CrowdAccount } from '../support/events/crowds';
import { faultsInEvents } from '../support/events/event-faults';
import { subscribe } from '../support/events/subscribe';
import { depth } from '../support/jest/depth';
import { ledgerHistories } from '../support/ledger/ledger-histories';
import { LedgerReplica } from '../support/ledger/ledger-replica';
import { LedgerWorld } from '../support/ledger/ledger-world';
import { openLedger } from '../support/ledger/open-ledger';

const HISTORIES = depth('EVENT_HISTORIES', { short: 6, deep: 100 });
const CROWDS = depth('EVENT_CROWDS', { short: 8, deep: 100 });
const TIME_LIMIT_MS = 300_000;
const DAILY_LIMIT_NANO = 15_000_000_000n;

/** Every account subscribes to all events before anything has happened to it. */
class SubscribedReplica extends LedgerReplica {
  override async createAccount(): Promise<string> {
    const id = await super.createAccount();
    await subscribe(this.open.database, id, { events: ['*'] });
    return id;
  }
}

describe('the events of accounts that two replicas work on at once', () => {
  let database: TestDatabase;
  let replicas: [LedgerReplica, LedgerReplica];
  beforeEach(async () => {
    database = await createTestDatabase();
    const open = async () => new SubscribedReplica(await openLedger(database.url));
    replicas = [await open(), await open()];
  });
  afterEach(async () => {
    await Promise.all(replicas.map(({ open }) => open.close()));
    await database.drop();
  });

  it(
    'chain the balances without a gap, whatever happened to the accounts',
    async () => {
      await fc.assert(
        fc.asyncProperty(ledgerHistories, (history) => LedgerWorld.live(replicas, history)),
        { numRuns: HISTORIES, interruptAfterTimeLimit: TIME_LIMIT_MS },
      );
      expect(await faultsInEvents(replicas[0].open.database)).toEqual([]);
      expect(await countsOf(`${HISTORIES} histories`)).toMatchObject({
        'balance.updated': expect.any(Number),
      });
    },
    TIME_LIMIT_MS + 90_000,
  );

  it(
    'chain the balances of accounts that many call at once, and tell of every crossing',
    async () => {
      await fc.assert(
        fc.asyncProperty(crowds, async (rounds) => {
          const accounts = await Promise.all([0, 1, 2].map(newAccount));
          for (const steps of rounds) {
            await Promise.all(
              steps.map((step) => {
                const { open, clock } = replicas[step.replica === 0 ? 0 : 1];
                const account = accounts[step.account] as CrowdAccount;
                return takeStep(open.ledger, account, { step, now: clock.now() });
              }),
            );
          }
          expect(await faultsInEvents(replicas[0].open.database)).toEqual([]);
        }),
        { numRuns: CROWDS, interruptAfterTimeLimit: TIME_LIMIT_MS },
      );
      expect(await countsOf(`${CROWDS} crowds`)).toMatchObject({ 'balance.updated': expect.any(Number) });
    },
    TIME_LIMIT_MS + 90_000,
  );

  async function newAccount(): Promise<CrowdAccount> {
    const [replica] = replicas;
    const accountId = await replica.createAccount();
    const key = await replica.createKey(accountId, null);
    const change = { dailyLimitNano: DAILY_LIMIT_NANO };
    const nowMs = replica.clock.now().getTime();
    await replica.perform(accountId, { act: 'change limits', keyId: key.keyId, change, nowMs }, new Map());
    return { accountId, ...key };
  }

  async function countsOf(name: string): Promise<Record<string, number>> {
    const rows: { event_type: string; count: number }[] = await replicas[0].open.database.query(
      'SELECT event_type, count(*)::integer AS count FROM events GROUP BY 1 ORDER BY 1',
    );
    const counts = Object.fromEntries(rows.map((row) => [row.event_type, row.count]));
    process.stdout.write(`${name}: ${JSON.stringify(counts)}\n`);
    return counts;
  }
});
