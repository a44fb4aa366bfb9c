import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { AccountDatabases } from '../database/account-databases';
import { dataSourceOptions } from '../database/data-source';
import { Conflict, NotFound } from '../errors/api-errors';
import { newId } from '../runtime/ids';
import { AccountRows, type ListQuery } from './account-rows';

@Entity('notes')
class Note {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') accountId!: string;
  @Column('text') title!: string;
  @Column('integer', { nullable: true }) stars!: number | null;
  @Column('text') body!: string;
  @Column('timestamptz') createdAt!: Date;
}

const NEWEST_FIRST: ListQuery = { start: null, end: null, limit: 10, offset: 0, order: 'desc' };
const day = (number: number) => new Date(Date.UTC(2026, 10, number));

describe('AccountRows', () => {
  let testDatabase: TestDatabase;
  let database: DataSource;
  let notes: AccountRows<Note>;
  let accountId: string;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = await new DataSource({
      ...dataSourceOptions(testDatabase.url, 4),
      entities: [Note],
    }).initialize();
    await database.query(`
      CREATE TABLE notes (id uuid PRIMARY KEY, account_id uuid NOT NULL REFERENCES accounts, title text NOT NULL,
        stars integer, body text NOT NULL, created_at timestamptz NOT NULL)`);
    notes = new AccountRows(AccountDatabases.only(database), Note, {
      name: 'note',
      plural: 'notes',
      countMax: 3,
      unlisted: ['body'],
    });
  });

  afterAll(async () => {
    await database.destroy();
    await testDatabase.drop();
  });

  beforeEach(async () => {
    accountId = await newAccount();
  });

  describe('a row that is not the account’s', () => {
    it('is not found, read, changed or removed, and stays as it was', async () => {
      const { id } = await stored({ title: 'mine' });
      const other = await newAccount();
      expect(await notes.find(other, id)).toBeNull();
      await expect(notes.get(other, id)).rejects.toThrow(NotFound);
      await expect(notes.update(other, id, () => ({ title: 'theirs' }))).rejects.toThrow(NotFound);
      await expect(notes.remove(other, id)).rejects.toThrow(NotFound);
      expect(await notes.get(accountId, id)).toMatchObject({ title: 'mine', body: 'text' });
    });

    it('is neither listed nor counted', async () => {
      await stored({});
      expect(await notes.list(await newAccount(), NEWEST_FIRST)).toMatchObject({ items: [], total: 0 });
    });

    it('is not listed to nobody, nor where a condition names its owner', async () => {
      const { accountId: owner } = await stored({ title: 'mine' });
      expect((await notes.list(undefined as never, NEWEST_FIRST)).items).toEqual([]);
      expect((await notes.list(await newAccount(), NEWEST_FIRST, { 'account_id = $': owner })).total).toBe(0);
    });

    it('cannot be told from a text that is no id', async () => {
      await expect(notes.get(accountId, 'no-id')).rejects.toThrow(new NotFound('note'));
      await expect(notes.remove(accountId, 'no-id')).rejects.toThrow(new NotFound('note'));
      await expect(notes.get(accountId, newId())).rejects.toThrow(new NotFound('note'));
    });
  });

  describe('a list', () => {
    it('is newest first, says how many there are in all, and leaves out what is unlisted', async () => {
      await stored({ title: 'a', createdAt: day(1) });
      await stored({ title: 'b', createdAt: day(2) });
      await stored({ title: 'c', createdAt: day(3) });
      const page = await notes.list(accountId, { ...NEWEST_FIRST, limit: 1, offset: 1 });
      expect(page).toMatchObject({
        items: [{ title: 'b' }],
        total: 3,
        limit: 1,
        offset: 1,
        truncated: false,
      });
      expect(page.items[0]).not.toHaveProperty('body');
    });

    it('takes rows from its start on and before its end, and counts only these', async () => {
      for (const number of [1, 2, 3]) {
        await stored({ title: String(number), createdAt: day(number) });
      }
      const page = await notes.list(accountId, { ...NEWEST_FIRST, start: day(2), end: day(3) });
      expect(page).toMatchObject({ items: [{ title: '2' }], total: 1 });
    });

    it('meets every condition that has a value', async () => {
      await stored({ title: 'a', stars: 1 });
      await stored({ title: 'b', stars: 2 });
      const conditions = { 'stars > $': 1, 'title = $': null };
      expect(await notes.list(accountId, NEWEST_FIRST, conditions)).toMatchObject({
        items: [{ title: 'b' }],
        total: 1,
      });
    });

    it('sorts by a column with rows without a value last, and equal ones in the order of their ids', async () => {
      const none = await stored({ stars: null });
      const equal = [await stored({ stars: 5 }), await stored({ stars: 5 })].map(({ id }) => id).sort();
      const ids = async (order: 'asc' | 'desc') =>
        (await notes.list(accountId, { ...NEWEST_FIRST, sort: 'stars', order })).items.map(({ id }) => id);
      expect(await ids('asc')).toEqual([...equal, none.id]);
      expect(await ids('desc')).toEqual([...equal.toReversed(), none.id]);
    });

    it('refuses to sort by anything but a column', async () => {
      const sort = 'title; DROP TABLE notes';
      await expect(notes.list(accountId, { ...NEWEST_FIRST, sort })).rejects.toThrow('cannot be sorted by');
    });
  });

  describe('a cap', () => {
    it('holds when two rows are inserted at once', async () => {
      await stored({});
      await stored({});
      const outcomes = await Promise.allSettled([inserted(), inserted()]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(outcomes).toContainEqual({ status: 'rejected', reason: expect.any(Conflict) as unknown });
      expect(await notes.list(accountId, NEWEST_FIRST)).toMatchObject({ total: 3 });
    });

    it('has room again once a row is removed', async () => {
      const { id } = await stored({});
      await stored({});
      await stored({});
      await expect(inserted()).rejects.toThrow('An account has at most 3 notes; delete one first.');
      await notes.remove(accountId, id);
      await inserted();
      await expect(notes.remove(accountId, id)).rejects.toThrow(NotFound);
    });
  });

  it('changes nothing where the decision throws', async () => {
    const { id } = await stored({ title: 'before' });
    const refused = notes.update(accountId, id, () => {
      throw new Conflict('no');
    });
    await expect(refused).rejects.toThrow(Conflict);
    expect(await notes.update(accountId, id, () => ({ stars: 4 }))).toMatchObject({
      title: 'before',
      stars: 4,
    });
    expect(await notes.get(accountId, id)).toMatchObject({ title: 'before', stars: 4 });
  });

  async function newAccount(): Promise<string> {
    const id = newId();
    await database.query(
      `INSERT INTO accounts (id, email, username, password_hash, created_at) VALUES ($1, $2, $2, '', now())`,
      [id, id],
    );
    return id;
  }

  function inserted(): Promise<void> {
    return database.transaction((manager) => notes.insertWithinCap(manager, note({})));
  }

  async function stored(fields: Partial<Note>): Promise<Note> {
    const row = note(fields);
    await database.getRepository(Note).insert(row);
    return row;
  }

  function note(fields: Partial<Note>): Note {
    return { id: newId(), accountId, title: '', stars: null, body: 'text', createdAt: day(1), ...fields };
  }
});
