import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import {
  accountSchema,
  completeSchema,
  countSchemas,
  hideEveryone,
  moveIntoFirst,
  WrongSchemaCount,
  refuseWhileLive,
  showEveryone,
  within,
} from './account-schemas';
import { withLongStatements } from './connection-pool';
import { dataSourceOptions } from './data-source';
import { allowChanges } from './distribute';
import { REPLACED_MIGRATIONS } from './migrations';

/** Chosen freely; it only has to be the same in every replica. */
const MIGRATION_LOCK = 7_310_001;
/** Changing millions of rows takes long, as does another replica's migration. */
const STATEMENT_MS_MAX = 12 * 60 * 60 * 1000;
/** Calls queue behind a migration that waits for a table's lock. */
const LOCKED_MS_MAX = 10_000;

/** Installed in this order: those of the ledger call those of events. */
export const databaseFunctions: readonly string[] = [
  'events',
  'modules/webhooks',
  'accounts',
  'ledger',
  'retrieval',
  'modules/tasks',
].map((folder) => join(__dirname, '..', folder, 'sql'));

export class NewerSchema extends Error {
  constructor(migration: string) {
    super(
      `The database has the migration ${migration}, which this build does not know: a later build has changed the ` +
        'schema. Start that build or a later one, or restore a backup from before the migration for this one.',
    );
  }
}

export class OlderSchema extends Error {
  constructor(lacking: string) {
    super(
      `The database lacks ${lacking}, and MIGRATE_AT_START is false. Start a process with ROLE=migrate first: it brings ` +
        'the database to the newest schema and ends.',
    );
  }
}

export class UnfinishedSchema extends Error {
  constructor(lacking: string) {
    super(
      `The database lacks the migration ${lacking} of a release before this one, which this build cannot run any more. Start ` +
        `the last release that has it first (commit 6484c53, with ROLE=migrate): its migrations end with ` +
        `${REPLACED_MIGRATIONS.at(-1)}. Then start this one.`,
    );
  }
}

/**
 * One transaction, so that no replica sees new tables with old functions.
 * @param functionFolders in order of installation
 * @param schemas of accounts; a single one is `public`
 * @throws NewerSchema, UnfinishedSchema, WrongSchemaCount; Postgres' error, also for a table locked ten
 * seconds: then nothing is changed
 */
export async function migrate(url: string, functionFolders: readonly string[], schemas = 1): Promise<void> {
  const source = await new DataSource(dataSourceOptions(url, 2)).initialize();
  try {
    await withLongStatements(source, STATEMENT_MS_MAX, (runner) =>
      new Schemas(source, runner, functionFolders).migrate(schemas),
    );
  } finally {
    await source.destroy();
  }
}

/** Changes nothing. @throws OlderSchema, NewerSchema, UnfinishedSchema or WrongSchemaCount */
export async function requireMigrated(
  url: string,
  functionFolders: readonly string[],
  schemas = 1,
): Promise<void> {
  const source = await new DataSource(dataSourceOptions(url, 1)).initialize();
  try {
    await source.transaction(({ queryRunner }) =>
      new Schemas(source, queryRunner as QueryRunner, functionFolders).requireNewest(schemas),
    );
  } finally {
    await source.destroy();
  }
}

class Schemas {
  constructor(
    private readonly source: DataSource,
    private readonly runner: QueryRunner,
    private readonly functionFolders: readonly string[],
  ) {}

  async requireNewest(schemas: number): Promise<void> {
    const present = await countSchemas(this.runner);
    await this.each(present, async () => {
      const pending = await this.pendingMigration();
      if (pending !== undefined) {
        throw new OlderSchema(`the migration ${pending}`);
      }
      if ((await this.changedFunctions()).length > 0) {
        throw new OlderSchema('functions of this build');
      }
    });
    if (present !== schemas) {
      throw new WrongSchemaCount(present, schemas);
    }
  }

  async migrate(schemas: number): Promise<void> {
    const { runner } = this;
    // Waits for its turn without bound; only then is the wait for locks bounded.
    await runner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await runner.query(`SET LOCAL lock_timeout = ${LOCKED_MS_MAX}`);
    const present = await countSchemas(runner);
    if (present > schemas) {
      throw new WrongSchemaCount(present, schemas);
    }
    const pending = await this.each(present, () => this.pendingMigration());
    const areTablesChanged = pending.some((name) => name !== undefined);
    await allowChanges(runner, LOCKED_MS_MAX, areTablesChanged);
    const isShownAnew = schemas > present || (schemas > 1 && areTablesChanged);
    if (isShownAnew) {
      await hideEveryone(runner);
    }
    await this.each(present, () => this.build());
    if (schemas > present) {
      await refuseWhileLive(runner);
    }
    if (schemas > 1 && present === 1) {
      await moveIntoFirst(runner);
    }
    for (let number = present; number < schemas; number += 1) {
      await runner.query(`CREATE SCHEMA ${accountSchema(number)}`);
      await within(runner, accountSchema(number), () => this.build().then(() => completeSchema(runner)));
    }
    if (isShownAnew) {
      await showEveryone(runner, schemas);
    }
  }

  private async each<Result>(schemas: number, work: () => Promise<Result>): Promise<Result[]> {
    if (schemas === 1) {
      return [await work()];
    }
    const results: Result[] = [];
    for (let number = 0; number < schemas; number += 1) {
      results.push(await within(this.runner, accountSchema(number), work));
    }
    return results;
  }

  private async build(): Promise<void> {
    // TypeORM looks for its table there.
    (this.source.driver as PostgresDriver).schema = await this.runner.getCurrentSchema();
    const executor = new MigrationExecutor(this.source, this.runner);
    executor.transaction = 'none';
    await executor.executePendingMigrations();
    for (const file of await this.changedFunctions()) {
      await this.install(file);
    }
  }

  /** Later functions must stay, and the baseline not be skipped. @throws NewerSchema, UnfinishedSchema */
  private async pendingMigration(): Promise<string | undefined> {
    const known = this.source.migrations.map(({ constructor }) => constructor.name);
    const applied = await this.appliedMigrations();
    const unknown = applied.find((name) => !known.includes(name) && !REPLACED_MIGRATIONS.includes(name));
    if (unknown !== undefined) {
      throw new NewerSchema(unknown);
    }
    const lacking = REPLACED_MIGRATIONS.filter((name) => !applied.includes(name));
    if (lacking[0] !== undefined && lacking.length < REPLACED_MIGRATIONS.length) {
      throw new UnfinishedSchema(lacking[0]);
    }
    return known.find((name) => !applied.includes(name));
  }

  private async appliedMigrations(): Promise<string[]> {
    const { manager } = this.runner;
    const [table]: { name: string | null }[] = await manager.query(
      "SELECT to_regclass('migrations') AS name",
    );
    const rows: { name: string }[] = table?.name
      ? await manager.query('SELECT name FROM migrations ORDER BY timestamp DESC')
      : [];
    return rows.map(({ name }) => name);
  }

  /** By folder, then name: the order of installation. @throws Error for a repeated name */
  private async changedFunctions(): Promise<FunctionFile[]> {
    const files = (await Promise.all(this.functionFolders.map(readFolder))).flat();
    const twice = files.find(({ name }, index) => files.findIndex((file) => file.name === name) < index);
    if (twice) {
      throw new Error(`${twice.path}: another file of functions has the same name`);
    }
    const rows: Pick<FunctionFile, 'name' | 'checksum'>[] = await this.runner.manager.query(
      'SELECT name, checksum FROM installed_functions',
    );
    const installed = new Map(rows.map(({ name, checksum }) => [name, checksum]));
    return files.filter(({ name, checksum }) => installed.get(name) !== checksum);
  }

  private async install({ name, path, sql, checksum }: FunctionFile): Promise<void> {
    try {
      await this.runner.query(sql);
    } catch (cause) {
      throw new Error(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
    await this.runner.query(
      `INSERT INTO installed_functions (name, checksum, installed_at) VALUES ($1, $2, now())
       ON CONFLICT (name) DO UPDATE SET checksum = excluded.checksum, installed_at = excluded.installed_at`,
      [name, checksum],
    );
  }
}

interface FunctionFile {
  name: string;
  path: string;
  sql: string;
  /** SHA-256, hexadecimal. */
  checksum: string;
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
