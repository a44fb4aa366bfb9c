import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  cp,
  lchown,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { type Account, isAlive, runGuarded } from './guarded-process';

export class EmbeddedPostgresError extends Error {
  override readonly name: string = 'EmbeddedPostgresError';
}

export class DataFolderInUseError extends EmbeddedPostgresError {
  override readonly name = 'DataFolderInUseError';
}

/** Users that may run Postgres, the best first; macOS adds an underscore. */
const NAMES = ['postgres', '_postgres', 'nobody'];

/** Postgres refuses root. An existing database's owner is the account. @throws EmbeddedPostgresError */
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
    // Comments have no ids; macOS' nobody has -2, which chown refuses.
    if (name && Number(uid) > 0 && Number(gid) > 0) {
      accounts.set(name, { uid: Number(uid), gid: Number(gid) });
    }
  }
  return accounts;
}

export interface ServerPlace {
  folder: string;
  account: Account | undefined;
}

/** Names the server's folder when it is outside. Deleting the data folder starts anew. */
const POINTER = 'postgres-is-at';
/** Survives a restart, unlike temporary folders. */
const OUTSIDE_FOLDER = '/var/lib/embedded-postgres';

/**
 * Outside if its user cannot enter the data folder; later starts use the same.
 * @throws EmbeddedPostgresError
 */
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
  const folder = join(OUTSIDE_FOLDER, randomBytes(8).toString('hex'));
  await mkdir(folder, { recursive: true });
  // Others may pass through but not list, whatever the umask.
  await chmod(OUTSIDE_FOLDER, 0o711);
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

/** Tries as that user: permission bits do not show access lists and mount options. */
function canEnter(folder: string, account: Account): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { cwd: '/', stdio: 'ignore', ...account })
      .status === 0
  );
}

/** Folders being built by this process are no leftovers, despite its id. */
const underway = new Set<string>();

/** Renamed when complete, so there is never half of it. The first one wins. */
async function buildBeside(target: string, build: (folder: string) => Promise<void>): Promise<void> {
  await removeLeftovers(target);
  const folder = `${target}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  underway.add(folder);
  try {
    await mkdir(folder, { mode: 0o700 });
    await build(folder);
    await rename(folder, target);
    await persistNames(dirname(target));
  } catch (error) {
    await removeFolder(folder);
    const lostTheRace = ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (!lostTheRace || !existsSync(target)) {
      throw error;
    }
  } finally {
    underway.delete(folder);
  }
}

async function removeLeftovers(target: string): Promise<void> {
  const parent = dirname(target);
  const prefix = `${basename(target)}.new-`;
  for (const name of await readdir(parent)) {
    const builder = Number.parseInt(name.slice(prefix.length), 10);
    if (!name.startsWith(prefix) || underway.has(join(parent, name))) {
      continue;
    }
    // In a container every start has the same id, so ours means an earlier start.
    if (builder === process.pid || !isAlive(builder)) {
      await removeFolder(join(parent, name));
    }
  }
}

/** Retries, because an ending process may still write. */
function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** Otherwise a power failure could undo the rename, but not later writes inside. */
async function persistNames(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Install scripts are often refused, so the libraries are linked here. @throws EmbeddedPostgresError */
export async function findPostgresBinaries(
  place: ServerPlace,
  log: (message: string) => void,
): Promise<string> {
  const packaged = packageFolder();
  const inPlace = join(packaged, 'native');
  const hasLinks = await makeLinks(packaged).then(
    () => true,
    () => false,
  );
  if (hasLinks) {
    if ((await failureOf(inPlace, place.account)) === undefined) {
      return inPlace;
    }
    // If this process cannot run them either, permissions are not the cause, and a copy would not help.
    refuse(await failureOf(inPlace, undefined));
  }
  const copy = join(place.folder, `postgres-binaries-${await packageVersion(packaged)}`);
  if (!existsSync(copy)) {
    log(`Copying the Postgres programs to ${copy}, because the server cannot use those in ${packaged}`);
    await buildBeside(copy, (folder) => copyBinaries(packaged, folder, place.account));
  }
  refuse(await failureOf(join(copy, 'native'), place.account));
  return join(copy, 'native');
}

function refuse(failure: string | undefined): void {
  if (failure !== undefined) {
    throw new EmbeddedPostgresError(
      `embedded Postgres does not run on this machine (on Linux it needs glibc 2.27); set DATABASE_URL: ${failure}`,
    );
  }
}

function packageFolder(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const paths = [dirname(require.resolve('embedded-postgres'))];
    return dirname(dirname(require.resolve(`@embedded-postgres/${platform}`, { paths })));
  } catch (cause) {
    const message = `embedded Postgres has no build for ${platform}, or it is not installed; set DATABASE_URL`;
    throw new EmbeddedPostgresError(message, { cause });
  }
}

async function packageVersion(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}

async function makeLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    if (existsSync(join(folder, target))) {
      continue;
    }
    await symlink(relative(dirname(target), source), join(folder, target)).catch(unlessPresent);
  }
}

/** Another service may be making the same links. */
function unlessPresent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') {
    throw error;
  }
}

async function copyBinaries(packaged: string, folder: string, account: Account | undefined): Promise<void> {
  await cp(join(packaged, 'native'), join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    // Copies of read-only folders would take no links.
    if (entry.isDirectory()) {
      await chmod(join(entry.parentPath, entry.name), 0o755);
    }
  }
  await makeLinks(folder);
  if (account === undefined) {
    return;
  }
  // A strict umask at installation may keep others out.
  for (const path of [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))]) {
    await lchown(path, account.uid, account.gid);
  }
}

async function failureOf(folder: string, account: Account | undefined): Promise<string | undefined> {
  for (const program of ['postgres', 'initdb']) {
    const { exitCode, output } = await runGuarded([join(folder, 'bin', program), '--version'], account);
    if (exitCode !== 0) {
      return output || `${program} ended with code ${exitCode}`;
    }
  }
  return undefined;
}

export interface Cluster {
  dataDirectory: string;
  password: string;
}

export interface ClusterOptions {
  place: ServerPlace;
  binaries: string;
  durable: boolean;
  /** The password is never part of a message. */
  log: (message: string) => void;
}

export const DATABASE = 'app';
export const SUPERUSER = 'postgres';

/** Creates it on first use, with a random password. @throws EmbeddedPostgresError */
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
  // In single-user mode before the rename, so that a finished folder always has the database.
  const postgres = join(options.binaries, 'bin', 'postgres');
  const alone = ['--single', '-D', dataDirectory(folder), '-c', 'exit_on_error=on', 'postgres'];
  await runOrThrow([postgres, ...alone], account, `CREATE DATABASE ${DATABASE}\n`);
}

/** The built-in locale is the same everywhere; a system's may be missing or change. */
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
  if (exitCode !== 0) {
    throw new EmbeddedPostgresError(
      `creating the embedded database failed; to use another database, set DATABASE_URL: ${output}`,
    );
  }
}
