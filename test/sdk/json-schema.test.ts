import type OpenAI from 'openai';
import { makeParseableResponseFormat } from 'openai/lib/parser';
import { MockUpstream } from '../support/upstream/mock-upstream';
import { MODEL, sdkScene } from '../support/upstream/sdk-scene';

interface Port {
  name: string;
  depthMetres: number;
}

const PORT: Port = { name: 'Den Helder', depthMetres: 9.5 };
const FORMAT: OpenAI.ResponseFormatJSONSchema = {
  type: 'json_schema',
  json_schema: {
    name: 'port',
    strict: true,
    schema: {
      type: 'object',
      properties: { name: { type: 'string' }, depthMetres: { type: 'number' } },
      required: ['name', 'depthMetres'],
      additionalProperties: false,
    },
  },
};
const CHAT = { model: MODEL, messages: [{ role: 'user' as const, content: 'Describe the port.' }] };

describe('the openai package: a JSON schema', () => {
  const scene = sdkScene(MockUpstream.start);
  beforeEach(() => {
    scene.upstream.reset();
    scene.upstream.mock
      .onJsonOutput('port', PORT)
      .on({ userMessage: 'port', responseFormat: 'json_schema' }, { content: JSON.stringify(PORT) });
  });

  it('reaches the upstream as it is, and the answer has its form', async () => {
    const completion = await scene.client.chat.completions.create({ ...CHAT, response_format: FORMAT });
    expect(JSON.parse(completion.choices[0]?.message.content ?? '')).toEqual(PORT);
    expect(scene.upstream.bodies[0]).toMatchObject({ response_format: FORMAT });
    const { chargedNanoUsd } = await scene.running.lastReceipt(scene.world.owner);
    expect(await scene.spentNanoUsd()).toBe(chargedNanoUsd);
    expect(chargedNanoUsd).toBeGreaterThan(2_000_000n);
  });

  it('is parsed by the package', async () => {
    const parsed = await scene.client.chat.completions.parse({ ...CHAT, response_format: format() });
    expect(parsed.choices[0]?.message.parsed).toEqual(PORT);
  });

  it('is parsed by the package when it is streamed', async () => {
    const stream = scene.client.chat.completions.stream({ ...CHAT, response_format: format() });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]?.message.parsed).toEqual(PORT);
  });

  it('may be asked for as any JSON object', async () => {
    const response_format = { type: 'json_object' as const };
    const completion = await scene.client.chat.completions.create({ ...CHAT, response_format });
    expect(JSON.parse(completion.choices[0]?.message.content ?? '')).toEqual(PORT);
    expect(scene.upstream.bodies[0]).toMatchObject({ response_format });
  });
});

function format() {
  return makeParseableResponseFormat(FORMAT, (content) => JSON.parse(content) as Port);
}
