import Anthropic, { APIError } from '@anthropic-ai/sdk';
import type { BetaMessage, BetaMessageParam } from '@anthropic-ai/sdk/resources/beta/messages';

/** Asks as agents that write code ask: a long system prompt in blocks, tools, thinking, betas, streams. */
const [url = '', key = '', model = ''] = process.argv.slice(2);
const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 });
const bearer = new Anthropic({ apiKey: null, authToken: key, baseURL: url, maxRetries: 0 });
const kept = { cache_control: { type: 'ephemeral' as const } };
const request = {
  model,
  max_tokens: 2000,
  system: [
    { type: 'text' as const, text: 'You write code.' },
    { type: 'text' as const, text: 'Read before you write. '.repeat(200), ...kept },
  ],
  tools: Array.from({ length: 30 }, (_, index) => ({
    name: index === 0 ? 'read' : `tool_${index}`,
    description: 'Reads a file.',
    input_schema: { type: 'object' as const, properties: { path: { type: 'string' } } },
  })),
  thinking: { type: 'enabled' as const, budget_tokens: 1024 },
  metadata: { user_id: 'user_1' },
  betas: ['interleaved-thinking-2025-05-14'],
};

let tokens = 0;
function count({ usage }: BetaMessage): void {
  const cached = (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
  tokens += usage.input_tokens + cached + usage.output_tokens;
}

function textOf({ content }: BetaMessage): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

async function refusal(call: Promise<unknown>): Promise<unknown> {
  const error: unknown = await call.then(
    () => null,
    (failure: unknown) => failure,
  );
  return error instanceof APIError ? [error.status, error.type, typeof error.requestID] : String(error);
}

const messages: BetaMessageParam[] = [
  { role: 'user', content: [{ type: 'text', text: 'What is in a.txt?', ...kept }] },
];
const stream = client.beta.messages.stream({ ...request, messages });
const kinds = new Set<string>();
stream.on('streamEvent', ({ type }) => kinds.add(type));
const called = await stream.finalMessage();
count(called);
const calls = called.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
messages.push({ role: 'assistant', content: called.content });
messages.push({
  role: 'user',
  content: calls.map(({ id }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: [{ type: 'text', text: 'The cape.', ...kept }],
  })),
});
const answered = await bearer.beta.messages.create({ ...request, messages });
count(answered);
const streamed = await client.beta.messages.stream({ ...request, messages }).finalMessage();
count(streamed);
const { input_tokens: counted } = await client.beta.messages.countTokens({ model, messages });
const wrong = new Anthropic({ apiKey: 'svc_test_wrong', baseURL: url, maxRetries: 0 });

console.log(
  JSON.stringify({
    kinds: [...kinds].sort(),
    thought: called.content.some(({ type }) => type === 'thinking'),
    calls: calls.map(({ name, input }) => [name, input]),
    reasons: [called.stop_reason, answered.stop_reason, streamed.stop_reason],
    texts: [textOf(answered), textOf(streamed)],
    tokens,
    counted: counted > 0,
    unauthorized: await refusal(wrong.beta.messages.create({ ...request, messages })),
    malformed: await refusal(client.beta.messages.create({ ...request, messages: [] })),
    unknown: await refusal(client.beta.messages.create({ ...request, messages, model: 'nobodys' })),
  }),
);
