import { randomUUID } from 'node:crypto';
import type { CreateAgentRequest } from '../../../generated/types';
import { toAgentFields } from '../../../src/modules/agents/agents';
import { Agents } from '../../../src/modules/agents/agents.repository';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { storeAgent, storedAgents } from '../../support/api/store-agent';
import type { World } from '../../support/api/world';

const AGENTS_MAX = 1000;

describeOperation(
  'createAgent',
  (_, variant) => ({ body: { name: `Support ${variant}` } }),
  (status) => {
    status(
      409,
      'refuses to pass 1,000 agents of one account, also when ten creations race',
      async (world) => {
        await fillUp(world, AGENTS_MAX - 1);
        const body = { name: 'one too many' };
        const answers = await Promise.all(
          Array.from({ length: 10 }, () => callAs('createAgent', world, { body })),
        );
        expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
        expect(await storedAgents(world)).toBe(AGENTS_MAX);
        await storeAgent(world, {}, world.stranger);
      },
    );

    status(422, 'refuses another agent under the key of a try whose answer was lost', async (world) => {
      const headers = { 'idempotency-key': 'the key of a try' };
      const body = {
        name: 'Try',
        temperature: 0.7,
        tools: ['calculator' as const],
        metadata: { b: 1, a: [0.1] },
      };
      const { data } = (await callAs('createAgent', world, { body, headers })).body;
      await world.service.database.query('DELETE FROM idempotency_claims WHERE account_id = $1', [
        world.owner.id,
      ]);
      const other = await callAs('createAgent', world, { body: { ...body, temperature: 0.8 }, headers });
      expect([other.status, other.body.message]).toEqual([
        422,
        'This Idempotency-Key was used for another request.',
      ]);
      expect((await callAs('createAgent', world, { body, headers })).body.data).toEqual(data);
    });

    status(201, 'stores one agent for two tries of one creation, whichever comes first', async (world) => {
      const agents = world.service.app.get(Agents);
      const fields = toAgentFields({ name: 'Twice' });
      const key = randomUUID();
      const create = () => agents.create(world.owner.id, fields, key);
      const stored = await Promise.all(Array.from({ length: 5 }, create));
      expect(new Set(stored.map(({ id }) => id)).size).toBe(1);
      expect(await storedAgents(world)).toBe(1);
    });

    status(201, 'stores everything as it was sent, free of charge', async (world) => {
      const body = {
        name: 'Support',
        system_prompt: 'Answer in two sentences.',
        model: 'some-model',
        temperature: 0.3,
        max_tokens: 500,
        tools: ['rag.retrieve', 'memory.search', 'calculator', 'time'] as CreateAgentRequest['tools'],
        memory: { enabled: true, namespace: 'support', top_k: 20 },
        metadata: { team: { name: 'care' }, constructor: 1 },
      };
      const before = await world.balanceNanoUsd();
      const answer = await callAs('createAgent', world, { body });
      const now = world.service.clock.now().toISOString();
      const { id, ...stored } = answer.body.data;
      expect(stored).toEqual({ ...body, created_at: now, updated_at: now });
      expect(answer.body.metadata).toMatchObject({ cost: 0, request_id: answer.headers['x-request-id'] });
      expect(await world.balanceNanoUsd()).toBe(before);
      const read = await callAs('getAgent', world, { params: { agent_id: id } });
      expect(read.body.data).toEqual(answer.body.data);
    });

    status(201, 'needs nothing but a name, and says what holds then', async (world) => {
      const plain = await storeAgent(world, { name: 'Twin' });
      const nulls = { system_prompt: null, model: null, temperature: null, max_tokens: null };
      expect(plain).toMatchObject({
        ...nulls,
        tools: [],
        memory: { enabled: false, namespace: 'default', top_k: 5 },
        metadata: {},
      });
      const twin = await storeAgent(world, { name: 'Twin', ...nulls, memory: { enabled: true } });
      expect(twin.memory).toEqual({ enabled: true, namespace: 'default', top_k: 5 });
      expect(twin.id).not.toBe(plain.id);
    });

    status(201, 'makes another agent for an Idempotency-Key of a day before', async (world) => {
      const headers = { 'idempotency-key': 'the key of every day' };
      const made = async (name: string) => {
        const { body } = await callAs('createAgent', world, { body: { name }, headers });
        return body.data;
      };
      const first = await made('Monday');
      expect(await made('Monday')).toEqual(first);
      world.service.clock.advance(24 * 60 * 60 * 1000);
      const second = await made('Tuesday');
      expect([second.name, second.id === first.id]).toEqual(['Tuesday', false]);
    });

    status(201, 'takes the largest of everything', async (world) => {
      const fields = {
        name: '\u{10ffff}'.repeat(200),
        system_prompt: '\u{10ffff}'.repeat(100_000),
        model: 'm'.repeat(200),
        temperature: 2,
        max_tokens: 32_768,
      };
      expect(await storeAgent(world, fields)).toMatchObject(fields);
    });
  },
);

/** Past the API, so that a thousand agents take one statement. */
async function fillUp(world: World, count: number): Promise<void> {
  await world.service.database.query(
    `INSERT INTO agents (id, account_id, name, tools, memory_enabled, memory_namespace, memory_top_k, metadata,
       created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'a', '{}', false, 'default', 5, '{}', now(), now() FROM generate_series(1, $2::int)`,
    [world.owner.id, count],
  );
}
