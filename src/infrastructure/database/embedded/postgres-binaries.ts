import { existsSync } from 'node:fs';
import { chmod, cp, lchown, readdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { buildBeside } from './build-beside';
import { EmbeddedPostgresError } from './embedded-postgres-error';
import { runGuarded } from './run-guarded';
import type { Account } from './server-account';
import type { ServerPlace } from './server-place';

interface LibraryLink {
  source: string;
  target: string;
}

/**
 * Finds Postgres programs that the server's account can run: those of the npm package where they are, or else a
 * copy beside the database. The links between libraries that the package's install script would make are made
 * here, because package managers increasingly refuse to run such scripts.
 *
 * @returns the folder that holds `bin`, `lib` and `share`.
 * @throws EmbeddedPostgresError when there is no build for this machine or the machine cannot run it.
 */
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
    // What this process cannot run either is beyond the help of a copy.
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
  if (failure === undefined) {
    return;
  }
  throw new EmbeddedPostgresError(
    `embedded Postgres does not run on this machine (on Linux it needs glibc 2.27); set DATABASE_URL: ${failure}`,
  );
}

/** The folder of the package for this platform, resolved from the package that depends on it. */
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

/** Both paths in the package's list start at the package's folder. */
async function makeLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as LibraryLink[]) {
    if (existsSync(join(folder, target))) {
      continue;
    }
    await symlink(relative(dirname(target), source), join(folder, target)).catch(unlessPresent);
  }
}

/** Another service may be making the same links at this moment. */
function unlessPresent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') {
    throw error;
  }
}

async function copyBinaries(packaged: string, folder: string, account: Account | undefined): Promise<void> {
  await cp(join(packaged, 'native'), join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    // A package in a read-only place would otherwise be copied into folders that take no links.
    if (entry.isDirectory()) {
      await chmod(join(entry.parentPath, entry.name), 0o755);
    }
  }
  await makeLinks(folder);
  if (account === undefined) {
    return;
  }
  // The package may have been installed with a umask that lets nobody else read it.
  for (const path of [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))]) {
    await lchown(path, account.uid, account.gid);
  }
}

/** Why the programs cannot be run, in the system's words, or undefined when they can. */
async function failureOf(folder: string, account: Account | undefined): Promise<string | undefined> {
  for (const program of ['postgres', 'initdb']) {
    const { exitCode, output } = await runGuarded([join(folder, 'bin', program), '--version'], account);
    if (exitCode !== 0) {
      return output || `${program} ended with code ${exitCode}`;
    }
  }
  return undefined;
}
