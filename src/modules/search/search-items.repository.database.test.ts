import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../test/support/api/test-database';
import { AccountDatabases } from '../../database/account-databases';
import { dataSourceOptions } from '../../database/data-source';
import { NotFound } from '../../errors/api-errors';
import { newId } from '../../runtime/ids';
import { knownWords } from '../../text/search-query';
import { TextThreads } from '../../text/text-threads';
import { ItemSearch } from './search';
import {
  FoundItemsRepository,
  type ItemPage,
  SearchItemEntity,
  type SearchItemFields,
  SearchItemsRepository,
} from './search-items.repository';

const NOW = new Date('2026-11-21T09:00:00.000Z');
const LATER = new Date('2026-11-21T10:00:00.000Z');
const WORDS = ['green', 'teas', 'tea', 'matcha', 'mountain', 'чай', 'grün'];

describe('SearchItemsRepository', () => {
  const threads = new TextThreads({ deadlineMs: 50_000 });
  let testDatabase: TestDatabase;
  let database: DataSource;
  let items: SearchItemsRepository;
  let foundItems: FoundItemsRepository;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const options = { ...dataSourceOptions(testDatabase.url, 8), entities: [SearchItemEntity] };
    database = await new DataSource(options).initialize();
    items = new SearchItemsRepository(AccountDatabases.only(database), threads);
    foundItems = new FoundItemsRepository(AccountDatabases.only(database));
  });

  afterAll(async () => {
    await database.destroy();
    await testDatabase.drop();
    await threads.close();
  });

  it('never lets an item seem older than its creation when a slower clock replaces it', async () => {
    const accountId = await account();
    await items.upsert(accountId, [item('a', 'x')], { now: LATER });
    await items.upsert(accountId, [item('a', 'y')], { now: NOW });
    expect(await items.find(accountId, 'a')).toMatchObject({
      content: 'y',
      createdAt: LATER,
      updatedAt: LATER,
    });
  });

  it('counts the words of all items, through every history of batches and deletions', async () => {
    const ids = fc.constantFrom('a', 'b', 'c', 'd');
    const texts = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 });
    const batch = fc.array(fc.record({ id: ids, words: texts }), { minLength: 1, maxLength: 6 });
    const steps = fc.array(fc.oneof(batch, ids), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const accountId = await account();
        const model = new Map<string, string>();
        for (const step of history) {
          if (typeof step === 'string') {
            expect(await removed(accountId, step)).toBe(model.delete(step));
          } else {
            const stored = step.map(({ id, words }) => item(id, words.join(' ')));
            const present = new Set(model.keys());
            const answer = await items.upsert(accountId, stored, { now: NOW });
            expect(answer).toEqual(stored.map(({ id }) => ({ id, created: !present.has(id) })));
            stored.forEach(({ id, content }) => model.set(id, content));
          }
        }
        expect(await stateOf(accountId)).toEqual(expectedState([...model.values()]));
      }),
      { numRuns: 40 },
    );
  });

  it('ends racing batches and deletions of the same ids without a deadlock, with every word counted', async () => {
    const accountId = await account();
    const ids = Array.from({ length: 30 }, (_, index) => `i${index}`);
    await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        if (index % 6 === 5) {
          return removed(accountId, `i${index}`);
        }
        const order = index % 2 === 0 ? ids : ids.toReversed();
        const batch = order.map((id) => item(id, `${WORDS[index % WORDS.length]} of batch${index}`));
        return items.upsert(accountId, batch, { now: NOW });
      }),
    );
    const rows: { content: string }[] = await database.query(
      'SELECT content FROM search_items WHERE account_id = $1',
      [accountId],
    );
    expect(await stateOf(accountId)).toEqual(expectedState(rows.map(({ content }) => content)));
  });

  it('holds the cap when batches race for the last places', async () => {
    const accountId = await account();
    await items.upsert(accountId, [item('first', 'x')], { now: NOW });
    await database.query('UPDATE search_totals SET items = 99990 WHERE account_id = $1', [accountId]);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, (_, batch) =>
        items.upsert(
          accountId,
          Array.from({ length: 4 }, (__, index) => item(`${batch}-${index}`, 'x')),
          { now: NOW },
        ),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect((await stateOf(accountId)).items).toBe(99_998);
  });

  it('has no index by which Postgres would read all words of an account for each word that it corrects', async () => {
    const byAccount: { indexdef: string }[] = await database.query(
      "SELECT indexdef FROM pg_indexes WHERE tablename = 'search_words' AND indexdef LIKE '%btree (account_id%'",
    );
    expect(byAccount).toEqual([]);
  });

  it('indexes 100,000 characters of distinct four-byte letters', async () => {
    const letters = Array.from({ length: 33_000 }, (_, index) => String.fromCodePoint(0x20000 + index));
    const content = letters.map((letter, index) => `${letter}${letters.at(-index - 1)}`).join(' ');
    await expect(items.upsert(await account(), [item('a', content)], { now: NOW })).resolves.toHaveLength(1);
  });

  it('finds a phrase in the title or in the content, but not from one into the other', async () => {
    const accountId = await account();
    await items.upsert(accountId, [{ ...item('a', 'of Uji, picked in May'), title: 'Green tea' }], {
      now: NOW,
    });
    const found = async (query: string) => (await search(accountId, query)).total;
    expect(await found('"green tea"')).toBe(1);
    expect(await found('"picked in May"')).toBe(1);
    expect(await found('"tea of Uji"')).toBe(0);
    expect(await found('"tea uji"')).toBe(0);
    expect(await found('green -"tea uji"')).toBe(1);
  });

  it('puts the one item with a rare word first among thousands with frequent ones, and counts 10,000', async () => {
    const accountId = await account();
    await database.query(
      `INSERT INTO search_items (account_id, id, content, metadata, created_at, updated_at, is_stemmed, known_words, search)
       SELECT $1, 'i' || n, '', jsonb_build_object('few', n <= 5, 'half', n % 2), $2, $2, true, '{}',
         to_tsvector('pg_catalog.english', CASE n WHEN 1 THEN 'green tea zeppelin' ELSE 'green tea' END)
       FROM generate_series(1, 10001) AS n`,
      [accountId, NOW],
    );
    for (const [metadata, total] of [
      [null, 10_000],
      [{ half: 1 }, 5_001],
      [{ few: true }, 5],
    ] as const) {
      const found = await search(accountId, 'green tea zeppelin', { metadata });
      expect([found.total, found.results[0]?.id]).toEqual([total, 'i1']);
    }
    expect((await search(accountId, '"green tea" -zeppelin')).total).toBe(10_000);
    expect((await search(accountId, 'green tea -green')).total).toBe(0);
  });

  it('ranks the same 1,000 candidates on every page', async () => {
    const accountId = await account();
    for (let batch = 0; batch < 11; batch += 1) {
      const contents = Array.from({ length: 100 }, (_, index) =>
        item(`${batch}-${index}`, `tea ${'green '.repeat((batch * 7 + index) % 13)}`),
      );
      await items.upsert(accountId, contents, { now: NOW });
    }
    const seen = new Set<string>();
    let last = Infinity;
    for (let offset = 0; offset <= 900; offset += 100) {
      const { total, results } = await search(accountId, 'tea green', { offset });
      expect([total, results.length]).toEqual([1_100, 100]);
      for (const { id, score } of results) {
        expect(score).toBeLessThanOrEqual(last);
        last = score;
        seen.add(id);
      }
    }
    expect(seen.size).toBe(1_000);
  });

  function search(accountId: string, query: string, { offset = 0, metadata = null }: Partial<ItemPage> = {}) {
    const { signal } = new AbortController();
    const page = { limit: 100, offset, metadata, sort: 'score', order: 'desc', signal } as const;
    return new ItemSearch(foundItems, threads).search(accountId, query, page);
  }

  /** Deletes an item, and says whether there was one. */
  async function removed(accountId: string, id: string): Promise<boolean> {
    try {
      await items.remove(accountId, id);
      return true;
    } catch (error) {
      if (error instanceof NotFound) {
        return false;
      }
      throw error;
    }
  }

  async function account(): Promise<string> {
    const id = newId();
    await database.query(
      `INSERT INTO accounts (id, email, username, password_hash, created_at, storage_bytes_max)
       VALUES ($1, $2, $2, '', $3, 2 ^ 40)`,
      [id, id, NOW],
    );
    return id;
  }

  async function stateOf(accountId: string): Promise<{ items: number; words: Record<string, number> }> {
    const rows: { word: string; items: number }[] = await database.query(
      'SELECT word, items FROM search_words WHERE account_id = $1',
      [accountId],
    );
    const [total]: { items: number }[] = await database.query(
      'SELECT items FROM search_totals WHERE account_id = $1',
      [accountId],
    );
    const words = Object.fromEntries(rows.map(({ word, items: count }) => [word, count]));
    return { items: total?.items ?? 0, words };
  }
});

function expectedState(contents: readonly string[]): { items: number; words: Record<string, number> } {
  const words: Record<string, number> = {};
  for (const word of contents.flatMap(knownWords)) {
    words[word] = (words[word] ?? 0) + 1;
  }
  return { items: contents.length, words };
}

function item(id: string, content: string): SearchItemFields {
  return { id, title: null, content, url: null, metadata: {} };
}
