import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { storeAgent } from '../../support/api/store-agent';
import type { World } from '../../support/api/world';

describeOperation(
  'listAgents',
  () => ({}),
  (status) => {
    status(400, 'refuses pages out of bounds and orders by other fields', async (world) => {
      const queries = [
        { limit: 0 },
        { limit: 101 },
        { limit: 'all' },
        { offset: -1 },
        { offset: 100_001 },
        { sort: 'system_prompt' },
        { sort: 'name; drop table agents' },
        { order: 'up' },
      ];
      for (const query of queries) {
        expect((await callAs('listAgents', world, { query })).status).toBe(400);
      }
    });

    status(200, "lists the account's own agents, newest first, free of charge", async (world) => {
      await store(world, ['first', 'second', 'third']);
      await storeAgent(world, { name: 'not mine' }, world.stranger);
      const before = await world.balanceNanoUsd();
      const answer = await callAs('listAgents', world, {});
      expect(answer.body.data.agents.map(({ name }) => name)).toEqual(['third', 'second', 'first']);
      expect(answer.body.data).toMatchObject({ total: 3, limit: 20, offset: 0 });
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(200, 'sorts by name and by the last change, either way', async (world) => {
      const [first] = await store(world, ['b', 'c', 'a']);
      world.service.clock.advance(1000);
      await callAs('updateAgent', world, { params: { agent_id: first ?? '' }, body: { max_tokens: 5 } });
      expect(await names(world, { sort: 'name', order: 'asc' })).toEqual(['a', 'b', 'c']);
      expect(await names(world, { sort: 'name' })).toEqual(['c', 'b', 'a']);
      expect(await names(world, { sort: 'updated_at' })).toEqual(['b', 'a', 'c']);
      expect(await names(world, { order: 'asc' })).toEqual(['b', 'c', 'a']);
    });

    status(200, 'passes over no agent and repeats none, though all are of one moment', async (world) => {
      const all = Array.from({ length: 12 }, (_, index) => `agent ${index}`);
      await Promise.all(all.map((name) => storeAgent(world, { name })));
      const pages = await Promise.all([0, 5, 10].map((offset) => names(world, { offset, limit: 5 })));
      expect(pages.flat().sort()).toEqual(all.sort());
      expect(await names(world, { offset: 100_000 })).toEqual([]);
    });

    status(200, 'ends a page whose prompts pass 4 MiB, and goes on behind it', async (world) => {
      const prompt = '\u{10ffff}'.repeat(100_000);
      for (let index = 0; index < 13; index += 1) {
        await storeAgent(world, { name: `agent ${index}`, system_prompt: prompt });
      }
      const first = (await callAs('listAgents', world, {})).body.data;
      expect([first.agents.length, first.total]).toEqual([11, 13]);
      expect(await names(world, { offset: 11 })).toHaveLength(2);
    });
  },
);

async function names(world: World, query: Record<string, unknown>): Promise<string[]> {
  const answer = await callAs('listAgents', world, { query });
  expect(answer.status).toBe(200);
  return answer.body.data.agents.map(({ name }) => name);
}

/** Stores agents a second apart and returns their ids. */
async function store(world: World, agentNames: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of agentNames) {
    world.service.clock.advance(1000);
    ids.push((await storeAgent(world, { name })).id);
  }
  return ids;
}
