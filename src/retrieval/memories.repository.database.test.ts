import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { AccountDatabases } from '../database/account-databases';
import { dataSourceOptions } from '../database/data-source';
import { newId } from '../runtime/ids';
import { MemoriesRepository, type MemoryFields, MemoryEntity } from './memories.repository';

const NOW = new Date('2026-11-21T09:00:00.000Z');
const HOUR_LATER = new Date('2026-11-21T10:00:00.000Z');
const ANYWHERE = { namespace: null, metadata: null };

describe('MemoriesRepository', () => {
  let testDatabase: TestDatabase;
  let database: DataSource;
  let memories: MemoriesRepository;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const options = { ...dataSourceOptions(testDatabase.url, 8), entities: [MemoryEntity] };
    database = await new DataSource(options).initialize();
    memories = new MemoriesRepository(AccountDatabases.only(database));
  });

  afterAll(async () => {
    await database.destroy();
    await testDatabase.drop();
  });

  it('keeps names apart that read alike when they are joined', async () => {
    const accountId = await account();
    const items = [memory({ namespace: 'a\nb', key: 'c' }), memory({ namespace: 'a', key: 'b\nc' })];
    const stored = await memories.upsert(accountId, items, NOW);
    expect(stored.map(({ namespace, key }) => [namespace, key])).toEqual([
      ['a\nb', 'c'],
      ['a', 'b\nc'],
    ]);
    expect((await memories.totals(accountId, NOW)).memories).toBe(2);
  });

  it('stores the last of two items with one name, and returns it for both', async () => {
    const items = [memory({ value: 'first' }), memory({ key: 'b' }), memory({ value: 'last' })];
    const stored = await memories.upsert(await account(), items, NOW);
    expect(stored.map(({ key, value }) => [key, value])).toEqual([
      ['a', 'last'],
      ['b', 'v'],
      ['a', 'last'],
    ]);
  });

  it('replaces in place what lives, and by a new memory what has expired', async () => {
    const accountId = await account();
    const [first] = await memories.upsert(accountId, [memory({ ttlSeconds: 3600 })], NOW);
    const [second] = await memories.upsert(accountId, [memory({ ttlSeconds: 1800 })], NOW);
    const [third] = await memories.upsert(accountId, [memory({})], HOUR_LATER);
    expect([first?.isNew, second?.isNew, third?.isNew]).toEqual([true, false, true]);
    expect(second).toMatchObject({ id: first?.id, createdAt: NOW });
    expect(third).toMatchObject({ createdAt: HOUR_LATER, updatedAt: HOUR_LATER, expiresAt: null });
    expect(third?.id).not.toBe(first?.id);
    expect(await memories.find(accountId, String(first?.id), HOUR_LATER)).toBeNull();
  });

  it('never lets a memory seem older than its creation when a slower clock replaces it', async () => {
    const accountId = await account();
    await memories.upsert(accountId, [memory({})], HOUR_LATER);
    const [replaced] = await memories.upsert(accountId, [memory({ value: 'w' })], NOW);
    expect(replaced).toMatchObject({ value: 'w', createdAt: HOUR_LATER, updatedAt: HOUR_LATER });
  });

  it('stores racing batches of the same names without a deadlock', async () => {
    const accountId = await account();
    const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`);
    const batches = Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? keys : keys.toReversed()));
    const stored = await Promise.all(
      batches.map((batch) =>
        memories.upsert(
          accountId,
          batch.map((key) => memory({ key })),
          NOW,
        ),
      ),
    );
    expect(new Set(stored.flat().map(({ id }) => id)).size).toBe(50);
  });

  it('finds nothing that has expired, from that very moment on', async () => {
    const accountId = await account();
    const [stored] = await memories.upsert(accountId, [memory({ ttlSeconds: 3600 })], NOW);
    const id = stored?.id ?? '';
    const found = async (now: Date) => [
      (await memories.find(accountId, id, now)) !== null,
      (await memories.query(accountId, { ...ANYWHERE, keys: ['a'], keyPrefix: null }, page(now))).total === 1,
      (await memories.search(accountId, ANYWHERE, { query: 'v', limit: 1, now })).items.length === 1,
      (await memories.totals(accountId, now)).memories === 1,
    ];
    expect(await found(new Date(HOUR_LATER.getTime() - 1))).toEqual([true, true, true, true]);
    expect(await found(HOUR_LATER)).toEqual([false, false, false, false]);
  });

  it('deletes what has expired, of accounts that write no more too, and nothing else', async () => {
    const accountId = await account();
    const items = [memory({ key: 'brief', ttlSeconds: 3600 }), memory({ key: 'long', ttlSeconds: 3601 })];
    await memories.upsert(accountId, [...items, memory({ key: 'for ever' })], NOW);
    expect(await memories.sweep(HOUR_LATER)).toBeGreaterThanOrEqual(1);
    expect(await memories.sweep(HOUR_LATER)).toBe(0);
    expect(await keysOf(accountId)).toEqual(['for ever', 'long']);
  });

  it('keeps a memory that is replaced while expired ones are deleted, and waits for nobody', async () => {
    const accountId = await account();
    await memories.upsert(accountId, [memory({ ttlSeconds: 3600 })], NOW);
    const replacing = database.createQueryRunner();
    await replacing.startTransaction();
    await replacing.query('UPDATE memories SET expires_at = NULL WHERE account_id = $1', [accountId]);
    expect(await memories.sweep(HOUR_LATER)).toBe(0);
    await replacing.commitTransaction();
    await replacing.release();
    expect(await memories.sweep(HOUR_LATER)).toBe(0);
    expect(await keysOf(accountId)).toEqual(['a']);
  });

  it.each([
    ['anna@example.com', 'mail'],
    ['example.com', 'mail'],
    ['v1.2.3', 'version'],
    ["the customer's name", 'name'],
    ['/var/log/app.log', 'path'],
    ['important', 'markup'],
    ['engines', 'hyphen'],
    ['größe', 'umlaut'],
    ['paris', 'quotation'],
    ['喜欢', 'chinese'],
    ['f'.repeat(64), 'digest'],
    ['needle', 'haystack'],
  ])('finds %s', async (query, key) => {
    const accountId = await account();
    const values = {
      mail: 'Write to anna@example.com.',
      version: 'Pinned to v1.2.3 for now',
      name: 'Alice',
      path: 'Look into /var/log/app.log',
      markup: 'This is <important>.',
      hyphen: 'A state-of-the-art engine',
      umlaut: 'Die Größe der Bäume',
      quotation: 'He said “Paris” — and left.',
      chinese: '客户、喜欢。法语',
      digest: `sha256:${'f'.repeat(64)}`,
      haystack: `${'hay '.repeat(20_000)}needle`,
    };
    const items = Object.entries(values).map(([name, value]) => memory({ key: name, value }));
    await memories.upsert(accountId, items, NOW);
    const [best] = (await memories.search(accountId, ANYWHERE, { query, limit: 1, now: NOW })).items;
    expect([best?.memory.key, Number(best?.score) > 0]).toEqual([key, true]);
  });

  it('ranks a rare word above a frequent one, and a short memory above a long one', async () => {
    const accountId = await account();
    const values = [
      'tea tea tea tea',
      'tea and milk',
      'tea with sugar',
      'coffee',
      `coffee ${'beans '.repeat(50)}`,
    ];
    const items = values.map((value, index) => memory({ key: `k${index}`, value }));
    await memories.upsert(accountId, items, NOW);
    const ranked = async (query: string) =>
      (await memories.search(accountId, ANYWHERE, { query, limit: 9, now: NOW })).items.map(
        ({ memory: { key } }) => key,
      );
    expect((await ranked('coffee tea'))[0]).toBe('k3');
    expect(await ranked('coffee')).toEqual(['k3', 'k4']);
  });

  it.each(['the of and', '!?', "'", '\\', "') | !('", ':*', '🙂', '<->', '%'])(
    'finds nothing by %j, which has no words',
    async (query) => {
      const accountId = await account();
      await memories.upsert(accountId, [memory({ value: `the of and ${query}` })], NOW);
      const { items } = await memories.search(accountId, ANYWHERE, { query, limit: 9, now: NOW });
      expect(items).toEqual([]);
    },
  );

  it('searches with the first 64 words of a query of thousands', async () => {
    const accountId = await account();
    await memories.upsert(
      accountId,
      [memory({ key: 'x', value: 'word63' }), memory({ value: 'word64' })],
      NOW,
    );
    const query = Array.from({ length: 1500 }, (_, index) => `word${index}`).join(' ');
    const found = await memories.search(accountId, ANYWHERE, { query, limit: 9, now: NOW });
    expect(found.items.map(({ memory: { key } }) => key)).toEqual(['x']);
  });

  it('indexes 100,000 characters of distinct four-byte letters', async () => {
    const letters = Array.from({ length: 33_000 }, (_, index) => String.fromCodePoint(0x20000 + index));
    const value = letters.map((letter, index) => `${letter}${letters.at(-index - 1)}`).join(' ');
    await expect(memories.upsert(await account(), [memory({ value })], NOW)).resolves.toHaveLength(1);
  });

  it('counts all namespaces, and lists the 1,000 with the most memories', async () => {
    const accountId = await account();
    await memories.upsert(accountId, [memory({ namespace: 'z' }), memory({ namespace: 'z', key: 'ü' })], NOW);
    await database.query(
      `INSERT INTO memories (id, account_id, namespace, key, value, metadata, created_at, updated_at, search)
       SELECT gen_random_uuid(), $1, 'n' || lpad(n::text, 4, '0'), 'k', 'ü', '{}', $2, $2, ''
       FROM generate_series(1, 1000) AS n`,
      [accountId, HOUR_LATER],
    );
    const totals = await memories.totals(accountId, HOUR_LATER);
    expect(totals).toMatchObject({ memories: 1002, bytes: 2002, oldestAt: NOW, newestAt: HOUR_LATER });
    expect(totals.namespaces).toHaveLength(1000);
    expect(totals.namespaces[0]).toMatchObject({ namespace: 'z', memories: 2, bytes: 2 });
    expect(totals.namespaces.at(-1)?.namespace).toBe('n0999');
  });

  it('counts nothing as zero', async () => {
    const none = { memories: 0, bytes: 0, namespaces: [], oldestAt: null, newestAt: null };
    expect(await memories.totals(newId(), NOW)).toEqual(none);
  });

  async function account(): Promise<string> {
    const id = newId();
    await database.query(
      `INSERT INTO accounts (id, email, username, password_hash, created_at, storage_bytes_max)
       VALUES ($1, $2, $2, '', $3, 2 ^ 40)`,
      [id, id, NOW],
    );
    return id;
  }

  async function keysOf(accountId: string): Promise<string[]> {
    const rows: { key: string }[] = await database.query(
      'SELECT key FROM memories WHERE account_id = $1 ORDER BY key',
      [accountId],
    );
    return rows.map(({ key }) => key);
  }
});

function memory(fields: Partial<MemoryFields>): MemoryFields {
  return { namespace: 'n', key: 'a', value: 'v', metadata: {}, ttlSeconds: null, ...fields };
}

function page(now: Date) {
  return { start: null, end: null, limit: 10, offset: 0, order: 'asc' as const, now };
}
