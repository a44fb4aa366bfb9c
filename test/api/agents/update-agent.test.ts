import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { agentOf, storeAgent } from '../../support/api/store-agent';
import { boundStorage, storedBytes } from '../../support/api/stored-bytes';
import type { World } from '../../support/api/world';

const FULL = {
  name: 'Support',
  system_prompt: 'Be brief.',
  model: 'some-model',
  temperature: 1,
  max_tokens: 10,
  tools: ['time' as const],
  memory: { enabled: true, namespace: 'support', top_k: 7 },
  metadata: { a: 1, b: 2 },
};

describeOperation(
  'updateAgent',
  async (world, variant) => ({
    params: { agent_id: await agentOf(world) },
    body: { name: `Renamed ${variant}` },
  }),
  (status) => {
    status(
      400,
      'refuses no field, or more metadata than an agent may have, and changes nothing',
      async (world) => {
        const agent = await storeAgent(world, FULL);
        const params = { agent_id: agent.id };
        const metadata = [Array.from({ length: 256 }, () => 1), 'ü'.repeat(8192)].map((a) => ({ a }));
        for (const body of [{}, ...metadata.map((each) => ({ metadata: each }))]) {
          expect((await callAs('updateAgent', world, { params, body })).status).toBe(400);
        }
        expect((await callAs('getAgent', world, { params })).body.data).toEqual(agent);
      },
    );

    status(409, 'refuses a longer prompt where the account stores as much as it may', async (world) => {
      const agent = await storeAgent(world, FULL);
      const params = { agent_id: agent.id };
      await boundStorage(world, await storedBytes(world));
      const body = { system_prompt: `${FULL.system_prompt}!` };
      expect((await callAs('updateAgent', world, { params, body })).status).toBe(409);
      expect((await callAs('getAgent', world, { params })).body.data).toEqual(agent);
      expect(await update(world, agent.id, { system_prompt: 'Short.' })).toMatchObject({
        system_prompt: 'Short.',
      });
    });

    status(200, 'takes metadata with names that objects have', async (world) => {
      const agent = await storeAgent(world, { ...FULL, metadata: { a: 1 } });
      const odd = { hasOwnProperty: 1, toString: null, constructor: 'x', valueOf: {}, then: [], length: 0 };
      for (const metadata of [{ hasOwnProperty: 1 }, { hasOwnProperty: 2 }, odd, { b: 2 }]) {
        expect(await update(world, agent.id, { metadata })).toMatchObject({ metadata });
      }
      const created = await storeAgent(world, { ...FULL, metadata: odd });
      expect(created.metadata).toEqual(odd);
      const read = await callAs('getAgent', world, { params: { agent_id: created.id } });
      expect(read.body.data.metadata).toEqual(odd);
    });
    status(200, 'takes null for a field as its absence, unless null says something', async (world) => {
      const agent = await storeAgent(world, FULL);
      const body = {
        name: null,
        tools: null,
        memory: { top_k: null, enabled: true },
        metadata: null,
        model: null,
      };
      const changed = await update(world, agent.id, body);
      expect(changed).toMatchObject({
        ...FULL,
        model: null,
        memory: { enabled: true, namespace: 'default', top_k: 5 },
      });
    });
    status(200, 'replaces what is given, each field as a whole, and keeps the rest', async (world) => {
      const agent = await storeAgent(world, FULL);
      world.service.clock.advance(1000);
      const body = { tools: [], memory: { top_k: 3 }, metadata: { c: 3 } };
      const changed = await update(world, agent.id, body);
      expect(changed).toEqual({
        ...agent,
        tools: [],
        memory: { enabled: false, namespace: 'default', top_k: 3 },
        metadata: { c: 3 },
        updated_at: world.service.clock.now().toISOString(),
      });
      const read = await callAs('getAgent', world, { params: { agent_id: agent.id } });
      expect(read.body.data).toEqual(changed);
    });

    status(200, 'forgets by null what is optional', async (world) => {
      const agent = await storeAgent(world, FULL);
      const nulls = { system_prompt: null, model: null, temperature: null, max_tokens: null };
      expect(await update(world, agent.id, nulls)).toMatchObject({ ...FULL, ...nulls });
    });

    status(200, 'loses no change when twenty of them race', async (world) => {
      const { id } = await storeAgent(world, FULL);
      const fields = [{ name: 'Renamed' }, { temperature: 0 }, { max_tokens: 99 }, { model: 'other' }];
      await Promise.all(Array.from({ length: 20 }, (_, index) => update(world, id, fields[index % 4] ?? {})));
      const read = await callAs('getAgent', world, { params: { agent_id: id } });
      expect(read.body.data).toMatchObject({ ...FULL, ...Object.assign({}, ...fields) });
    });
  },
);

async function update(world: World, id: string, body: object) {
  const answer = await callAs('updateAgent', world, { params: { agent_id: id }, body });
  expect(answer.status).toBe(200);
  return answer.body.data;
}
