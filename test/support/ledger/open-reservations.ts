import { Ledger } from '../../../src/ledger/ledger';
import type { TestService } from '../api/service';
import { until } from '../until';

const LEASES_OVER_MS = 3_600_000;

/** The calls of a service that are in flight, of an account or of all. */
export async function openReservations(
  { app, database }: Pick<TestService, 'app' | 'database'>,
  accountId: string | null = null,
): Promise<{ id: string; operation: string; amount_nano: string }[]> {
  await app.get(Ledger).show(accountId);
  return database.query(
    'SELECT id, operation, amount_nano FROM reservations WHERE $1::uuid IS NULL OR account_id = $1 ORDER BY lease_until, id',
    [accountId],
  );
}

/** Ends all calls that are in flight. Those of killed processes end when these have been silent for 40 seconds. */
export async function endOpenReservations(service: Pick<TestService, 'app' | 'database'>): Promise<void> {
  const sweptAt = new Date(Date.now() + LEASES_OVER_MS);
  await until('all leases are swept', async () => {
    await service.app.get(Ledger).sweep(sweptAt);
    return (await openReservations(service)).length === 0;
  });
}
