import type { Estimate } from '../../../src/contract/operation';
import { AgentEstimates } from '../../../src/modules/agents/agent-run';
import { TestService } from '../../support/api/service';
import { storeAgent } from '../../support/api/store-agent';
import { World } from '../../support/api/world';

describe('what a call of an agent reserves', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
    world = await World.create(service);
  });
  afterAll(async () => service.stop());

  async function estimate(body: object): Promise<Estimate> {
    const account = { id: world.owner.id } as never;
    const { signal } = new AbortController();
    const call = { operationId: 'chatWithAgent', params: {}, body, account, signal };
    return service.app.get(AgentEstimates).estimate(call);
  }

  const messages = [{ role: 'user', content: 'When does the library open?' }];

  it('is refused for an agent that is not there', async () => {
    await expect(estimate({ messages, agent_id: 'x' })).rejects.toThrow('No such agent.');
  });

  it('is one step without an agent, of the default output', async () => {
    const { inputTokens, ...rest } = await estimate({ messages });
    expect(rest).toEqual({
      outputTokensMax: 1024,
      choices: 1,
      model: 'embedded-extractive-1',
      plan: expect.anything(),
    });
    expect(inputTokens).toBeGreaterThan(6);
    expect(inputTokens).toBeLessThan(30);
  });

  it("counts the agent's prompt, its memories and its own output cap", async () => {
    const plain = (await estimate({ messages })).inputTokens;
    const { id } = await storeAgent(world, { system_prompt: 'word '.repeat(1000), max_tokens: 7 });
    const prompted = await estimate({ messages, agent_id: id });
    expect(prompted.inputTokens - plain).toBeGreaterThanOrEqual(1000);
    expect([prompted.outputTokensMax, prompted.choices]).toEqual([7, 1]);
    expect((await estimate({ messages, agent_id: id, max_tokens: 9 })).outputTokensMax).toBe(9);
    const remembering = await storeAgent(world, { memory: { enabled: true } });
    const remembered = (await estimate({ messages, agent_id: remembering.id })).inputTokens;
    expect(remembered - plain).toBeGreaterThanOrEqual(4_000);
  });

  it('is five steps with tools, each reading what the steps before it said and learnt', async () => {
    const { id } = await storeAgent(world, { tools: ['time'], max_tokens: 100 });
    const { inputTokens, outputTokensMax, choices } = await estimate({ messages, agent_id: id });
    expect([outputTokensMax, choices]).toEqual([500, 5]);
    expect(inputTokens).toBeGreaterThanOrEqual(10 * (2_000 + 100));
    expect(inputTokens).toBeLessThan(10 * (2_400 + 100) + 5 * 200);
  });
});
