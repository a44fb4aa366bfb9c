import { chown, rename, rm, stat, writeFile } from 'node:fs/promises';
import { endPostgres } from './end-postgres';
import { DataFolderInUseError } from './embedded-postgres-error';
import { type PostmasterFile, readPostmasterFile } from './postmaster-file';
import { commandLine, isAlive, isTaken } from './process-table';

/** Carried in the server's own command line, so that the mark can neither outlive the server nor be lost. */
const OWNER_SETTING = 'embedded.owner_pid';
/** More than any system gives out. */
const IMPOSSIBLE_PID = 2_147_483_647;
const EMPTY_FILE_AGE_MS = 1_000;

/** The setting that marks a server as belonging to this process. */
export function ownerMark(): string {
  return `${OWNER_SETTING}=${process.pid}`;
}

/**
 * Makes way for a new server in a data directory: ends one whose service was killed, and sees through a
 * postmaster.pid whose process id now belongs to something else.
 *
 * @throws DataFolderInUseError when a living service, or somebody's own command, runs a server there.
 */
export async function settlePreviousServer(
  dataDirectory: string,
  log: (message: string) => void,
): Promise<void> {
  const file = await readPostmasterFile(dataDirectory);
  if (file !== undefined && Number.isNaN(file.pid)) {
    return removeUnlessNew(file, log);
  }
  // Postgres itself replaces the file of a process that is gone, after checking that no backend survived it.
  if (file === undefined || !isTaken(file.pid)) {
    return;
  }

  const command = commandLine(file.pid);
  if (!isServerOf(dataDirectory, command)) {
    log(`Replacing a stale ${file.path}: process ${file.pid} is not the Postgres of this folder`);
    await disown(file);
    return;
  }
  const owner = Number(new RegExp(`${OWNER_SETTING}=(\\d+)`).exec(command)?.[1]);
  if (Number.isNaN(owner) || isAlive(owner)) {
    const user = Number.isNaN(owner) ? 'a Postgres started by hand' : `the service with process id ${owner}`;
    throw new DataFolderInUseError(
      `${dataDirectory} is in use by ${user}; stop it, choose another data folder or set DATABASE_URL`,
    );
  }
  log(`Ending the Postgres, process ${file.pid}, of a service that was killed`);
  await endPostgres(file.pid, () => isAlive(file.pid));
}

function isServerOf(dataDirectory: string, command: string): boolean {
  return `${command} `.includes(`-D ${dataDirectory} `);
}

/** A server that is starting fills its file at once; a power failure can leave one without content for good. */
async function removeUnlessNew(file: PostmasterFile, log: (message: string) => void): Promise<void> {
  const { mtimeMs } = await stat(file.path);
  if (Date.now() - mtimeMs < EMPTY_FILE_AGE_MS) {
    return;
  }
  log(`Removing an empty ${file.path}`);
  await rm(file.path, { force: true });
}

/**
 * Puts the id of no process in place of the one that was given to something else. Deleting the file would be
 * simpler, but its last lines let Postgres see whether a backend of the killed server still writes to the data.
 */
async function disown(file: PostmasterFile): Promise<void> {
  const replacement = `${file.path}.new`;
  const { uid, gid } = await stat(file.path);
  await rm(replacement, { force: true });
  const text = [IMPOSSIBLE_PID, ...file.lines.slice(1)].join('\n');
  await writeFile(replacement, text, { mode: 0o600, flag: 'wx' });
  await chown(replacement, uid, gid);
  await rename(replacement, file.path);
}
