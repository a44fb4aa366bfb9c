import type { Clock } from '../../../infrastructure/clock/clock';
import type { MemoriesRepository } from '../../knowledge/memories/memories.repository';
import type { AgentTool, AgentToolCall } from './agent-tool';

const RESULTS_DEFAULT = 5;
/** In UTF-16 units. The result is cut to a number of tokens later; this bounds the text whose tokens are counted. */
const VALUE_LENGTH_MAX = 4_000;

/** Searches the account's memories in the agent's namespace. */
export class MemorySearchTool implements AgentTool {
  readonly name = 'memory.search';
  readonly description = 'Searches what was stored in earlier conversations, by its words; the best first.';
  readonly parameters = {
    type: 'object',
    additionalProperties: false,
    required: ['query'],
    properties: {
      query: { type: 'string', minLength: 1, maxLength: 10_000, description: 'The words to look for.' },
      limit: { type: 'integer', minimum: 1, maximum: 20, description: 'How many at most; 5 when absent.' },
    },
  };

  constructor(
    private readonly memories: MemoriesRepository,
    private readonly clock: Clock,
  ) {}

  async run({ accountId, namespace, parameters }: AgentToolCall): Promise<string> {
    const { query, limit = RESULTS_DEFAULT } = parameters as { query: string; limit?: number };
    const search = { query, limit, now: this.clock.now() };
    const { items: found } = await this.memories.search(accountId, { namespace, metadata: null }, search);
    return JSON.stringify(
      found.map(({ memory: { key, value } }) => ({ key, value: value.slice(0, VALUE_LENGTH_MAX) })),
    );
  }
}
