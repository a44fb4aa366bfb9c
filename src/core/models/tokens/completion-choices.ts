import type { CompletionRequest } from '../text-completion';

const OF_EACH_PROMPT = 1;

/**
 * How many completions a model makes for a request: `n` for each prompt, or `best_of` where that is more, since
 * completions that are made but not shown are paid for too. Source: OpenAI's API reference, "Completions".
 */
export function completionChoices({ prompt, n, best_of: bestOf }: CompletionRequest): number {
  const asked = [n, bestOf].filter((count) => typeof count === 'number');
  return promptCount(prompt) * Math.max(OF_EACH_PROMPT, ...asked);
}

/**
 * How many prompts a field holds. A list of numbers is one prompt, given as tokens. In any other list every item counts
 * as a prompt, which is never too few.
 */
export function promptCount(prompt: CompletionRequest['prompt']): number {
  const isOne = typeof prompt === 'string' || prompt.every((part) => typeof part === 'number');
  return isOne ? 1 : prompt.length;
}
