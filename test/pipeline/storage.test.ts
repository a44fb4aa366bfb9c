import { DataSource } from 'typeorm';
import { Ledger } from '../../src/ledger/ledger';
import { DocumentAttempts } from '../../src/modules/documents/document-attempts';
import { MemoriesRepository } from '../../src/retrieval/memories.repository';
import { Rooms } from '../../src/modules/rooms/rooms.repository';
import { dataSourceOptions } from '../../src/database/data-source';
import { sqlStateOf } from '../../src/database/driver-errors';
import { newId } from '../../src/runtime/ids';
import { callAs } from '../support/api/call-as';
import { uploadOf } from '../support/api/form';
import { TestService } from '../support/api/service';
import { storeAgent } from '../support/api/store-agent';
import { uploaded } from '../support/api/store-document';
import { storeStory } from '../support/api/store-story';
import { boundStorage, recountedBytes, storedBytes } from '../support/api/stored-bytes';
import { createTestDatabase } from '../support/api/test-database';
import { createAccount, World } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { scriptModel } from '../support/upstream/scripted-model';
import { until } from '../support/until';

const MIB = 1024 * 1024;
const PROMPT = 'p'.repeat(100_000);

describe('what an account may store', () => {
  let service: TestService;
  let world: World;

  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(async () => {
    expect(await ledgerFaults(service.database)).toEqual([]);
    await service.stop();
  });

  it('is 10 MiB where nothing was paid: agents beyond it are refused, until one is deleted or something paid', async () => {
    const free = await createAccount(service, { creditUsd: '0' });
    const create = () => callAs('createAgent', world, { body: { name: 'a', system_prompt: PROMPT } }, free);
    await fill(free.id, 10 * MIB - 150_000);

    const first = await create();
    expect(first.status).toBe(201);
    const refused = await create();
    expect([refused.status, refused.body.error, refused.body.message]).toEqual([
      409,
      'Conflict',
      'The account stores as much as it may: 10 MiB, and 128 MiB more for each USD that it has paid. Delete something, or ' +
        'add credit.',
    ]);
    expect(await agentsOf(free.id)).toBe(2);
    expect(await world.balanceNanoUsd(free)).toBe(0n);
    expect((await callAs('listAgents', world, {}, free)).body.data.total).toBe(2);

    const params = { agent_id: first.body.data.id };
    expect((await callAs('deleteAgent', world, { params }, free)).status).toBe(204);
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(409);

    await credited(free.id, 'bonus', 1_000_000_000n);
    expect((await create()).status).toBe(409);
    await credited(free.id, 'deposit', 10_000_000n);
    expect((await create()).status).toBe(201);
    expect(await boundOf(free.id)).toBe(10 * MIB + Math.trunc(1.28 * MIB));
  });

  it('leaves calls that store nothing alone, and charges nothing for those that it refuses', async () => {
    const stored = await callAs('createMemory', world, { body: { key: 'k', value: 'kept' } });
    await boundStorage(world, 0);
    const before = await world.balanceNanoUsd();
    const story = { prompt: 'A letter.' };
    const item = { items: [{ id: 'a', content: 'The library.' }] };
    const task = { task_type: 'createMemory', parameters: { key: 'k', value: 'v' } };
    scriptModel(world, [{ content: 'A letter.' }]);
    const refused = [
      await callAs('createMemory', world, { body: { key: 'other', value: 'v' } }),
      await callAs('createMemory', world, { body: { key: 'k', value: 'kept longer' } }),
      await callAs('indexRagDocument', world, { body: { content: 'The library opens at nine.' } }),
      await callAs('indexSearchItems', world, { body: item }),
      await callAs('generateStory', world, { body: story }),
      await callAs('uploadDocument', world, uploadOf('The letter.')),
      await callAs('submitTask', world, { body: task }),
      await callAs('createWebhook', world, {
        body: { url: 'https://93.184.216.34/', events: ['payment.created'] },
      }),
      await callAs('queryMemories', world, { body: {}, headers: { 'idempotency-key': 'kept' } }),
    ];
    expect(refused.map(({ status, body }) => [status, body.message.slice(0, 36)])).toEqual(
      refused.map(() => [409, 'The account stores as much as it may']),
    );
    expect(await world.balanceNanoUsd()).toBe(before);
    expect(await recountedBytes(world)).toBe(await storedBytes(world));
    const claims = await service.database.query('SELECT FROM idempotency_claims WHERE account_id = $1', [
      world.owner.id,
    ]);
    expect(claims).toEqual([]);

    const read = await callAs('queryMemories', world, { body: {} });
    expect(read.body.data.memories).toEqual([stored.body.data]);
    await boundStorage(world, null);
    const again = { body: {}, headers: { 'idempotency-key': 'kept' } };
    expect((await callAs('queryMemories', world, again)).status).toBe(200);
  });

  it('is not passed by twenty calls at once on two replicas', async () => {
    const replica = await service.startReplica();
    try {
      await boundStorage(world, 5 * 100_500);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, place) =>
          (place % 2 ? service : replica).call('createMemory', {
            ip: world.ip,
            credential: world.owner.key,
            body: { key: `k${place}`, value: PROMPT },
          }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array<number>(5).fill(201),
        ...Array<number>(15).fill(409),
      ]);
      expect(await storedBytes(world)).toBe(await recountedBytes(world));
      expect(await storedBytes(world)).toBeLessThanOrEqual(5 * 100_500);
    } finally {
      await replica.app.close();
    }
  });

  it('is not passed by what is stored while another transaction, not committed yet, takes the room', async () => {
    await boundStorage(world, 150_000);
    const runner = service.database.createQueryRunner();
    await runner.startTransaction();
    await runner.query(AGENT, [world.owner.id, 100_000]);
    const second = fill(world.owner.id, 100_000).then(
      () => 'stored',
      (error: unknown) => sqlStateOf(error),
    );
    await until('the second waits for the first', async () => {
      const waiting: unknown[] = await service.database.query(
        "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
      );
      return waiting.length > 0;
    });
    await runner.commitTransaction();
    await runner.release();
    expect(await second).toBe('AS001');
    expect(await agentsOf(world.owner.id)).toBe(1);
  });

  it('has a document fail, and say why, where there is no room for that, but reads none', async () => {
    const attempts = service.app.get(DocumentAttempts);
    const [begun, unread] = [await uploaded(world, 'The library.'), await uploaded(world, 'The harbour.')];
    await callAs('processDocument', world, { params: { doc_id: begun } });
    await attempts.claim();
    const lease = { itemId: begun, runId: newId(), accountId: world.owner.id };
    expect(await attempts.take(lease)).not.toBeNull();
    await boundStorage(world, (await storedBytes(world)) + 5);
    await attempts.fail(lease, 'Nothing more fits in.');
    const record = await callAs('getDocument', world, { params: { doc_id: begun } });
    expect(record.body.data).toMatchObject({ status: 'failed', error: 'Nothing more fits in.' });

    await boundStorage(world, (await storedBytes(world)) + 5);
    expect((await callAs('processDocument', world, { params: { doc_id: unread } })).status).toBe(409);
    expect(await storedBytes(world)).toBe(await recountedBytes(world));
  });

  it('counts what is replaced once, and what is deleted no more, of every kind', async () => {
    const { database, clock } = service;
    const memory = (value: string, ttl_seconds?: number) =>
      callAs('createMemory', world, { body: { key: value[0] ?? '', value, ttl_seconds } });
    await memory('a'.repeat(10_000));
    const once = await storedBytes(world);
    expect(once).toBeGreaterThan(10_000);
    await memory('a'.repeat(10_000));
    expect(await storedBytes(world)).toBe(once);
    await memory('ab');
    expect(await storedBytes(world)).toBe(once - 9_998);
    await memory('expires', 60);

    const agent = await storeAgent(world, { system_prompt: PROMPT });
    const params = { agent_id: agent.id };
    await callAs('updateAgent', world, { params, body: { system_prompt: 'Short.' } });
    const content = 'The library opens at nine. '.repeat(500);
    for (const text of [content, content.slice(0, 5_000), `${content} More.`]) {
      await callAs('indexRagDocument', world, { body: { document_id: 'd', content: text } });
      await callAs('indexSearchItems', world, {
        body: { items: [{ id: 'i', content: text.slice(0, 9_000) }] },
      });
    }
    const keyed = { headers: { 'idempotency-key': 'k' } };
    await callAs('queryMemories', world, { ...keyed, body: {} });
    const doc_id = await uploaded(world, content);
    await callAs('processDocument', world, { params: { doc_id } });
    await storeStory(world);
    const room = { accountId: world.owner.id, name: 'r' };
    const member = {
      memberId: newId(),
      replicaId: newId(),
      presence: '{}',
      lastVersion: null,
      lastSeq: null,
    };
    const rooms = service.app.get(Rooms);
    await rooms.enter(room, member);
    const said = { memberId: member.memberId, data: JSON.stringify(PROMPT), idempotencyKey: 'said' };
    await rooms.say(room, said);
    const state = JSON.stringify({ prompt: PROMPT });
    await rooms.change(room, { ...said, idempotencyKey: null }, { baseVersion: 0, state });
    await database.query(TASK, [newId(), world.owner.id, world.owner.keyId, PROMPT]);
    await database.query("UPDATE tasks SET result = parameters, error = '{}' WHERE account_id = $1", [
      world.owner.id,
    ]);
    const all = await recountedBytes(world);
    expect(all).toBeGreaterThan(500_000);
    expect(await storedBytes(world)).toBe(all);

    await service.app.get(MemoriesRepository).sweep(new Date(clock.now().getTime() + 61_000));
    expect(await storedBytes(world)).toBe(await recountedBytes(world));
    await callAs('deleteAgent', world, { params });
    for (const table of EVERYTHING) {
      await database.query(`DELETE FROM ${table} WHERE account_id = $1`, [world.owner.id]);
    }
    expect(await storedBytes(world)).toBe(0);
  });

  async function fill(accountId: string, bytes: number): Promise<void> {
    await service.database.query(AGENT, [accountId, bytes]);
  }

  async function agentsOf(accountId: string): Promise<number> {
    const rows: unknown[] = await service.database.query('SELECT FROM agents WHERE account_id = $1', [
      accountId,
    ]);
    return rows.length;
  }

  async function credited(
    accountId: string,
    type: 'deposit' | 'bonus',
    amountNanoUsd: bigint,
  ): Promise<void> {
    const now = service.clock.now();
    const order = {
      accountId,
      type,
      amountNanoUsd,
      description: 'test',
      referenceId: null,
      requestId: null,
      now,
    };
    await service.app.get(Ledger).credit(order);
  }

  async function boundOf(accountId: string): Promise<number> {
    const [row]: { bytes: string }[] = await service.database.query('SELECT storage_bound($1) AS bytes', [
      accountId,
    ]);
    return Number(row?.bytes);
  }
});

describe('the tables that accounts store in', () => {
  it('are counted, or it is said why not, and are vacuumed soon', async () => {
    const database = await createTestDatabase();
    const source = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
    try {
      const rows: { name: string; is_counted: boolean; options: string[] | null; toast: string[] | null }[] =
        await source.query(TABLES);
      const uncounted = rows
        .filter(({ name, is_counted }) => !is_counted && !PARTS.includes(name))
        .map(({ name }) => name);
      expect(uncounted.sort()).toEqual(Object.keys(NOT_COUNTED).sort());
      const vacuumed = rows.filter(({ name, is_counted }) => is_counted || PARTS.includes(name));
      expect(vacuumed.map(({ name }) => name)).toEqual(expect.arrayContaining(['agents', ...PARTS]));
      for (const { name, options, toast } of vacuumed) {
        expect([name, options]).toEqual([
          name,
          expect.arrayContaining([
            'autovacuum_vacuum_scale_factor=0.02',
            'autovacuum_vacuum_threshold=200',
            'autovacuum_vacuum_insert_scale_factor=0.05',
            'autovacuum_vacuum_insert_threshold=1000',
          ]),
        ]);
        expect([name, toast]).toEqual([
          name,
          ['autovacuum_vacuum_scale_factor=0.02', 'autovacuum_vacuum_threshold=1000'],
        ]);
      }
    } finally {
      await source.destroy();
      await database.drop();
    }
  });
});

const EVERYTHING = [
  'memories',
  'rag_documents',
  'search_items',
  'search_words',
  'idempotency_claims',
  'documents',
  'stories',
  'rooms',
  'tasks',
];

const AGENT = `
  INSERT INTO agents (id, account_id, name, system_prompt, tools, memory_enabled, memory_namespace, memory_top_k, metadata,
    created_at, updated_at)
  VALUES (gen_random_uuid(), $1, 'a', repeat('x', $2), '{}', false, '', 5, '{}', now(), now())`;

const TASK = `
  INSERT INTO tasks (id, account_id, key_id, task_type, parameters, priority, status, stage, created_at)
  VALUES ($1, $2, $3, 'test', $4, 1, 'succeeded', 'over', now())`;

/** Tables with an account and free text that storage_count does not count, each with the reason. */
const NOT_COUNTED: Record<string, string> = {
  access_keys: 'an account has a bounded number of keys, with short names',
  admin_actions: 'admins write it',
  calls: 'the receipts of calls: ids and names of ours, bounded by rates and retention',
  console_sessions: 'hashes and names of browsers, of which an account has at most 50',
  credits: 'the books, whose entries cost what they say',
  deliveries: 'at most 2 KiB of an answer to an event, bounded by the events and their retention',
  event_marks: 'names of ours, which end by themselves',
  events: 'a few ids and figures for a fact of ours, bounded by retention',
  ledger_hours: 'sums',
  login_addresses: 'hashes, of which an account has at most 20',
  payments: 'an account may leave 50 unpaid a day, with texts of ours',
  reservations: 'calls in flight',
  room_keys: 'hashes, of which a room keeps a bounded number for a day',
  room_members: 'those who are connected, of which a room has a bounded number',
  upgrade_requests: 'an account has one that is pending',
  usage_days: 'sums',
  usage_hours: 'sums',
};

/** Those that hold a part of what is counted in another: the bytes of a document, what was read from it, the vector of a chunk. */
const PARTS = ['document_bytes', 'document_texts', 'rag_vectors'];

const TABLES = `
  SELECT c.relname AS name, c.reloptions AS options, t.reloptions AS toast,
    EXISTS (SELECT FROM pg_trigger WHERE tgrelid = c.oid AND tgname = 'storage_delete') AS is_counted
  FROM pg_class AS c LEFT JOIN pg_class AS t ON t.oid = c.reltoastrelid
  WHERE c.relnamespace::regnamespace::text IN ('public', 'acc_0') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    -- Its names are those of the accounts.
    AND c.relname <> 'account_names'
    AND (c.relname IN ('document_bytes', 'document_texts') OR EXISTS (
      SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'account_id') AND EXISTS (
      SELECT FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped
        AND atttypid::regtype::text ~ '^(text|json|jsonb|bytea|tsvector|character varying)'))`;
