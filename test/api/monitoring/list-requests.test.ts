import { Client } from 'pg';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { until } from '../../support/until';

describeOperation(
  'listRequests',
  () => ({}),
  (status) => {
    status(400, 'refuses a cursor that no page gave', async (world) => {
      expect((await callAs('listRequests', world, { query: { cursor: 'abc' } })).status).toBe(400);
    });
    status(200, 'leads through all calls once, the newest first, also those of one moment', async (world) => {
      const ids = [];
      for (let call = 0; call < 5; call += 1) {
        ids.unshift(await remember(world));
        world.service.clock.advance(call % 2);
      }
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const query: Record<string, unknown> = { limit: 2, ...(cursor && { cursor }) };
        const { body }: { body: { requests: { request_id: string }[]; next_cursor: string | null } } =
          await callAs('listRequests', world, { query });
        seen.push(...body.requests.map(({ request_id }) => request_id));
        cursor = body.next_cursor;
      } while (cursor !== null);
      expect([...seen].sort()).toEqual([...ids].sort());
      expect(seen[0]).toBe(ids[0]);
      expect((await callAs('listRequests', world, {}, world.stranger)).body.requests).toEqual([]);
    });
    status(200, 'is read once at a time for each account, so that others have connections', async (world) => {
      const lock = await lockCalls(world);
      const statuses: number[] = [];
      const lists = Array.from({ length: 20 }, async () => {
        statuses.push((await callAs('listRequests', world, {})).status);
      });
      const ofStranger = callAs('listRequests', world, {}, world.stranger);
      await until('one of each account is read', async () => (await lock.readers()) === 2);
      expect((await callAs('getCurrentUser', world, {})).status).toBe(200);
      // Ten wait for the first; no more may.
      await until('those beyond are refused', () => statuses.length >= 9);
      expect(new Set(statuses)).toEqual(new Set([503]));
      expect(await lock.readers()).toBe(2);
      await lock.release();
      await Promise.all(lists);
      expect(new Set(statuses)).toEqual(new Set([200, 503]));
      expect((await ofStranger).status).toBe(200);
    });
    status(200, 'finds by key, operation, model, outcome, status, cost and time', async (world) => {
      const stored = await remember(world);
      world.service.clock.advance(1000);
      const later = world.service.clock.now().toISOString();
      const body = {
        model: 'embedded-extractive-1',
        messages: [{ role: 'user', content: 'The sky is blue. Why is the sky blue?' }],
      };
      const { key: credential } = world.owner;
      const chat = await world.service.call('createChatCompletion', { credential, ip: world.ip, body });
      const chatted = chat.headers['x-request-id'];
      const found = async (query: Record<string, unknown>) =>
        (await callAs('listRequests', world, { query })).body.requests.map(({ request_id }) => request_id);
      expect(await found({})).toEqual([chatted, stored]);
      expect(await found({ operation: 'createMemory' })).toEqual([stored]);
      expect(await found({ model: 'embedded-extractive-1' })).toEqual([chatted]);
      expect(await found({ status: 201 })).toEqual([stored]);
      expect(await found({ min_cost: 0.001 })).toEqual([chatted]);
      expect(await found({ start_date: later })).toEqual([chatted]);
      expect(await found({ end_date: later })).toEqual([stored]);
      expect(await found({ outcome: 'refused' })).toEqual([]);
      expect(await found({ key_id: world.owner.keyId, outcome: 'settled' })).toEqual([chatted, stored]);
      expect(await found({ key_id: world.stranger.keyId })).toEqual([]);
    });
  },
);

async function remember(world: World): Promise<string> {
  const body = { key: `k${Math.random()}`, value: 'v' };
  const { key: credential } = world.owner;
  const answer = await world.service.call('createMemory', { credential, ip: world.ip, body });
  expect(answer.status).toBe(201);
  return String(answer.headers['x-request-id']);
}

/** Keeps whoever reads calls waiting, until it is released. */
async function lockCalls(world: World) {
  const client = new Client(world.service.databaseUrl);
  await client.connect();
  // A view of all schemas locks its tables as well.
  await client.query('SET search_path TO everyone, public; BEGIN; LOCK TABLE calls IN ACCESS EXCLUSIVE MODE');
  return {
    async readers(): Promise<number> {
      return (await world.service.database.query<unknown[]>(WAITING_READERS)).length;
    },
    async release(): Promise<void> {
      await client.query('COMMIT');
      await client.end();
    },
  };
}

const WAITING_READERS = `
  SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'SELECT id,%FROM calls%'`;
