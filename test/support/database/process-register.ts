import type { DataSource } from 'typeorm';
import { AccountDatabases } from '../../../src/database/account-databases';
import { DatabaseUrl } from '../../../src/database/connection-pool';
import { ProcessRegister } from '../../../src/database/process-register';
import { Metrics } from '../../../src/observability/metrics';
import { SystemClock } from '../../../src/runtime/clock';

/** For what changes keys and accounts outside of a service: it waits for the processes that there are, and is none itself. */
export function registerOf(
  database: DataSource,
  url = '',
  databases = AccountDatabases.only(database),
): ProcessRegister {
  return new ProcessRegister(new DatabaseUrl(url), database, new SystemClock(), new Metrics(), databases);
}
