import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { AccountDatabases } from '../database/account-databases';
import { dataSourceOptions } from '../database/data-source';
import { SystemClock } from '../runtime/clock';
import { newId } from '../runtime/ids';
import { Account, Accounts } from './accounts';
import { registerOf } from '../../test/support/database/process-register';

/** Builds that stored addresses as they were typed have left such where another account had the normal form. */
describe('accounts whose e-mail address is in no normal form', () => {
  let testDatabase: TestDatabase;
  let database: DataSource;
  let accounts: Accounts;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const options = { ...dataSourceOptions(testDatabase.url, 4), entities: [Account] };
    database = await new DataSource(options).initialize();
    accounts = new Accounts(AccountDatabases.only(database), new SystemClock(), registerOf(database));
  });
  afterAll(async () => {
    await database.destroy();
    await testDatabase.drop();
  });

  it('are found by their own spelling alone, and the owner of the form by all others', async () => {
    const younger = await insert('ﬁ@example.com');
    const owner = await insert('fi@example.com');
    const tooLong = await insert(`${'\uFDFA'.repeat(200)}@example.com`);
    expect(await idsBy('fi@example.com', 'FI@example.com', 'ｆi@example.com')).toEqual([owner, owner, owner]);
    expect(await idsBy('ﬁ@example.com')).toEqual([younger]);
    expect(await idsBy(`${'\uFDFA'.repeat(200)}@example.com`)).toEqual([tooLong]);
  });

  it('are never two of one spelling', async () => {
    await insert('ada@example.com');
    await expect(insert('ada@example.com')).rejects.toThrow('accounts_email');
  });

  async function insert(email: string): Promise<string> {
    const id = newId();
    await database.query(
      `INSERT INTO accounts (id, email, username, password_hash, created_at) VALUES ($1, $2, $3, '', now())`,
      [id, email, id],
    );
    return id;
  }

  async function idsBy(...spellings: string[]): Promise<(string | undefined)[]> {
    const found = await Promise.all(spellings.map((spelling) => accounts.findByEmail(spelling)));
    return found.map((account) => account?.id);
  }
});
