import { chown, rename, rm, stat, writeFile } from 'node:fs/promises';
import { endPostgres } from './end-postgres';
import { DataFolderInUseError } from './embedded-postgres-error';
import { type PostmasterFile, readPostmasterFile } from './postmaster-file';
import { commandLine, isAlive, isTaken } from './process-table';

/**
 * The setting that names the process which started a server. It is part of the server's command line, so that the mark
 * exists exactly as long as the server does.
 */
const OWNER_SETTING = 'embedded.owner_pid';
/** A process id that no system gives to a process. */
const IMPOSSIBLE_PID = 2_147_483_647;
/** An empty postmaster.pid that is younger than this may belong to a server that is just starting. */
const EMPTY_FILE_AGE_MS = 1_000;

/** The setting that marks a server as belonging to this process. */
export function ownerMark(): string {
  return `${OWNER_SETTING}=${process.pid}`;
}

/**
 * Makes way for a new server in a data directory. Ends a server whose service was killed, and repairs a postmaster.pid
 * that names a process which is not a server of this directory.
 *
 * @throws DataFolderInUseError when a server runs there that a living service or a person has started.
 */
export async function settlePreviousServer(
  dataDirectory: string,
  log: (message: string) => void,
): Promise<void> {
  const file = await readPostmasterFile(dataDirectory);
  if (file !== undefined && Number.isNaN(file.pid)) {
    return removeUnlessNew(file, log);
  }
  // When the process is gone, Postgres itself replaces the file, after checking that no backend of it still runs.
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

/**
 * Removes an empty file, unless it is new. A server that starts fills its file at once, but a power failure can leave
 * an empty one behind, with which no server would ever start again.
 */
async function removeUnlessNew(file: PostmasterFile, log: (message: string) => void): Promise<void> {
  const { mtimeMs } = await stat(file.path);
  if (Date.now() - mtimeMs < EMPTY_FILE_AGE_MS) {
    return;
  }
  log(`Removing an empty ${file.path}`);
  await rm(file.path, { force: true });
}

/**
 * Replaces the process id in the file, which now belongs to another program, by one that no process has. Deleting the
 * file would be simpler, but from its last lines Postgres can tell whether a backend of the killed server still runs
 * and writes to the data.
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
