import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, type FileHandle, mkdir, open, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The embedded server cannot be started or used; the message tells the operator what to do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name: string = 'EmbeddedPostgresError';
}

export class DataFolderInUseError extends EmbeddedPostgresError {
  override readonly name = 'DataFolderInUseError';
}

export interface Account {
  uid: number;
  gid: number;
}

/** The users that may run Postgres, the best first. macOS writes the first one with an underscore. */
const NAMES = ['postgres', '_postgres', 'nobody'];

/** Postgres refuses to run as root. The owner of an existing database is the account. @throws EmbeddedPostgresError */
async function serverAccount(clusterFolder: string): Promise<Account> {
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

export interface ServerPlace {
  folder: string;
  /** The user that the server runs as; undefined for the user of this process. */
  account: Account | undefined;
}

/** Says where the server's files are when not here. Whoever deletes the data folder deletes it, and starts anew. */
const POINTER = 'postgres-is-at';
/** Where the files go then. Unlike the folders for temporary files, it survives a restart of the machine. */
const ELSEWHERE = '/var/lib/embedded-postgres';

/** In the data folder, unless its user cannot enter root's; later starts use the same. @throws EmbeddedPostgresError */
export async function findServerPlace(
  dataFolder: string,
  log: (message: string) => void,
): Promise<ServerPlace> {
  await mkdir(dataFolder, { recursive: true });
  const folder = await realpath(dataFolder);
  const chosen = await chosenBefore(folder);
  if (process.getuid?.() !== 0) {
    return { folder: chosen ?? folder, account: undefined };
  }

  const account = await serverAccount(clusterFolder(chosen ?? folder));
  if (chosen !== undefined) {
    return { folder: chosen, account };
  }
  if (canEnter(folder, account)) {
    return { folder, account };
  }
  if (existsSync(clusterFolder(folder))) {
    throw new EmbeddedPostgresError(
      `the database in ${folder} belongs to user ${account.uid}, who can no longer enter that folder; ` +
        'give that user access to it again',
    );
  }
  const elsewhere = await makeElsewhere(folder, account);
  log(
    `Postgres does not run as root and user ${account.uid} cannot enter ${folder}: its files are in ${elsewhere}`,
  );
  return { folder: elsewhere, account };
}

export function clusterFolder(placeFolder: string): string {
  return join(placeFolder, 'postgres');
}

async function chosenBefore(folder: string): Promise<string | undefined> {
  const pointer = join(folder, POINTER);
  if (!existsSync(pointer)) {
    return undefined;
  }
  const chosen = (await readFile(pointer, 'utf8')).trim();
  if (!existsSync(chosen)) {
    throw new EmbeddedPostgresError(
      `${pointer} says that the database is in ${chosen}, which does not exist or is not accessible; ` +
        `restore it, or delete ${pointer} to start with an empty database`,
    );
  }
  return chosen;
}

async function makeElsewhere(dataFolder: string, account: Account): Promise<string> {
  const folder = join(ELSEWHERE, randomBytes(8).toString('hex'));
  await mkdir(folder, { recursive: true });
  // Other users may pass through these two folders but not list them, whatever the umask is.
  await chmod(ELSEWHERE, 0o711);
  await chmod(folder, 0o711);
  if (!canEnter(folder, account)) {
    throw new EmbeddedPostgresError(
      `user ${account.uid}, as whom Postgres runs when the service is root, can enter neither ${dataFolder} ` +
        `nor ${folder}; choose another data folder, run the service as another user or set DATABASE_URL`,
    );
  }
  await writeFile(join(dataFolder, POINTER), `${folder}\n`);
  return folder;
}

/** Lets that user try to enter the folder, because permission bits do not show access lists and mount options. */
function canEnter(folder: string, account: Account): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { cwd: '/', stdio: 'ignore', ...account })
      .status === 0
  );
}

const LOG_BYTES_MAX = 1_048_576;

/** Messages of earlier starts stay, unless they exceed 1 MiB; `read` gives those of this one. */
export async function openServerLog(
  path: string,
): Promise<{ handle: FileHandle; read: () => Promise<string> }> {
  const handle = await open(path, 'a+', 0o600);
  const { size } = await handle.stat();
  const isLarge = size > LOG_BYTES_MAX;
  if (isLarge) {
    await handle.truncate();
  }
  const position = isLarge ? 0 : size;
  const read = async (): Promise<string> => {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(LOG_BYTES_MAX), position });
    return buffer.toString('utf8', 0, bytesRead).trim();
  };
  return { handle, read };
}
