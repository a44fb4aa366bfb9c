import { DataSource } from 'typeorm';
import { ReconciliationRepository } from '../src/core/money/ledger/reconciliation.repository';
import { SystemClock } from '../src/infrastructure/clock/clock';
import { dataSourceOptions } from '../src/infrastructure/database/data-source-options';
import { toReconciliation } from '../src/modules/admin/admin.mapper';

const USAGE = 'usage: node dist/scripts/reconcile.js [postgres-url]; without it DATABASE_URL is taken';

/** Prints what GET /api/admin/reconciliation answers; the exit code is 1 when any balance is not its ledger's sum. */
async function main(): Promise<void> {
  const url = process.argv[2] ?? process.env.DATABASE_URL;
  if (!url) {
    throw new Error(USAGE);
  }
  const options = dataSourceOptions(url, 1);
  // The sum over a long ledger may take longer than any statement of the service is allowed to.
  const database = new DataSource({
    ...options,
    extra: { ...(options.extra as object), statement_timeout: 0 },
  });
  await database.initialize();
  try {
    const reconciliation = await new ReconciliationRepository(database, new SystemClock()).reconcile();
    process.stdout.write(`${JSON.stringify(toReconciliation(reconciliation), null, 2)}\n`);
    process.exitCode = reconciliation.mismatches.length > 0 ? 1 : 0;
  } finally {
    await database.destroy();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
