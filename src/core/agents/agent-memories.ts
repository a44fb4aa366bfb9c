import { Injectable } from '@nestjs/common';
import { MemoriesRepository } from '../knowledge/memories/memories.repository';
import type { ChatMessage } from '../models/chat-completion';
import { fitToTokens } from '../text/tokens/fit-to-tokens';
import { TokenCounter } from '../text/tokens/token-counter';
import { Clock } from '../../infrastructure/clock/clock';
import { MEMORY_TOKENS_MAX, type AgentRun } from './agent-run';

/** In UTF-16 units: the longest query that the search of memories takes. */
const QUERY_LENGTH_MAX = 10_000;
/** In UTF-16 units. So much of one memory fills all of the tokens already: to join more of it would be wasted work. */
const VALUE_LENGTH_MAX = 8 * MEMORY_TOKENS_MAX;
const HEADING = 'Stored memories that may help with the last message:';

/** Tells the model what its agent's memories know about the last user message. */
@Injectable()
export class AgentMemories {
  constructor(
    private readonly memories: MemoriesRepository,
    private readonly tokens: TokenCounter,
    private readonly clock: Clock,
  ) {}

  /**
   * The messages of the run, with the memories that match its last user message in a message behind the system prompt.
   * Throws what TokenCounter.count throws.
   */
  async recall(run: AgentRun, signal: AbortSignal): Promise<ChatMessage[]> {
    const query = run.messages.findLast(({ role }) => role === 'user')?.content;
    if (!run.agent?.memoryEnabled || typeof query !== 'string') {
      return [...run.messages];
    }
    const { memoryNamespace: namespace, memoryTopK: limit } = run.agent;
    const { items: found } = await this.memories.search(
      run.accountId,
      { namespace, metadata: null },
      { query: query.slice(0, QUERY_LENGTH_MAX), limit, now: this.clock.now() },
    );
    if (found.length === 0) {
      return [...run.messages];
    }
    const known = found.map(({ memory: { key, value } }) => `${key}\n${value.slice(0, VALUE_LENGTH_MAX)}`);
    const text = [HEADING, ...known].join('\n\n');
    const content = await fitToTokens(text, MEMORY_TOKENS_MAX, this.tokens, signal);
    return withMemories(run, { role: 'system', content });
  }
}

/** The memories stand behind the system prompt, which may say how to use them, and before the conversation. */
function withMemories({ messages }: AgentRun, memories: ChatMessage): ChatMessage[] {
  const position = messages[0]?.role === 'system' ? 1 : 0;
  return [...messages.slice(0, position), memories, ...messages.slice(position)];
}
