import { Ledger } from '../../../src/ledger/ledger';
import type { TestService } from '../api/service';

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
