import type { DataSource } from 'typeorm';

/** What is wrong with the books, one line per fault; empty when every nano-dollar is explained. */
export async function ledgerFaults(database: DataSource): Promise<string[]> {
  const checks = await Promise.all(
    Object.entries(CHECKS).map(async ([name, sql]) => {
      const rows: unknown[] = await database.query(sql);
      return rows.map((row) => `${name}: ${JSON.stringify(row)}`);
    }),
  );
  return checks.flat();
}

const CHECKS = {
  'balance is not the sum of the ledger': `
    SELECT b.account_id, b.balance_nano, coalesce(sum(l.amount_nano), 0) AS ledger
    FROM balances AS b LEFT JOIN ledger_entries AS l USING (account_id)
    GROUP BY b.account_id, b.balance_nano HAVING b.balance_nano <> coalesce(sum(l.amount_nano), 0)`,
  'balance_after does not follow from the entry before': `
    SELECT * FROM (
      SELECT id, balance_after_nano, sum(amount_nano) OVER (PARTITION BY account_id ORDER BY position) AS running
      FROM ledger_entries
    ) AS entries WHERE balance_after_nano <> running`,
  'reserved is not the sum of the leases': `
    SELECT b.account_id, b.reserved_nano, coalesce(sum(l.amount_nano), 0) AS leases
    FROM balances AS b LEFT JOIN leases AS l USING (account_id)
    GROUP BY b.account_id, b.reserved_nano HAVING b.reserved_nano <> coalesce(sum(l.amount_nano), 0)`,
  'calls in flight hold more than their lease has': `
    SELECT r.lease_id, l.amount_nano, sum(r.amount_nano) AS held
    FROM reservations AS r LEFT JOIN leases AS l ON l.process_id = r.process_id AND l.id = r.lease_id
    GROUP BY r.lease_id, l.amount_nano HAVING sum(r.amount_nano) > coalesce(l.amount_nano, 0)`,
  'a call was charged and is no entry, or is one and was not': `
    SELECT id, charged_nano, position FROM calls WHERE (charged_nano > 0) <> (coalesce(position::text, entry_id::text) IS NOT NULL)`,
  // A 422 is charged where a model has read and answered: one that refuses, or does not fit into max_tokens.
  'a call that was answered with another status than 2xx was charged, and its caller had not left': `
    SELECT id, status, charged_nano FROM calls
    WHERE charged_nano > 0 AND status NOT BETWEEN 200 AND 299 AND status <> 499
      AND NOT (status = 422 AND input_tokens > 0 AND output_tokens > 0)`,
  // A counter that has begun another month is no sum of all charges.
  "a key's spent counter is not the sum of its charges and leases": `
    SELECT k.id, k.day_spent_nano, k.month_spent_nano, coalesce(c.charged, 0) + coalesce(l.lent, 0) AS spent
    FROM access_keys AS k
    LEFT JOIN (SELECT key_id, sum(charged_nano) AS charged FROM calls GROUP BY key_id) AS c ON c.key_id = k.id
    LEFT JOIN (SELECT key_id, sum(amount_nano) AS lent FROM leases GROUP BY key_id) AS l ON l.key_id = k.id
    WHERE k.spent_epoch = 0 AND k.month_spent_nano <> coalesce(c.charged, 0) + coalesce(l.lent, 0)
      AND NOT EXISTS (SELECT FROM calls WHERE key_id = k.id AND (created_at AT TIME ZONE k.timezone)::date < k.spent_month)`,
};
