import { join } from 'node:path';

/**
 * The folders of the database's functions, for migrate(), which installs the functions that have changed. Installing a
 * trigger locks its table. The folders stand in an order that locks ledger_entries before calls, which is also the
 * order in which every settlement writes them: so a migration and a settlement never wait for each other.
 */
export const databaseFunctions: readonly string[] = [
  'events',
  'modules/webhooks',
  'accounts',
  'ledger',
  'retrieval',
  'modules/tasks',
].map((folder) => join(__dirname, folder, 'sql'));
