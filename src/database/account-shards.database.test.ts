import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { createEmptyDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { AccountShards } from './account-shards';

describe('the shards of accounts', () => {
  let testDatabase: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    testDatabase = await createEmptyDatabase();
    client = new Client(testDatabase.url);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await testDatabase.drop();
  });

  it.each([2, 3, 5, 32, 64])('are the %i hash partitions of Postgres', async (count) => {
    const ids = [
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      ...Array.from({ length: 2_000 }, () => randomUUID()),
    ];
    await client.query(`DROP TABLE IF EXISTS parted; CREATE TABLE parted (id uuid) PARTITION BY HASH (id)`);
    const { rows } = await client.query<{ id: string; shard: number }>(
      `SELECT id, shard FROM unnest($1::uuid[]) AS id, generate_series(0, $2::int - 1) AS shard
       WHERE satisfies_hash_partition('parted'::regclass, $2, shard, id)`,
      [ids, count],
    );
    const shards = new AccountShards(count);
    expect(rows).toHaveLength(ids.length);
    expect(rows.filter(({ id, shard }) => shards.of(id) !== shard)).toEqual([]);
    expect(new Set(rows.map(({ shard }) => shard)).size).toBe(count);
  });

  it('split what belongs to accounts without losing or reordering any of a shard', () => {
    const items = Array.from({ length: 200 }, (_, place) => ({ accountId: randomUUID(), place }));
    const shards = new AccountShards(3);
    const parts = shards.split(items);
    expect(parts).toHaveLength(3);
    for (const part of parts) {
      expect(new Set(part.map(({ accountId }) => shards.of(accountId))).size).toBe(1);
      expect(part).toEqual(part.toSorted((a, b) => a.place - b.place));
    }
    expect(parts.flat().toSorted((a, b) => a.place - b.place)).toEqual(items);
    expect(new AccountShards(1).split(items)).toEqual([items]);
    expect(new AccountShards(1).split([])).toEqual([]);
  });
});
