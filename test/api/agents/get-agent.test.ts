import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { agentOf, storeAgent } from '../../support/api/store-agent';

describeOperation(
  'getAgent',
  async (world) => ({ params: { agent_id: await agentOf(world) } }),
  (status) => {
    status(200, 'returns the agent as it was stored, free of charge', async (world) => {
      const agent = await storeAgent(world, { system_prompt: 'Be brief.', metadata: { a: [null] } });
      const before = await world.balanceNanoUsd();
      const answer = await callAs('getAgent', world, { params: { agent_id: agent.id } });
      expect(answer.body.data).toEqual(agent);
      expect(answer.body.metadata.cost).toBe(0);
      expect(await world.balanceNanoUsd()).toBe(before);
    });
  },
);
