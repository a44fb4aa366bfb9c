import type {
  Agent,
  AgentMemory,
  ChatWithAgentRequest,
  CreateAgentRequest,
  GenerateWithAgentRequest,
  UpdateAgentRequest,
} from '../../../generated/types';
import type { RunRequest } from '../../core/agents/agent-preparation';
import type { AgentFields, AgentRecord } from '../../core/agents/agent.entity';

export function toAgent(record: AgentRecord): Agent {
  return {
    id: record.id,
    name: record.name,
    system_prompt: record.systemPrompt,
    model: record.model,
    temperature: record.temperature,
    max_tokens: record.maxTokens,
    tools: record.tools,
    memory: {
      enabled: record.memoryEnabled,
      namespace: record.memoryNamespace,
      top_k: record.memoryTopK,
    },
    metadata: record.metadata,
    created_at: record.createdAt.toISOString(),
    updated_at: record.updatedAt.toISOString(),
  };
}

export function toAgentFields(body: CreateAgentRequest): AgentFields {
  return {
    name: body.name,
    systemPrompt: body.system_prompt ?? null,
    model: body.model ?? null,
    temperature: body.temperature ?? null,
    maxTokens: body.max_tokens ?? null,
    tools: body.tools ?? [],
    ...memoryFields(body.memory ?? MEMORY_DEFAULT),
    metadata: body.metadata ?? {},
  };
}

/** The fields that the request gives. `memory` is replaced as a whole: members that it omits get their defaults. */
export function toAgentChange(body: UpdateAgentRequest): Partial<AgentFields> {
  const given: Partial<AgentFields> = {
    name: body.name,
    systemPrompt: body.system_prompt,
    model: body.model,
    temperature: body.temperature,
    maxTokens: body.max_tokens,
    tools: body.tools,
    ...(body.memory && memoryFields(body.memory)),
    metadata: body.metadata,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

export function toRunRequest(body: GenerateWithAgentRequest | ChatWithAgentRequest): RunRequest {
  const [systemPrompt, messages] =
    'prompt' in body
      ? [body.system_prompt ?? null, [{ role: 'user', content: body.prompt }]]
      : [null, body.messages];
  return {
    agentId: body.agent_id ?? null,
    systemPrompt,
    messages,
    model: body.model ?? null,
    temperature: body.temperature ?? null,
    outputTokensMax: body.max_tokens ?? null,
    allowDegraded: body.allow_degraded ?? false,
  };
}

const MEMORY_DEFAULT: Required<AgentMemory> = { enabled: false, namespace: 'default', top_k: 5 };

function memoryFields(
  memory: AgentMemory,
): Pick<AgentFields, 'memoryEnabled' | 'memoryNamespace' | 'memoryTopK'> {
  const { enabled, namespace, top_k: topK } = { ...MEMORY_DEFAULT, ...memory };
  return { memoryEnabled: enabled, memoryNamespace: namespace, memoryTopK: topK };
}
