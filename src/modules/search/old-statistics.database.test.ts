import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../test/support/api/test-database';
import { AccountDatabases } from '../../database/account-databases';
import { dataSourceOptions } from '../../database/data-source';
import { MemoriesRepository, MemoryEntity } from '../../retrieval/memories.repository';
import { RagChunksRepository } from '../../retrieval/rag-retrieval';
import { VectorRowsRepository } from '../../retrieval/vectors.repository';
import { newId } from '../../runtime/ids';
import { TextThreads } from '../../text/text-threads';
import { ItemSearch } from './search';
import { FoundItemsRepository, SearchItemEntity } from './search-items.repository';

const NOW = new Date('2026-11-21T09:00:00.000Z');
const TABLES = ['search_items', 'memories', 'rag_documents', 'rag_chunks', 'rag_vectors'];
const ROWS = 10_000;
const QUERY = 'green tea w17 w18 w19 w20 w21';
const ANYWHERE = { namespace: null, metadata: null };
const { signal } = new AbortController();

/**
 * Statistics are gathered now and then. An account that stores its first thousands of rows in between is one of those that
 * Postgres believed to have a few. A plan for a few takes longer than a statement may, which is what fails here.
 */
describe('searches where the statistics are older than nearly all rows of an account', () => {
  const threads = new TextThreads({ deadlineMs: 50_000 });
  let testDatabase: TestDatabase;
  let database: DataSource;
  let accountId: string;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const options = { ...dataSourceOptions(testDatabase.url, 2), entities: [MemoryEntity, SearchItemEntity] };
    database = await new DataSource(options).initialize();
    for (const table of TABLES) {
      await database.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
    }
    for (let few = 0; few < 10; few += 1) {
      await store(8);
    }
    await analyze();
    accountId = await store(ROWS);
  }, 60_000);

  afterAll(async () => {
    await database.destroy();
    await testDatabase.drop();
    await threads.close();
  });

  it.each([null, { half: 1 }])('finds search items with the metadata %j', async (metadata) => {
    const found = await new ItemSearch(
      new FoundItemsRepository(AccountDatabases.only(database)),
      threads,
    ).search(accountId, QUERY, {
      limit: 100,
      offset: 0,
      sort: 'score',
      order: 'desc',
      metadata,
      signal,
    });
    expect([found.total, found.results.length]).toEqual([metadata ? ROWS / 2 : ROWS, 100]);
  });

  it.each([null, { half: 1 }])('finds memories with the metadata %j', async (metadata) => {
    const options = { query: QUERY, limit: 100, now: NOW };
    const found = await new MemoriesRepository(AccountDatabases.only(database)).search(
      accountId,
      { ...ANYWHERE, metadata },
      options,
    );
    expect(found.items).toHaveLength(100);
  });

  it.each([
    { collection: null, filter: null },
    { collection: 'c', filter: null },
    { collection: 'c', filter: { half: 1 } },
  ])('ranks and reads indexed chunks with %j', async (conditions) => {
    const chunks = new RagChunksRepository(AccountDatabases.only(database));
    const ranked = await chunks.rankByWords(accountId, { query: QUERY, ...conditions });
    expect(ranked.length).toBeGreaterThanOrEqual(100);
    expect(await chunks.read(accountId, ranked.slice(0, 100))).toHaveLength(100);
  });

  it('finds the chunks with vectors that meet conditions', async () => {
    const rows = new VectorRowsRepository(AccountDatabases.only(database));
    const space = { accountId, model: 'm', dimensions: 2 };
    const half = { collection: null, filter: { half: 1 } };
    const ids = (await rows.meeting(space, half, ROWS)) ?? [];
    expect(ids).toHaveLength(ROWS / 2);
    const judged = await rows.checked(accountId, ids.slice(0, 2_000), half);
    expect([judged.size, ...new Set(judged.values())]).toEqual([2_000, true]);
  });

  it('gathers no statistics of accounts any more', async () => {
    await analyze();
    expect(await tablesWithStatistics()).toEqual([]);
  });

  async function analyze(): Promise<void> {
    for (const table of TABLES) {
      await database.query(`ANALYZE ${table}`);
    }
  }

  async function tablesWithStatistics(): Promise<string[]> {
    const rows: { tablename: string }[] = await database.query(
      `SELECT tablename FROM pg_stats WHERE attname = 'account_id' AND tablename = ANY ($1) ORDER BY tablename`,
      [TABLES],
    );
    return rows.map(({ tablename }) => tablename);
  }

  /** Stores so many rows of each kind for a new account. */
  async function store(rows: number): Promise<string> {
    const id = newId();
    await database.query(
      `INSERT INTO accounts (id, email, username, password_hash, created_at, storage_bytes_max)
       VALUES ($1, $2, $2, '', $3, 2 ^ 40)`,
      [id, id, NOW],
    );
    for (let from = 1; from <= rows; from += 1_000) {
      for (const statement of STORED) {
        await database.query(statement, [id, NOW, from, Math.min(rows, from + 999)]);
      }
    }
    await database.query('INSERT INTO rag_totals (account_id, documents, chunks) VALUES ($1, $2, $2)', [
      id,
      rows,
    ]);
    return id;
  }
});

const SEARCHED = `to_tsvector('pg_catalog.english', 'green tea' || (
  SELECT string_agg(' w' || (n * 7 + k * k) % 20011, '') FROM generate_series(1, 30) AS k
))`;
const METADATA = `jsonb_build_object('half', n % 2)`;
const STORED = [
  `INSERT INTO search_items (account_id, id, content, metadata, created_at, updated_at, is_stemmed, known_words, search)
   SELECT $1, 'i' || n, '', ${METADATA}, $2, $2, true, '{}', ${SEARCHED} FROM generate_series($3::int, $4::int) AS n`,
  `INSERT INTO memories (id, account_id, namespace, key, value, metadata, created_at, updated_at, search)
   SELECT gen_random_uuid(), $1, 'n', 'k' || n, 'x', ${METADATA}, $2, $2, ${SEARCHED} FROM generate_series($3::int, $4::int) AS n`,
  `INSERT INTO rag_documents
   SELECT $1, 'd' || n, true, null, 'c', 'x', '', ${METADATA}, null, 1, 1, 1, $2, $2 FROM generate_series($3::int, $4::int) AS n`,
  `WITH stored AS (
     INSERT INTO rag_chunks (id, account_id, document_id, collection, position, content, starts_at, ends_at, heading, search)
     SELECT gen_random_uuid(), $1, 'd' || n, 'c', 0, 'x', 0, 1, null, ${SEARCHED} FROM generate_series($3::int, $4::int) AS n
     WHERE $2::timestamptz IS NOT NULL RETURNING id
   )
   INSERT INTO rag_vectors (chunk_id, account_id, model, dimensions, vector)
   SELECT id, $1, 'm', 2, '\\x0000000000000000' FROM stored`,
];
