import fc from 'fast-check';
import { faultsInBooks } from '../support/ledger/books';
import { LedgerReplica } from '../support/ledger/ledger-replica';
import { ledgerHistories } from '../support/ledger/ledger-histories';
import { LedgerWorld } from '../support/ledger/ledger-world';
import { openLedger } from '../support/ledger/open-ledger';
import { createTestDatabase, type TestDatabase } from '../support/api/test-database';
import { depth } from '../support/jest/depth';

const HISTORIES = depth('LEDGER_HISTORIES', { short: 20, deep: 100 });
const TIME_LIMIT_MS = 300_000;

describe('the ledger on two replicas at once', () => {
  let database: TestDatabase;
  let replicas: LedgerReplica[];
  beforeAll(async () => {
    database = await createTestDatabase();
    replicas = await Promise.all([1, 2].map(async () => new LedgerReplica(await openLedger(database.url))));
  });
  afterAll(async () => {
    await Promise.all(replicas.map(({ open }) => open.close()));
    await database.drop();
  });

  it(
    'answers and books as a sequential model does in some order of what happens at once',
    async () => {
      await fc.assert(
        fc.asyncProperty(ledgerHistories, (history) => LedgerWorld.live(replicas, history)),
        { numRuns: HISTORIES, interruptAfterTimeLimit: TIME_LIMIT_MS, endOnFailure: true },
      );
      const metrics = await Promise.all(replicas.map(({ open }) => open.metrics.text()));
      for (const path of PATHS) {
        expect(metrics).toContainEqual(expect.stringMatching(path));
      }
      for (const { open } of replicas) {
        // Counters that have begun another period are no sum of all charges: the model has compared each of them.
        const faults = await faultsInBooks(open.database);
        expect(faults.filter((fault) => !fault.startsWith("a key's spent counter"))).toEqual([]);
      }
    },
    TIME_LIMIT_MS + 90_000,
  );
});

/** The histories have met every way in which a reservation is decided. */
const PATHS = [
  /^ledger_reservations_total\{path="memory"\} [1-9]/m,
  /^ledger_reservations_total\{path="flush"\} [1-9]/m,
];
