import { DataSource } from 'typeorm';
import { addressWithPassword } from '../src/config/server-addresses';
import { readSecretFiles } from '../src/config/environment';
import { reconciliationRecord, ReconciliationRepository } from '../src/ledger/reconciliation';
import { SystemClock } from '../src/runtime/clock';
import { openAccountDatabases } from '../src/database/account-databases';
import { countSchemas } from '../src/database/account-schemas';
import { dataSourceOptions } from '../src/database/data-source';

/** The sum over a long ledger may take longer than any call of the service is allowed to. */
const SUMMED_WITHIN_MS = 24 * 60 * 60 * 1000;

const USAGE =
  'usage: node dist/scripts/reconcile.js [postgres-url]; without it DATABASE_URL is taken\n' +
  'A running service, an embedded one too, is asked by: npm run admin -- reconcile';

/**
 * Prints what GET /api/admin/reconciliation answers; the exit code is 1 when any balance is not its ledger's sum, 2 when
 * nobody could look.
 */
async function main(): Promise<void> {
  const { environment, faults } = readSecretFiles(process.env);
  if (faults.length > 0) {
    throw new Error(faults.join('\n'));
  }
  const { DATABASE_URL, DATABASE_PASSWORD } = environment;
  const url = process.argv[2] ?? addressWithPassword(DATABASE_URL || null, DATABASE_PASSWORD || null);
  if (!url) {
    throw new Error(USAGE);
  }
  const database = new DataSource(dataSourceOptions(url, 1));
  await database.initialize();
  try {
    const databases = await openAccountDatabases(database, await countSchemas(database));
    const repository = new ReconciliationRepository(databases, new SystemClock());
    const reconciliation = await repository.reconcile(SUMMED_WITHIN_MS);
    process.stdout.write(`${JSON.stringify(reconciliationRecord(reconciliation), null, 2)}\n`);
    process.exitCode = reconciliation.mismatches.length > 0 ? 1 : 0;
  } finally {
    await database.destroy();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
