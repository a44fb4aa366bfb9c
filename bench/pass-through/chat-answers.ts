/** How many chunks a stream has; each carries a word. */
export const CHUNKS = 100;
/** The model whose streams stop after their first chunk and stay open. */
export const IDLE_MODEL = 'idle';

const HEAD =
  '"id":"chatcmpl-bench","created":1763683200,"model":"bench-model","system_fingerprint":"fp_bench"';
const USAGE = `"usage":{"prompt_tokens":20,"completion_tokens":${CHUNKS},"total_tokens":${20 + CHUNKS}}`;

/** The whole answer to a call that is not streamed. */
export const ANSWER = Buffer.from(
  `{${HEAD},"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"${'word '.repeat(CHUNKS)}"},"logprobs":null,"finish_reason":"stop"}],${USAGE}}`,
);
export const CHUNK = chunk(
  '"choices":[{"index":0,"delta":{"content":"word "},"logprobs":null,"finish_reason":null}]',
);
/** What follows the last word. */
export const LAST = Buffer.concat([
  chunk('"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]'),
  chunk(`"choices":[],${USAGE}`),
  Buffer.from('data: [DONE]\n\n'),
]);

function chunk(members: string): Buffer {
  return Buffer.from(`data: {${HEAD},"object":"chat.completion.chunk",${members}}\n\n`);
}
