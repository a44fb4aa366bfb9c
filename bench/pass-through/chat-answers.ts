/** How many chunks a stream has; each carries a word. */
export const CHUNKS = 100;
/** What the upstream does for each of its models. */
export const MODELS = {
  /** Answers at once. */
  prompt: 'bench-model',
  /** Answers after 200 ms, as a small real model may. */
  slow: 'slow-model',
  /** Answers at once with 100 KB. */
  long: 'long-model',
  /** Its streams stop after their first chunk and stay open. */
  idle: 'idle',
} as const;
export const SLOW_MS = 200;

const HEAD =
  '"id":"chatcmpl-bench","created":1763683200,"model":"bench-model","system_fingerprint":"fp_bench"';
const USAGE = `"usage":{"prompt_tokens":20,"completion_tokens":${CHUNKS},"total_tokens":${20 + CHUNKS}}`;

/** The whole answer to a call that is not streamed. */
export const ANSWER = answerOf('word '.repeat(CHUNKS));
export const LONG_ANSWER = answerOf('word '.repeat(20_000));
export const CHUNK = chunk(
  '"choices":[{"index":0,"delta":{"content":"word "},"logprobs":null,"finish_reason":null}]',
);
/** What follows the last word. */
export const LAST = Buffer.concat([
  chunk('"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]'),
  chunk(`"choices":[],${USAGE}`),
  Buffer.from('data: [DONE]\n\n'),
]);

function answerOf(content: string): Buffer {
  return Buffer.from(
    `{${HEAD},"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"${content}"},"logprobs":null,"finish_reason":"stop"}],${USAGE}}`,
  );
}

function chunk(members: string): Buffer {
  return Buffer.from(`data: {${HEAD},"object":"chat.completion.chunk",${members}}\n\n`);
}
