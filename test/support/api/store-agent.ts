import type { Agent, AgentMemory, CreateAgentRequest } from '../../../generated/types';
import { toAgentFields } from '../../../src/modules/agents/agents';
import { Agents } from '../../../src/modules/agents/agents.repository';
import { callAs } from './call-as';
import type { TestAccount, World } from './world';

type AgentBody = Partial<Omit<CreateAgentRequest, 'memory'>> & { memory?: Partial<AgentMemory> };

/** Stores an agent by the API, the owner's unless another account is named. */
export async function storeAgent(
  world: World,
  body: AgentBody = {},
  account: TestAccount = world.owner,
): Promise<Agent> {
  const answer = await callAs('createAgent', world, { body: { name: 'Support', ...body } }, account);
  expect(answer.status).toBe(201);
  return answer.body.data;
}

/** The id of an agent of the owner's that no call has stored, so that no rate counts it and nothing knows the key. */
export async function agentOf(world: World): Promise<string> {
  const fields = toAgentFields({ name: 'Support' });
  return (await world.service.app.get(Agents).create(world.owner.id, fields, null)).id;
}

/** How many agents the owner has, past every layer that could hide some. */
export async function storedAgents(world: World): Promise<number> {
  const [row]: { count: string }[] = await world.service.database.query(
    'SELECT count(*) FROM agents WHERE account_id = $1',
    [world.owner.id],
  );
  return Number(row?.count);
}
