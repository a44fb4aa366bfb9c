import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildBeside } from './build-beside';
import { EmbeddedPostgresError } from './embedded-postgres-error';
import { runGuarded } from './run-guarded';
import type { Account } from './server-account';
import { clusterFolder, type ServerPlace } from './server-place';

/** A database on disk: all that remains when the server is not running. */
export interface Cluster {
  /** The folder Postgres calls its data directory. */
  dataDirectory: string;
  password: string;
}

export interface ClusterOptions {
  place: ServerPlace;
  /** The folder that holds `bin`, `lib` and `share`. */
  binaries: string;
  /** Whether the database has to survive a crash of the machine. */
  durable: boolean;
  log: (message: string) => void;
}

export const DATABASE = 'app';
export const SUPERUSER = 'postgres';

/**
 * Opens the cluster of a place. On first use it is created, with a random password and the empty database `app`.
 *
 * @throws EmbeddedPostgresError when it cannot be created or its password cannot be read.
 */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const folder = clusterFolder(options.place.folder);
  if (!existsSync(folder)) {
    options.log(`Creating the database in ${folder}`);
    await buildBeside(folder, (unfinished) => createCluster(unfinished, options));
  }
  const password = await readFile(passwordFile(folder), 'utf8').catch((cause: unknown) => {
    const message = `cannot read ${passwordFile(folder)}, the password of the database in ${folder}`;
    throw new EmbeddedPostgresError(message, { cause });
  });
  return { dataDirectory: dataDirectory(folder), password };
}

function passwordFile(folder: string): string {
  return join(folder, 'password');
}

function dataDirectory(folder: string): string {
  return join(folder, 'data');
}

async function createCluster(folder: string, options: ClusterOptions): Promise<void> {
  const { account } = options.place;
  // Hexadecimal needs no escaping in a connection string.
  await writeFile(passwordFile(folder), randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx' });
  if (account !== undefined) {
    await chown(passwordFile(folder), account.uid, account.gid);
    await chown(folder, account.uid, account.gid);
  }
  await runOrThrow(initdbCommand(folder, options), account);
  // Creates the database in single-user mode, which needs no server, before the folder gets its final name. So a
  // folder with that name always contains the database.
  const postgres = join(options.binaries, 'bin', 'postgres');
  const alone = ['--single', '-D', dataDirectory(folder), '-c', 'exit_on_error=on', 'postgres'];
  await runOrThrow([postgres, ...alone], account, `CREATE DATABASE ${DATABASE}\n`);
}

/**
 * The built-in locale sorts and changes case alike on every machine. The locales of the system can be missing, or
 * change with an update.
 */
function initdbCommand(folder: string, { binaries, durable }: ClusterOptions): string[] {
  return [
    join(binaries, 'bin', 'initdb'),
    `--pgdata=${dataDirectory(folder)}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile(folder)}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
}

async function runOrThrow(command: string[], account: Account | undefined, input?: string): Promise<void> {
  const { exitCode, output } = await runGuarded(command, account, input);
  if (exitCode === 0) {
    return;
  }
  throw new EmbeddedPostgresError(
    `creating the embedded database failed; to use another database, set DATABASE_URL: ${output}`,
  );
}
