import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { turnsDuring } from '../../test/support/event-loop-turns';
import { AccountDatabases } from '../database/account-databases';
import { dataSourceOptions } from '../database/data-source';
import { newId } from '../runtime/ids';
import { TextThreads } from '../text/text-threads';
import type { ChunkEmbeddings } from './chunk-embeddings';
import { type ChunkVectors, ChunkRetrieval, RagChunksRepository, type RetrieveOrder } from './rag-retrieval';
import { ContentChunks, type IndexOrder, RagIndexing } from './rag-indexing';
import { RagDocumentEntity, RagDocumentsRepository } from './rag-documents.repository';
import type { VectorRowsRepository } from './vectors.repository';

const NOW = new Date('2026-11-21T09:00:00.000Z');
const { signal } = new AbortController();
const noEmbeddings = { embed: () => Promise.resolve(null) } as unknown as ChunkEmbeddings;
const noVectors = {} as ChunkVectors;
const noVectorRows = {} as VectorRowsRepository;

describe('indexed documents', () => {
  let testDatabase: TestDatabase;
  let database: DataSource;
  let documents: RagDocumentsRepository;
  let indexing: RagIndexing;
  let retrieval: ChunkRetrieval;
  const threads = new TextThreads({ deadlineMs: 50_000 });

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const options = { ...dataSourceOptions(testDatabase.url, 8), entities: [RagDocumentEntity] };
    database = await new DataSource(options).initialize();
    documents = new RagDocumentsRepository(AccountDatabases.only(database));
    const clock = { now: () => NOW };
    indexing = new RagIndexing(documents, new ContentChunks(threads), noEmbeddings, noVectorRows, clock);
    retrieval = new ChunkRetrieval(
      new RagChunksRepository(AccountDatabases.only(database)),
      noEmbeddings,
      noVectors,
    );
  });

  afterAll(async () => {
    await threads.close();
    await database.destroy();
    await testDatabase.drop();
  });

  it('finds chunks of English, German, Russian and Chinese documents by their words', async () => {
    const accountId = await account();
    const contents = {
      en: 'The library opens at nine on weekdays. On Sundays it stays closed for all of its readers.',
      de: 'Die Bibliothek öffnet werktags um neun Uhr. An Sonntagen bleibt sie für alle Leser geschlossen.',
      ru: 'Библиотека открывается по будням в девять часов. По воскресеньям она закрыта для всех.',
      zh: '图书馆在工作日九点开门。星期天对所有读者关闭。',
    };
    for (const [documentId, content] of Object.entries(contents)) {
      await index(accountId, { content, documentId });
    }
    const queries = {
      'When do libraries open?': 'en',
      'Wann öffnet die Bibliothek?': 'de',
      'Когда библиотека закрыта?': 'ru',
      图书馆什么时候开门: 'zh',
    };
    for (const [query, documentId] of Object.entries(queries)) {
      const [best] = await retrieve(accountId, { query });
      expect([query, best?.documentId]).toEqual([query, documentId]);
      expect(best?.score).toBeGreaterThan(0);
      expect(best?.score).toBeLessThanOrEqual(1);
    }
  });

  it('says where each chunk stands in the content, and under which heading', async () => {
    const accountId = await account();
    const content = `# Opening hours\n${'The library opens at nine. '.repeat(60)}\n\n# Fees\n${'A card is free of charge. '.repeat(30)}`;
    await index(accountId, { content });
    const found = await retrieve(accountId, { query: 'fees opening', topK: 50 });
    expect(new Set(found.map(({ heading }) => heading))).toEqual(new Set(['Opening hours', 'Fees']));
    for (const { text, start, end } of found) {
      expect(content.slice(start, end)).toBe(text);
    }
  });

  it('finds by collection and by metadata, alone and together', async () => {
    const accountId = await account();
    for (const documentId of ['ax', 'ay', 'bx', 'by']) {
      const [collection, topic] = [documentId.slice(0, 1), documentId.slice(1)];
      await index(accountId, { content: 'Some text.', collection, metadata: { topic }, documentId });
    }
    const found = async (order: Partial<RetrieveOrder>) =>
      (await retrieve(accountId, order)).map(({ documentId }) => documentId).sort();
    expect(await found({})).toEqual(['ax', 'ay', 'bx', 'by']);
    expect(await found({ collection: 'a' })).toEqual(['ax', 'ay']);
    expect(await found({ filter: { topic: 'x' } })).toEqual(['ax', 'bx']);
    expect(await found({ collection: 'b', filter: { topic: 'x' } })).toEqual(['bx']);
    expect(await found({ filter: { topic: 'z' } })).toEqual([]);
    expect(await found({ filter: {} })).toHaveLength(4);
  });

  it('ranks what answers more of the query higher, a heading most, and leaves out what scores too low', async () => {
    const accountId = await account();
    const contents = {
      all: 'The red lantern hangs above a door.',
      one: 'A lantern needs oil and a match.',
      other: 'A red door was painted on Monday.',
      heading: '# Red lantern\nIt hangs above a door.',
    };
    for (const [documentId, content] of Object.entries(contents)) {
      await index(accountId, { content, documentId });
    }
    const found = await retrieve(accountId, { query: 'red lantern' });
    expect(found.slice(0, 2).map(({ documentId }) => documentId)).toEqual(['heading', 'all']);
    expect(found).toHaveLength(4);
    const minScore = found[1]?.score ?? 1;
    expect(await retrieve(accountId, { query: 'red lantern', minScore })).toHaveLength(2);
    expect(await retrieve(accountId, { query: 'red lantern', topK: 1 })).toEqual(found.slice(0, 1));
  });

  it('scores 1 what has every word once at average length, and keeps the order of what is better', async () => {
    const accountId = await account();
    const contents = {
      once: 'A red lantern hangs here.',
      often: 'A lantern, red lantern, red.',
      half: 'A red door hangs here.',
      other: 'A green door hangs here.',
    };
    for (const [documentId, content] of Object.entries(contents)) {
      await index(accountId, { content, documentId });
    }
    const found = await retrieve(accountId, { query: 'red lantern' });
    expect(found.map(({ documentId }) => documentId)).toEqual(['often', 'once', 'half']);
    expect(found[0]?.score).toBe(1);
    expect(found[1]?.score).toBeCloseTo(1, 1);
    expect(found[2]?.score).toBeLessThan(0.5);
  });

  it('finds the one chunk with a rare word among thousands that share the frequent ones', async () => {
    const accountId = await account();
    await index(accountId, { content: 'The common lantern is a zeppelin.', documentId: 'rare' });
    await index(accountId, { content: 'Many.', documentId: 'many' });
    await database.query(
      `INSERT INTO rag_chunks (id, account_id, document_id, collection, position, starts_at, ends_at, content, search)
       SELECT gen_random_uuid(), $1, 'many', 'default', n, 0, 5, 'Many.', to_tsvector('pg_catalog.english', 'common lantern')
       FROM generate_series(1, 6000) AS n`,
      [accountId],
    );
    await database.query('UPDATE rag_totals SET chunks = chunks + 6000 WHERE account_id = $1', [accountId]);
    const found = await retrieve(accountId, { query: 'a common lantern zeppelin', topK: 3 });
    expect(found.map(({ documentId }) => documentId)).toEqual(['rare', 'many', 'many']);
    expect(await retrieve(accountId, { query: 'common absentee', topK: 3 })).toHaveLength(3);
  });

  it.each(['the of and', '!?', "'", '\\', "') | !('", ':*', '🙂', '<->', '%'])(
    'finds nothing by %j, which has no words',
    async (query) => {
      const accountId = await account();
      await index(accountId, { content: `the of and ${query} words` });
      expect(await retrieve(accountId, { query })).toEqual([]);
    },
  );

  it('stores a content once, whichever calls race, and tells the retries of its call the same', async () => {
    const accountId = await account();
    const order = { content: 'Once. '.repeat(700), tokens: 7 };
    const results = await Promise.all(Array.from({ length: 12 }, () => index(accountId, order)));
    expect(new Set(results.map(({ documentId }) => documentId)).size).toBe(1);
    expect(results.filter(({ isDeduplicated }) => !isDeduplicated)).toHaveLength(1);
    expect(await index(accountId, { ...order, collection: 'other' })).toMatchObject({
      isDeduplicated: false,
    });

    const first = await index(accountId, { content: 'Twice.', callId: 'call' });
    expect(await index(accountId, { content: 'Twice.', callId: 'call' })).toEqual(first);
    expect(await index(accountId, { content: 'Twice.', callId: 'other' })).toEqual({
      ...first,
      isDeduplicated: true,
    });
    expect(await totalsHold(accountId)).toBe(true);
  });

  it('replaces all of a document whose id comes again, also when replacements and deletions race', async () => {
    const accountId = await account();
    const versions = ['old words '.repeat(900), 'new words '.repeat(400)];
    await index(accountId, { content: versions[0], documentId: 'd', collection: 'a', metadata: { a: 1 } });
    await index(accountId, { content: versions[1], documentId: 'd', collection: 'b' });
    expect(await documents.find(accountId, 'd')).toMatchObject({
      collection: 'b',
      metadata: {},
      content: versions[1],
    });
    expect(await retrieve(accountId, { query: 'old' })).toEqual([]);
    expect(await retrieve(accountId, { query: 'new', collection: 'a' })).toEqual([]);

    const races = Array.from({ length: 24 }, (_, turn) =>
      turn % 3 === 2
        ? remove(accountId, 'd')
        : index(accountId, { content: versions[turn % 3], documentId: 'd' }),
    );
    await Promise.all(races);
    expect(await totalsHold(accountId)).toBe(true);
    const last = await documents.find(accountId, 'd');
    const { chunks } = await documents.totals(accountId);
    expect(chunks).toBe(last?.chunks ?? 0);
  });

  it('stores or deletes one content wholly while calls that store and delete it race', async () => {
    const accountId = await account();
    const content = 'Now it is here and now it is gone. '.repeat(100);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 24 }, async () => {
        const { documentId } = await index(accountId, { content });
        await remove(accountId, documentId);
      }),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeLessThan(24);
    expect(await documents.totals(accountId)).toMatchObject({ documents: 0, chunks: 0 });
    expect(await totalsHold(accountId)).toBe(true);
  });

  it('stores nothing when something fails on the way', async () => {
    const accountId = await account();
    const order = { content: 'All or nothing.', documentId: 'd' };
    await index(accountId, order);
    const record = await documents.find(accountId, 'd');
    const fail = () => Promise.reject(new Error('the vectors could not be stored'));
    const other = { ...(record as RagDocumentEntity), content: 'Other.' };
    await expect(documents.store(other, [], fail)).rejects.toThrow('the vectors');
    expect(await documents.find(accountId, 'd')).toEqual(record);
    expect(await retrieve(accountId, { query: 'nothing' })).toHaveLength(1);
    expect(await totalsHold(accountId)).toBe(true);
  });

  it.each([
    ['documents', 50_000],
    ['chunks', 500_000],
  ])('refuses more than the bound of %s, but not what makes room', async (things, countMax) => {
    const accountId = await account();
    await index(accountId, { content: 'First. '.repeat(600), documentId: 'd' });
    await database.query(`UPDATE rag_totals SET ${things} = $2 WHERE account_id = $1`, [accountId, countMax]);
    // Embedding costs the operator something, and a refused call nothing.
    const embed = jest.spyOn(noEmbeddings, 'embed');
    const refusal = `at most ${countMax} ${things}`;
    await expect(index(accountId, { content: 'Second.' })).rejects.toThrow(refusal);
    expect(embed).not.toHaveBeenCalled();
    embed.mockRestore();
    await index(accountId, { content: 'Smaller.', documentId: 'd' });
    expect(await remove(accountId, 'd')).toBe(true);
    expect((await documents.totals(accountId)).documents).toBe(0);
  });

  it('counts all collections, and lists the 1,000 with the most documents', async () => {
    const accountId = await account();
    await index(accountId, { content: 'ü', collection: 'z' });
    await index(accountId, { content: 'üü', collection: 'z' });
    await database.query(
      `INSERT INTO rag_documents SELECT $1, 'd' || n, true, null, 'c' || n, 'x', '', '{}', null, 1, 1, 1, $2, $2
       FROM generate_series(1, 1000) AS n`,
      [accountId, NOW],
    );
    const totals = await documents.totals(accountId);
    expect(totals).toMatchObject({ documents: 1002, chunks: 1002, bytes: 1006, oldestAt: NOW });
    expect(totals.collections).toHaveLength(1000);
    expect(totals.collections[0]).toEqual({ collection: 'z', documents: 2, chunks: 2 });
    const none = {
      documents: 0,
      chunks: 0,
      tokens: 0,
      bytes: 0,
      collections: [],
      oldestAt: null,
      newestAt: null,
    };
    expect(await documents.totals(newId())).toEqual(none);
  });

  it('holds the event loop only briefly while it indexes 400,000 characters', async () => {
    const accountId = await account();
    await index(accountId, { content: 'Warm up. '.repeat(2_000) });
    const contents = ['\ufdfa'.repeat(400_000), '今日は晴れ。'.repeat(66_000), 'Heading\n\n'.repeat(44_000)];
    for (const content of contents) {
      const turns = await turnsDuring(() => index(accountId, { content }));
      expect(turns).toBeGreaterThan(5);
    }
  });

  /** Whether the row of totals says what there is. */
  async function totalsHold(accountId: string): Promise<boolean> {
    const [row]: { holds: boolean }[] = await database.query(
      `SELECT (documents, chunks, chunks) = (
         (SELECT count(*) FROM rag_documents WHERE account_id = $1),
         (SELECT count(*) FROM rag_chunks WHERE account_id = $1),
         (SELECT coalesce(sum(chunks), 0) FROM rag_documents WHERE account_id = $1)) AS holds
       FROM rag_totals WHERE account_id = $1`,
      [accountId],
    );
    return row?.holds ?? false;
  }

  function remove(accountId: string, documentId: string): Promise<boolean> {
    return database.transaction((manager) => documents.removeWithin(manager, accountId, documentId));
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

  function index(accountId: string, order: Partial<IndexOrder>) {
    const defaults = {
      content: 'Some text.',
      collection: 'default',
      metadata: {},
      documentId: null,
      tokens: 3,
    };
    return indexing.index(accountId, { ...defaults, callId: null, allowDegraded: false, ...order }, signal);
  }

  async function retrieve(accountId: string, order: Partial<RetrieveOrder>) {
    const defaults = { query: 'text', topK: 5, collection: null, filter: null, minScore: null };
    const wanted = { ...defaults, allowDegraded: false, ...order };
    return (await retrieval.retrieve(accountId, wanted, signal)).chunks;
  }
});
