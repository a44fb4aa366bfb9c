import { readFile, stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error';

/** The user and the group of the system that a process runs as. */
export interface Account {
  uid: number;
  gid: number;
}

/** The users that may run Postgres, the best first. macOS writes the first one with an underscore. */
const NAMES = ['postgres', '_postgres', 'nobody'];

/**
 * The account that runs Postgres when this process is root, because Postgres refuses to run as root.
 *
 * @param clusterFolder the folder of the database. If it exists, its owner is the account.
 * @throws EmbeddedPostgresError when the system has no fitting user.
 */
export async function serverAccount(clusterFolder: string): Promise<Account> {
  const owner = await stat(clusterFolder).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) {
    return { uid: owner.uid, gid: owner.gid };
  }

  const accounts = await systemAccounts();
  const account = NAMES.map((name) => accounts.get(name)).find((found) => found !== undefined);
  if (account === undefined) {
    throw new EmbeddedPostgresError(
      `Postgres refuses to run as root and this system has none of the users ${NAMES.join(', ')}; ` +
        'run the service as another user or set DATABASE_URL',
    );
  }
  return account;
}

async function systemAccounts(): Promise<Map<string, Account>> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n');
  const accounts = new Map<string, Account>();
  for (const line of lines) {
    const [name, , uid, gid] = line.split(':');
    // A comment has no ids. On macOS the user nobody has the id -2, which cannot be passed to chown.
    if (name && Number(uid) > 0 && Number(gid) > 0) {
      accounts.set(name, { uid: Number(uid), gid: Number(gid) });
    }
  }
  return accounts;
}
