import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { storeAgent } from '../../support/api/store-agent';
import type { World } from '../../support/api/world';

describeOperation(
  'listAgents',
  () => ({}),
  (status) => {
    status(200, 'lists and counts the agents of a period', async (world) => {
      await store(world, ['first', 'second', 'third']);
      const now = world.service.clock.now().getTime();
      const query = {
        start_date: new Date(now - 1000).toISOString(),
        end_date: new Date(now).toISOString(),
      };
      const { data } = (await callAs('listAgents', world, { query })).body;
      expect([data.agents.map(({ name }) => name), data.total]).toEqual([['second'], 1]);
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

    status(200, 'ends a page before a mebibyte of JSON, says so, and goes on behind it', async (world) => {
      const prompt = '\u{10ffff}'.repeat(98_000);
      const metadata = { note: '\n'.repeat(8_000) };
      for (let index = 0; index < 5; index += 1) {
        await storeAgent(world, { name: `agent ${index}`, system_prompt: prompt, metadata });
      }
      const first = (await callAs('listAgents', world, {})).body.data;
      expect([first.agents.length, first.total, first.limit, first.truncated]).toEqual([2, 5, 2, true]);
      expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThanOrEqual(1024 * 1024);
      const last = (await callAs('listAgents', world, { query: { offset: 3 } })).body.data;
      expect([last.agents.length, last.limit, last.truncated]).toEqual([2, 20, false]);
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
