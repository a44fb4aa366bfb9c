import { Command } from 'commander';
import { DataSource } from 'typeorm';
import { normalEmail } from '../../src/accounts/email-address';
import { addressWithPassword } from '../../src/config/server-addresses';
import { readSecretFiles } from '../../src/config/environment';
import { openAccountDatabases } from '../../src/database/account-databases';
import { AccountMover } from '../../src/database/account-mover';
import { countSchemas } from '../../src/database/account-schemas';
import { DatabaseUrl } from '../../src/database/connection-pool';
import { dataSourceOptions } from '../../src/database/data-source';
import { ProcessRegister } from '../../src/database/process-register';
import { Metrics } from '../../src/observability/metrics';
import { SystemClock } from '../../src/runtime/clock';
import { CommandFailure, EXIT } from './failures';
import { whole } from './read-number';
import type { Terminal } from './terminal';

const POOL_SIZE_MAX = 4;
const FIND =
  'SELECT id FROM accounts WHERE id::text = lower($1) OR email = $2 OR lower(username) = lower($1)';

/** What is done to the database itself, beside the running service: `accounts move`. */
export function accountCommands(terminal: Terminal): Command {
  const accounts = new Command('accounts').description('where accounts are in the database (DATABASE_URL)');
  accounts
    .command('move <account>')
    .argument('<schema>', 'the number of the schema', whole(0, 9_999))
    .description(
      'move an account, by id, e-mail or username, to the schema of this number, while it is served',
    )
    .action(async (account: string, to: number) => {
      const { rows, pausedMs } = await move(account, to);
      terminal.output.write(
        `${rows} rows are in schema ${to} now; calls waited for ${Math.round(pausedMs)} ms at most\n`,
      );
    });
  return accounts;
}

/** As a process of the service, so that the others tell it when they have stopped working for the account. */
async function move(account: string, to: number) {
  const url = databaseUrl();
  const main = await new DataSource(dataSourceOptions(url, POOL_SIZE_MAX)).initialize();
  try {
    const runner = main.createQueryRunner();
    const schemas = await countSchemas(runner).finally(() => runner.release());
    const databases = await openAccountDatabases(main, schemas);
    const register = new ProcessRegister(url, main, new SystemClock(), new Metrics(), databases);
    const mover = new AccountMover(databases, register);
    await register.onModuleInit();
    try {
      const [found]: { id: string }[] = await databases.everyone.query(FIND, [account, normalEmail(account)]);
      if (!found) {
        throw new CommandFailure(`There is no account ${account}.`, EXIT.refused);
      }
      return await mover.move(found.id, to);
    } finally {
      await register.onApplicationShutdown();
    }
  } catch (error) {
    throw error instanceof CommandFailure ? error : new CommandFailure(whatHelps(error), EXIT.refused);
  } finally {
    await main.destroy();
  }
}

function whatHelps(error: unknown): string {
  return /session_replication_role/.test(String(error))
    ? 'Nothing was moved, because triggers have to rest meanwhile. Let a superuser run: GRANT SET ON PARAMETER session_replication_role TO <the role of DATABASE_URL>'
    : String(error);
}

function databaseUrl(): DatabaseUrl {
  const { environment, faults } = readSecretFiles(process.env);
  const { DATABASE_URL, DATABASE_PASSWORD, DATABASE_SESSION_URL } = environment;
  const url = addressWithPassword(DATABASE_URL || null, DATABASE_PASSWORD || null);
  if (faults.length > 0 || !url) {
    throw new CommandFailure(
      faults.join('\n') || 'DATABASE_URL does not say where the database is.',
      EXIT.usage,
    );
  }
  return new DatabaseUrl(url, addressWithPassword(DATABASE_SESSION_URL || null, DATABASE_PASSWORD || null));
}
