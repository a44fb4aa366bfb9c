import type { CompletionRequest } from '../text-completion';

const OF_EACH_PROMPT = 1;

/**
 * How many completions a request has made: each of its prompts `n` times, or `best_of` times, where the best of more
 * than are shown are paid for all the same. Source: OpenAI's API reference, "Completions".
 */
export function completionChoices({ prompt, n, best_of: bestOf }: CompletionRequest): number {
  const asked = [n, bestOf].filter((count) => typeof count === 'number');
  return promptCount(prompt) * Math.max(OF_EACH_PROMPT, ...asked);
}

/** Numbers are the tokens of one prompt; beside anything else each counts as one, which is never too few. */
export function promptCount(prompt: CompletionRequest['prompt']): number {
  const isOne = typeof prompt === 'string' || prompt.every((part) => typeof part === 'number');
  return isOne ? 1 : prompt.length;
}
