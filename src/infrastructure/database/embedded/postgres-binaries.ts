import { existsSync } from 'node:fs';
import { chmod, cp, lchown, readdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { buildBeside } from './build-beside';
import { EmbeddedPostgresError } from './embedded-postgres-error';
import { runGuarded } from './run-guarded';
import type { Account } from './server-account';
import type { ServerPlace } from './server-place';

/** A symbolic link that the package needs. Both paths are relative to the folder of the package. */
interface LibraryLink {
  source: string;
  target: string;
}

/**
 * Finds Postgres programs that the account of the server can run: those in the npm package, or else a copy of them in
 * the folder of the server. The package needs symbolic links between its libraries. They are made here and not by the
 * install script of the package, because more and more package managers refuse to run such scripts.
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
    // If this process cannot run them either, the cause is not a lack of permissions, and a copy would not help.
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

/** The folder of the npm package for this platform, found from the package that depends on it. */
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

/** Makes the links that the package lists and that do not exist yet. */
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
    // If the folders of the package are read-only, so are their copies, and no links could be made in them.
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

/** Why the programs cannot be run, as the system reports it; undefined when they can. */
async function failureOf(folder: string, account: Account | undefined): Promise<string | undefined> {
  for (const program of ['postgres', 'initdb']) {
    const { exitCode, output } = await runGuarded([join(folder, 'bin', program), '--version'], account);
    if (exitCode !== 0) {
      return output || `${program} ended with code ${exitCode}`;
    }
  }
  return undefined;
}
