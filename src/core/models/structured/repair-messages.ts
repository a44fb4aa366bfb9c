import type { ChatMessage } from '../chat-completion';

/** In UTF-16 units: so much of an answer is enough for the model to see what it meant. */
const QUOTED_LENGTH_MAX = 20_000;
/**
 * The most tokens that a repair adds to the question beside the quoted answer, which is a list of at most ten faults.
 */
export const REPAIR_TOKENS_MAX = 4_500;

/** The messages that ask for a repair: the model's wrong answer, and what is wrong with it. */
export function repairMessages(answer: string, faults: readonly string[]): ChatMessage[] {
  const list = faults.map((fault) => `- ${fault}`).join('\n');
  return [
    // Some servers refuse a message without content.
    { role: 'assistant', content: answer.slice(0, QUOTED_LENGTH_MAX) || '(no answer)' },
    {
      role: 'user',
      content: `Your answer does not have the asked form:\n${list}\nAnswer again, with the JSON value alone.`,
    },
  ];
}
