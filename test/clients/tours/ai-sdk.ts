import { createAnthropic } from '@ai-sdk/anthropic';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';

const [url = '', key = '', name = ''] = process.argv.slice(2);
const model = createAnthropic({ apiKey: key, baseURL: `${url}/v1` })(name);
const tools = {
  read: tool({
    description: 'Reads a file.',
    inputSchema: jsonSchema<{ path: string }>({
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
    }),
    execute: ({ path }) => `${path}: The cape.`,
  }),
};
const asked = {
  ...{ model, tools, maxRetries: 0, maxOutputTokens: 500, stopWhen: stepCountIs(3) },
  ...{ system: 'You write code.', prompt: 'What is in a.txt?' },
};

const whole = await generateText(asked);
const stream = streamText(asked);
let streamed = '';
for await (const piece of stream.textStream) {
  streamed += piece;
}
const uses = [whole.totalUsage, await stream.totalUsage];

console.log(
  JSON.stringify({
    texts: [whole.text, streamed],
    steps: [whole.steps.length, (await stream.steps).length],
    reasons: [whole.finishReason, await stream.finishReason],
    tokens: uses.reduce((sum, use) => sum + (use.inputTokens ?? 0) + (use.outputTokens ?? 0), 0),
  }),
);
