import type { DataSource } from 'typeorm';
import { answerCounts } from '../ledger/answer-counts';
import { ledgerFaults } from '../ledger/ledger-faults';
import { chargedCalls } from '../ledger/charged-calls';
import { faultsInAnswers } from '../api/faults-in-answers';
import { isAnswered, type PaidLoad } from '../ledger/paid-load';
import type { TestService } from '../api/service';
import { until } from '../until';
import { endOpenReservations, openReservations } from '../ledger/open-reservations';

const ASKED_AGAIN_MS_MAX = 100_000;

export interface EndOfLoad {
  load: PaidLoad;
  /** On the same database as the servers, which must still run. */
  service: TestService;
  /** What a client may be told; null stands for a broken connection. */
  statusesAllowed: readonly (number | null)[];
  /** Printed above the counts. */
  title: string;
}

/**
 * Ends the load, lets the leases of what died run out, asks again for all that is still unanswered, and compares
 * what the clients were told with the books. Prints how many calls ended in which way and returns the faults.
 */
export async function endLoad({ load, service, statusesAllowed, title }: EndOfLoad): Promise<string[]> {
  const { app, database } = service;
  await load.stop();
  await until('no statement of a dead connection runs', async () => (await statements(database)) === 0);
  await endOpenReservations({ app, database });
  // The claims of calls that died before they reserved: as if their leases had run out as well.
  await database.query(
    `UPDATE idempotency_claims SET lease_until = now() - interval '1 second' WHERE status IS NULL`,
  );
  await askAgain(load);

  const left = await openReservations({ app, database });
  const calls = await chargedCalls(database, load.calls);
  process.stdout.write([`\n${title}`, ...answerCounts(calls), ''].join('\n'));
  return [
    ...(await ledgerFaults(database)),
    ...left.map(({ id }) => `a reservation is left: ${id}`),
    ...faultsInAnswers(calls, statusesAllowed),
  ];
}

/** Every client with an Idempotency-Key gets its answer in the end. */
async function askAgain(load: PaidLoad): Promise<void> {
  const deadline = performance.now() + ASKED_AGAIN_MS_MAX;
  for (let order = load.unanswered.shift(); order; order = load.unanswered.shift()) {
    const isOver = performance.now() > deadline;
    if (!isAnswered(await load.call(order)) && !isOver) {
      load.unanswered.push(order);
    }
  }
}

async function statements(database: DataSource): Promise<number> {
  const [row]: { count: string }[] = await database.query(
    `SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
  );
  return Number(row?.count);
}
