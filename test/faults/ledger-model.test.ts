import fc from 'fast-check';
import { DatabaseUnreachable } from '../../src/database/driver-errors';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { LedgerReplica } from '../support/ledger/ledger-replica';
import { ledgerHistories, type LedgerHistory } from '../support/ledger/ledger-histories';
import { LedgerWorld } from '../support/ledger/ledger-world';
import { openLedger } from '../support/ledger/open-ledger';
import { createTestDatabase, type TestDatabase } from '../support/api/test-database';
import { depth } from '../support/jest/depth';

const HISTORIES = depth('LEDGER_HISTORIES', { short: 100, deep: 400 });
/** Most of a history is waiting for answers of the database: so many worlds use the time of each other. */
const WORLDS = 3;
const TIME_LIMIT_MS = Math.max(300_000, HISTORIES * 3_000);

interface Place {
  database: TestDatabase;
  replicas: LedgerReplica[];
}

describe('the ledger on two replicas at once, of which one or the other is silent at times', () => {
  let places: Place[];
  beforeAll(async () => {
    places = await Promise.all(Array.from({ length: WORLDS }, startPlace));
  });
  afterAll(async () => {
    await Promise.all(
      places.map(async ({ database, replicas }) => {
        await Promise.all(replicas.map(({ open }) => open.close()));
        await database.drop();
      }),
    );
  });

  it(
    'answers and books as a sequential model does in some order of what happens at once',
    async () => {
      const beganMs = performance.now();
      const seed = Number(process.env.LEDGER_SEED ?? Date.now() % 2 ** 31);
      let lived = 0;
      let unreachable = 0;
      const live = async ({ replicas }: Place, history: LedgerHistory): Promise<void> => {
        try {
          await LedgerWorld.live(replicas, history);
          lived += 1;
        } catch (error) {
          // The model knows of no database that is away: a busy machine may give no connection within five seconds.
          if (!(error instanceof DatabaseUnreachable)) {
            throw error;
          }
          unreachable += 1;
        }
      };
      await Promise.all(
        places.map((place, index) =>
          fc.assert(
            fc.asyncProperty(ledgerHistories, (history) => live(place, history)),
            { seed: seed + index, numRuns: Math.ceil(HISTORIES / WORLDS), endOnFailure: true },
          ),
        ),
      );
      const seconds = Math.round((performance.now() - beganMs) / 1000);
      process.stdout.write(`${lived} histories of the ledger, LEDGER_SEED=${seed}, in ${seconds} s\n`);
      const open = places.flatMap(({ replicas }) => replicas.map((replica) => replica.open));
      const metrics = (await Promise.all(open.map((one) => one.metrics.text()))).join('\n');
      for (const path of PATHS) {
        expect(metrics).toMatch(path);
      }
      expect(unreachable).toBeLessThanOrEqual(HISTORIES / 20);
      expect(LedgerWorld.ended).toBeGreaterThan(0);
      for (const { database } of open) {
        // Counters that have begun another period are no sum of all charges: the model has compared each of them.
        const faults = await ledgerFaults(database);
        expect(faults.filter((fault) => !fault.startsWith("a key's spent counter"))).toEqual([]);
      }
    },
    TIME_LIMIT_MS + 90_000,
  );
});

/** A database of its own, and two replicas on it. */
async function startPlace(): Promise<Place> {
  const database = await createTestDatabase();
  const replicas = [1, 2].map(async () => new LedgerReplica(await openLedger(database.url)));
  return { database, replicas: await Promise.all(replicas) };
}

/** The histories have met every way in which a reservation is decided. */
const PATHS = [
  /^ledger_reservations_total\{path="memory"\} [1-9]/m,
  /^ledger_reservations_total\{path="flush"\} [1-9]/m,
];
