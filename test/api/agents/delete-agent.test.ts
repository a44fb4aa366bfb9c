import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { agentOf, storeAgent, storedAgents } from '../../support/api/store-agent';
import { storedKeys, storeMemory } from '../../support/api/store-memory';

describeOperation(
  'deleteAgent',
  async (world) => ({ params: { agent_id: await agentOf(world) } }),
  (status) => {
    status(204, 'deletes this agent alone, and no memory', async (world) => {
      const gone = await storeAgent(world, { memory: { enabled: true } });
      const kept = await storeAgent(world);
      await storeMemory(world);
      const params = { agent_id: gone.id };
      const answer = await callAs('deleteAgent', world, { params });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect((await callAs('getAgent', world, { params })).status).toBe(404);
      expect((await callAs('getAgent', world, { params: { agent_id: kept.id } })).status).toBe(200);
      expect([await storedAgents(world), await storedKeys(world)]).toEqual([1, ['k']]);
    });

    status(204, 'deletes once when ten deletions race', async (world) => {
      const params = { agent_id: (await storeAgent(world)).id };
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => callAs('deleteAgent', world, { params })),
      );
      expect(answers.map((answer) => answer.status).sort()).toEqual([204, ...Array<number>(9).fill(404)]);
    });
  },
);
