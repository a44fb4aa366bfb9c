import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { until } from '../../test/support/until';
import { dataSourceOptions } from '../database/data-source';
import { EmailForms1764500100000 } from '../database/migrations/1764500100000-email-forms';
import { ClientRequestIds1764600000000 } from '../database/migrations/1764600000000-client-request-ids';
import { SystemClock } from '../runtime/clock';
import { newId } from '../runtime/ids';
import { Account, Accounts } from './accounts';
import { normalEmail } from './email-address';

const PLAIN_ACCOUNTS = 2_500;

describe('the migration of e-mail addresses to their normal form', () => {
  let testDatabase: TestDatabase;
  let database: DataSource;
  let accounts: Accounts;

  beforeEach(async () => {
    testDatabase = await createTestDatabase();
    const options = { ...dataSourceOptions(testDatabase.url, 4), entities: [Account] };
    database = await new DataSource(options).initialize();
    accounts = new Accounts(database, new SystemClock());
    await migration('down');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await database.destroy();
    await testDatabase.drop();
  });

  it('gives every account its form, and finds it by every spelling', async () => {
    const spellings = [
      'Ada@Example.com',
      'ｂｏｂ@example.com',
      'ÉVE@example.com',
      'fi\u212A@example.com',
      'carl@x.com',
    ];
    const ids = new Map<string, string>();
    for (const spelling of spellings) {
      ids.set(spelling, await insert(spelling, 0));
    }
    await migration('up');
    for (const spelling of spellings) {
      const form = normalEmail(spelling);
      expect(await accounts.findByEmail(spelling)).toMatchObject({ id: ids.get(spelling), email: form });
      expect(await accounts.findByEmail(form)).toMatchObject({ id: ids.get(spelling) });
    }
  });

  it('loses no account of several with one form, and tells whose spelling stays', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const younger = await insert('ﬁ@example.com', 2);
    const older = await insert('ｆi@example.com', 1);
    const earliest = await insert('ｋ@example.com', 0);
    const owner = await insert('k@example.com', 3);
    const tooLong = await insert(`${'\uFDFA'.repeat(200)}@example.com`, 4);
    await migration('up');
    expect(await idsBy('fi@example.com', 'FI@example.com', 'ｆi@example.com')).toEqual([older, older, older]);
    expect(await idsBy('ﬁ@example.com')).toEqual([younger]);
    expect(await idsBy('k@example.com', 'K@example.com')).toEqual([owner, owner]);
    expect(await idsBy('ｋ@example.com')).toEqual([earliest]);
    expect(await idsBy(`${'\uFDFA'.repeat(200)}@example.com`)).toEqual([tooLong]);
    const told = warn.mock.calls.flat().join(' ');
    const named = [younger, older, earliest, owner, tooLong].filter((id) => told.includes(id));
    expect(named).toEqual([younger, earliest, tooLong]);
  });

  it('refuses a second account with one form afterwards', async () => {
    await insert('Ada@example.com', 0);
    await migration('up');
    await expect(insert('ada@example.com', 1)).rejects.toThrow('accounts_email');
  });

  it('converts more accounts than one batch holds', async () => {
    await database.query(
      `INSERT INTO accounts (id, email, username, password_hash, created_at)
       SELECT gen_random_uuid(), 'ADA' || n || '@example.com', 'ada' || n, '', now()
       FROM generate_series(1, $1::integer) AS n`,
      [PLAIN_ACCOUNTS],
    );
    await migration('up');
    const rows: unknown[] = await database.query(
      "SELECT FROM accounts WHERE email ~ '^ada[0-9]+@example.com$'",
    );
    expect(rows).toHaveLength(PLAIN_ACCOUNTS);
  });

  it('lets a settlement end that is under way, and deadlocks with none together with later migrations', async () => {
    const settlement = database.createQueryRunner();
    await settlement.startTransaction();
    await settlement.query('DELETE FROM reservations WHERE id = $1', [newId()]);
    const migrated = database.transaction(async ({ queryRunner }) => {
      if (queryRunner) {
        await new EmailForms1764500100000().up(queryRunner);
        await new ClientRequestIds1764600000000().down(queryRunner);
        await new ClientRequestIds1764600000000().up(queryRunner);
      }
    });
    await until('the migration waits', async () => {
      const waiting: unknown[] = await database.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'relation'",
      );
      return waiting.length > 0;
    });
    // As the foreign key of an entry asks for its account.
    await settlement.query('SELECT FROM accounts WHERE id = $1 FOR KEY SHARE', [newId()]);
    await settlement.commitTransaction();
    await settlement.release();
    await migrated;
  });

  async function migration(direction: 'up' | 'down'): Promise<void> {
    await database.transaction(async ({ queryRunner }) => {
      if (queryRunner) {
        await new EmailForms1764500100000()[direction](queryRunner);
      }
    });
  }

  /** An account as earlier builds stored it: with its e-mail address as it was typed. */
  async function insert(email: string, second: number): Promise<string> {
    const id = newId();
    await database.query(
      `INSERT INTO accounts (id, email, username, password_hash, created_at) VALUES ($1, $2, $3, '', $4)`,
      [id, email, id, new Date(1_700_000_000_000 + second * 1000)],
    );
    return id;
  }

  async function idsBy(...spellings: string[]): Promise<(string | undefined)[]> {
    const found = await Promise.all(spellings.map((spelling) => accounts.findByEmail(spelling)));
    return found.map((account) => account?.id);
  }
});
