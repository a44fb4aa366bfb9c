/**
 * What o200k chat models add around messages: start, separator and end of each, and the start of the answer. A name
 * costs one more. Source: OpenAI's cookbook, "How to count tokens with tiktoken".
 */
export const TOKENS_PER_MESSAGE = 3;
export const TOKENS_PER_NAME = 1;
export const TOKENS_PER_ANSWER = 3;
