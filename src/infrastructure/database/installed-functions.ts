import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { QueryRunner } from 'typeorm';

/** A file of SQL. It creates the function that it is named after, and the triggers that call this function. */
export interface FunctionFile {
  name: string;
  path: string;
  sql: string;
  /** SHA-256 of the file, in hexadecimal digits. */
  checksum: string;
}

/**
 * Finds the files that differ from what the database has installed. They are in the order in which they have to be
 * installed: folder by folder, and by name within each folder.
 *
 * @throws Error when two files have the same name
 */
export async function changedFunctions(
  runner: QueryRunner,
  folders: readonly string[],
): Promise<FunctionFile[]> {
  const files = (await Promise.all(folders.map(readFolder))).flat();
  const twice = files.find(({ name }, index) => files.findIndex((file) => file.name === name) < index);
  if (twice) {
    throw new Error(`${twice.path}: another file of functions has the same name`);
  }
  const rows = (await runner.query('SELECT name, checksum FROM installed_functions')) as {
    name: string;
    checksum: string;
  }[];
  const installed = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  return files.filter(({ name, checksum }) => installed.get(name) !== checksum);
}

/**
 * Runs the files in their order and stores their checksums. The caller must have begun a transaction in which it holds
 * the lock that keeps other replicas from doing the same.
 *
 * @throws Error that names the file which Postgres refuses; its cause is the error of the driver
 */
export async function installFunctions(runner: QueryRunner, files: readonly FunctionFile[]): Promise<void> {
  for (const { name, path, sql, checksum } of files) {
    try {
      await runner.query(sql);
    } catch (cause) {
      throw new Error(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
    await runner.query(
      `INSERT INTO installed_functions (name, checksum, installed_at) VALUES ($1, $2, now())
       ON CONFLICT (name) DO UPDATE SET checksum = excluded.checksum, installed_at = excluded.installed_at`,
      [name, checksum],
    );
  }
}

async function readFolder(folder: string): Promise<FunctionFile[]> {
  const entries = (await readdir(folder)).filter((entry) => entry.endsWith('.sql')).sort();
  return Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry);
      const sql = await readFile(path, 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { name: basename(entry, '.sql'), path, sql, checksum };
    }),
  );
}
