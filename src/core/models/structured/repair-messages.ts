import type { ChatMessage } from '../chat-completion';

/** Enough of an answer to see what it was meant to be. */
const QUOTED_LENGTH_MAX = 20_000;
/** An upper bound of the tokens that a repair adds to the question, beside the quoted answer: at most ten faults. */
export const REPAIR_TOKENS_MAX = 4_500;

/** What is said after an answer of the wrong form: the answer, and what is wrong with it. */
export function repairMessages(answer: string, faults: readonly string[]): ChatMessage[] {
  const list = faults.map((fault) => `- ${fault}`).join('\n');
  return [
    // Some servers refuse an empty message.
    { role: 'assistant', content: answer.slice(0, QUOTED_LENGTH_MAX) || '(no answer)' },
    {
      role: 'user',
      content: `Your answer does not have the asked form:\n${list}\nAnswer again, with the JSON value alone.`,
    },
  ];
}
