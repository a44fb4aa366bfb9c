import { join } from 'node:path';

/**
 * The folders of the database's functions, for migrate(), which installs those that have changed. The order counts where a
 * trigger locks its table: entries come before calls, as every settlement writes them, so that neither waits for the other.
 */
export const databaseFunctions: readonly string[] = [
  'access/access-keys',
  'money/ledger',
  'money/idempotency',
  'money/usage',
  'knowledge/memories',
].map((folder) => join(__dirname, 'core', folder, 'sql'));
