import { join } from 'node:path';

/** Their order locks ledger_entries before calls, as settlements do: a migration and a settlement never deadlock. */
export const databaseFunctions: readonly string[] = [
  'events',
  'modules/webhooks',
  'accounts',
  'ledger',
  'retrieval',
  'modules/tasks',
].map((folder) => join(__dirname, folder, 'sql'));
