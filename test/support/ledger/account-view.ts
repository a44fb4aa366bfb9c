import type { DataSource } from 'typeorm';
import type { AccountModel } from './account-model';

/** What can be seen of an account's money from outside, in nano-USD; `faults` tells what is wrong whatever happened. */
export interface AccountView extends ReturnType<AccountModel['view']> {
  faults: string[];
}

/** Reads the books of some accounts in one snapshot, in their order. */
export async function readViews(database: DataSource, accountIds: string[]): Promise<AccountView[]> {
  const rows: ViewRow[] = await database.query(READ, [accountIds]);
  return rows.map((row) => ({
    balance: BigInt(row.balance),
    reservations: Object.fromEntries(row.reservations.map(({ id, amount }) => [id, BigInt(amount)])),
    receipts: Object.fromEntries(
      row.receipts.map(({ id, outcome, charged, reserved }) => [id, `${outcome}: ${charged} of ${reserved}`]),
    ),
    faults: faultsOf(row),
  }));
}

function faultsOf(row: ViewRow): string[] {
  const [balance, reserved] = [BigInt(row.balance), BigInt(row.reserved)];
  const held = row.reservations.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const ends = row.receipts.map(({ id }) => id);
  const charges = row.receipts
    .filter(({ charged }) => charged !== '0')
    .map(({ id, charged }) => `${id} ${charged}`);
  const checks = {
    'the balance is below zero': balance < 0n,
    'the reserved sum is below zero': reserved < 0n,
    'more is reserved than there is': balance < reserved,
    'the balance is not the sum of the entries': balance !== BigInt(row.entered),
    'the reserved sum is not that of the leases': reserved !== BigInt(row.lent),
    'calls in flight hold more than was lent': held > reserved,
    'a call has ended and holds a reservation': row.reservations.some(({ id }) => ends.includes(id)),
    'charges and receipts differ': charges.sort().join() !== row.charges.sort().join(),
  };
  return Object.entries(checks).flatMap(([fault, isSo]) => (isSo ? [fault] : []));
}

const READ = `
  SELECT b.balance_nano AS balance, b.reserved_nano AS reserved,
    (SELECT coalesce(sum(amount_nano), 0) FROM ledger_entries AS l WHERE l.account_id = b.account_id) AS entered,
    (SELECT coalesce(sum(amount_nano), 0) FROM leases AS l WHERE l.account_id = b.account_id) AS lent,
    (SELECT coalesce(json_agg(json_build_object('id', id, 'amount', amount_nano::text)), '[]')
      FROM reservations AS r WHERE r.account_id = b.account_id) AS reservations,
    (SELECT coalesce(json_agg(json_build_object('id', id, 'outcome', outcome, 'charged', charged_nano::text,
        'reserved', reserved_nano::text)), '[]')
      FROM calls AS c WHERE c.account_id = b.account_id) AS receipts,
    (SELECT coalesce(json_agg(reference_id || ' ' || -amount_nano), '[]')
      FROM ledger_entries AS l WHERE l.account_id = b.account_id AND type = 'charge') AS charges
  FROM balances AS b JOIN unnest($1::uuid[]) WITH ORDINALITY AS asked (account_id, place) USING (account_id)
  ORDER BY place`;

interface ViewRow {
  balance: string;
  reserved: string;
  entered: string;
  lent: string;
  reservations: { id: string; amount: string }[];
  receipts: { id: string; outcome: string; charged: string; reserved: string }[];
  charges: string[];
}
