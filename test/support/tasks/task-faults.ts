import type { DataSource } from 'typeorm';

/** What is wrong with tasks that should all have ended, one line per fault: each ended once, charged as it says. */
export async function faultsInTasks(database: DataSource): Promise<string[]> {
  const checks = await Promise.all(
    Object.entries(CHECKS).map(async ([name, sql]) => {
      const rows: unknown[] = await database.query(sql);
      return rows.map((row) => `${name}: ${JSON.stringify(row)}`);
    }),
  );
  return checks.flat();
}

// Every call of a task's run names the task, so that also a charge of an attempt that was given up would be found.
const RUNS = `
  runs AS (
    SELECT t.id, count(c.id) FILTER (WHERE c.charged_nano > 0) AS charges, coalesce(sum(c.charged_nano), 0) AS charged,
      coalesce(sum(-l.amount_nano), 0) AS in_ledger
    FROM tasks AS t LEFT JOIN calls AS c ON c.client_request_id = 'task-' || t.id
      LEFT JOIN ledger_entries AS l ON l.reference_id = c.id::text AND l.type = 'charge'
    GROUP BY t.id
  )`;

const CHECKS = {
  'a task has not ended': `SELECT id, status, stage, attempts FROM tasks WHERE stage <> 'over'`,
  'an end is not complete': `
    SELECT id, status FROM tasks WHERE stage = 'over' AND (progress <> 100 OR finished_at IS NULL OR expires_at IS NULL
      OR held_until IS NOT NULL OR (status = 'failed') <> (error IS NOT NULL) OR (status = 'succeeded') <> (result IS NOT NULL))`,
  'a task was begun too often': `SELECT id, attempts FROM tasks WHERE attempts > 3`,
  'a claim is left': `SELECT id, call_id FROM idempotency_claims WHERE id LIKE 'task:%'`,
  'a task was charged more than once': `WITH ${RUNS} SELECT * FROM runs WHERE charges > 1`,
  'a task does not tell what it was charged': `
    WITH ${RUNS} SELECT t.id, t.status, t.cost_nano_usd, r.charged, r.in_ledger FROM tasks AS t JOIN runs AS r USING (id)
    WHERE t.cost_nano_usd <> r.charged OR r.charged <> r.in_ledger`,
  'a task that failed was charged': `SELECT id, cost_nano_usd FROM tasks WHERE status = 'failed' AND cost_nano_usd > 0`,
  'a charge is not that of the call that ended the task': `
    SELECT t.id, t.status, c.status AS answered, c.outcome FROM tasks AS t LEFT JOIN calls AS c ON c.id = t.call_id
    WHERE t.cost_nano_usd > 0 AND (c.charged_nano IS DISTINCT FROM t.cost_nano_usd OR c.outcome <> 'settled'
      OR (t.status = 'cancelled') <> (c.status = 499))`,
  'a priced task that succeeded was charged nothing': `
    SELECT id, task_type FROM tasks WHERE status = 'succeeded' AND cost_nano_usd = 0
      AND task_type NOT IN ('createAgent')`,
  'a task was charged more than was reserved for it': `
    SELECT id, charged_nano, reserved_nano FROM calls WHERE client_request_id LIKE 'task-%' AND charged_nano > reserved_nano`,
  'an agent was made twice': `SELECT account_id, name FROM agents GROUP BY account_id, name HAVING count(*) > 1`,
};
