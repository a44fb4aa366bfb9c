import { Client } from 'pg';
import { newId, smallestIdAt } from '../../../src/runtime/ids';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { TestAccount, World } from '../../support/api/world';

describeOperation(
  'listAllRequests',
  () => ({}),
  (status) => {
    status(400, 'refuses a cursor that no page gave', async (world) => {
      expect((await callAs('listAllRequests', world, { query: { cursor: 'x' } })).status).toBe(400);
    });
    status(422, 'refuses more than a month of all accounts together', async (world) => {
      const query = { start_date: '2026-01-01', end_date: '2026-03-01' };
      expect((await callAs('listAllRequests', world, { query })).status).toBe(422);
      const ofOne = { ...query, user_id: world.owner.id };
      expect((await callAs('listAllRequests', world, { query: ofOne })).status).toBe(200);
    });
    status(
      200,
      'leads through the calls of the last day of all accounts, the newest first',
      async (world) => {
        await remember(world, world.owner);
        await remember(world, world.stranger);
        const first = (await callAs('listAllRequests', world, { query: { limit: 1 } })).body;
        expect(first.requests).toMatchObject([
          {
            user_id: world.stranger.id,
            receipt: { operation: 'createMemory', key_id: world.stranger.keyId },
          },
        ]);
        const query = { limit: 1, cursor: first.next_cursor };
        const second = (await callAs('listAllRequests', world, { query })).body;
        expect(second.requests.map(({ user_id }) => user_id)).toEqual([world.owner.id]);
        expect(second.next_cursor).toBeNull();
        const ofOne = (await callAs('listAllRequests', world, { query: { user_id: world.owner.id } })).body;
        expect(ofOne.requests).toEqual(second.requests);
      },
    );
    status(200, 'reads no calls from before its dates, and none from after them', async (world) => {
      const { database } = world.service;
      const [requestId, day] = [newId(), '2025-11-30'];
      await database.query(
        `INSERT INTO calls (id, account_id, request_id, operation, outcome, created_at, completed_at)
         VALUES ($1, $2, $3, 'createMemory', 'refused', $4, $4)`,
        [smallestIdAt(new Date(`${day}T12:00:00Z`)), world.stranger.id, requestId, `${day}T12:00:00Z`],
      );
      const list = (date: string) =>
        callAs('listAllRequests', world, { query: { start_date: date, end_date: date } });
      const past = await whileLocked(world, "name <> 'calls_first'", () => list(day));
      expect([past.status, past.body.requests]).toMatchObject([
        200,
        [{ user_id: world.stranger.id, receipt: { request_id: requestId } }],
      ]);
      const future = await whileLocked(world, "name = 'calls_first'", () => list('2999-11-30'));
      expect([future.status, future.body.requests]).toEqual([200, []]);
    });
  },
);

/** Keeps whoever reads these partitions of calls waiting meanwhile. The first one has all calls until the end of this month. */
async function whileLocked<Result>(
  { service }: World,
  condition: string,
  act: () => Promise<Result>,
): Promise<Result> {
  const client = new Client(service.databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ place: string }>(
      `SELECT place FROM (
         SELECT c.relname AS name, c.oid::regclass::text AS place FROM pg_inherits
         JOIN pg_class AS c ON c.oid = inhrelid JOIN pg_class AS parent ON parent.oid = inhparent
         WHERE parent.relname = 'calls' AND parent.relkind = 'p') AS part
       WHERE ${condition}`,
    );
    await client.query(
      `BEGIN; LOCK TABLE ${rows.map(({ place }) => place).join(', ')} IN ACCESS EXCLUSIVE MODE`,
    );
    return await act();
  } finally {
    await client.end();
  }
}

async function remember({ service, ip }: World, { key }: TestAccount): Promise<void> {
  const body = { key: 'k', value: 'v' };
  expect((await service.call('createMemory', { credential: key, ip, body })).status).toBe(201);
}
