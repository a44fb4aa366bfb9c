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

/** Bodies that neither a creation nor a change takes, by what is wrong with them. */
export const BAD_AGENT_FIELDS: Record<string, object> = {
  'an empty name': { name: '' },
  'a name of 201 characters': { name: 'n'.repeat(201) },
  'a name with a NUL': { name: 'a\0b' },
  'half a surrogate pair': { name: '\ud800' },
  'a prompt of 100,001 characters': { system_prompt: 'p'.repeat(100_001) },
  'an empty model': { model: '' },
  'a model of 201 characters': { model: 'm'.repeat(201) },
  'a hot temperature': { temperature: 2.1 },
  'a temperature that is a text': { temperature: '1' },
  'no output': { max_tokens: 0 },
  'endless output': { max_tokens: 32_769 },
  'output of a fraction': { max_tokens: 1.5 },
  'a tool that nobody knows': { tools: ['shell'] },
  'a tool of every object': { tools: ['constructor'] },
  'a tool twice': { tools: ['time', 'time'] },
  'tools that are a text': { tools: 'time' },
  'an unknown setting of the memory': { memory: { size: 1 } },
  'no memories': { memory: { top_k: 0 } },
  '21 memories': { memory: { top_k: 21 } },
  'an empty namespace': { memory: { namespace: '' } },
  'a namespace of 101 characters': { memory: { namespace: 'n'.repeat(101) } },
  'metadata that is a list': { metadata: [] },
  'metadata of 257 values': { metadata: { a: Array.from({ length: 256 }, () => 1) } },
  'metadata of more than 16 KiB': { metadata: { a: 'ü'.repeat(8192) } },
  'an id': { id: '0192f0c7-81d3-7e59-a2f0-1b7c4d9e3a07' },
  'an unknown field': { colour: 'red' },
};
