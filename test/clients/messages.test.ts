import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { World } from '../support/api/world';
import { readingChat, readingMessages } from '../support/upstream/message-answers';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { ServiceWithUpstreams } from '../support/upstream/service-with-upstreams';
import { FOLDER, installTools, runTool } from './tools';

const TOURS = ['anthropic-sdk', 'ai-sdk'];
/** The models: of an upstream that knows chats, and of one that speaks Anthropic's API. */
const MODELS = ['m', 'n'];

let chats: RawUpstream;
let natives: RawUpstream;
let running: ServiceWithUpstreams;
let world: World;

beforeAll(async () => {
  await installTools();
  mkdirSync(join(FOLDER, 'generated/tours'), { recursive: true });
  const bundling = ['--bundle', '--platform=node', '--format=esm'];
  // Parts of the packages are CommonJS, whose `require` a bundle of modules lacks.
  const banner =
    '--banner:js=import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
  for (const tour of TOURS) {
    await runTool(
      'esbuild',
      `tours/${tour}.ts`,
      ...bundling,
      banner,
      `--outfile=generated/tours/${tour}.mjs`,
    );
  }
  chats = await RawUpstream.start(readingChat);
  natives = await RawUpstream.start(readingMessages);
  running = await ServiceWithUpstreams.start(
    [
      { name: 'chats', base_url: chats.baseUrl, models: [{ id: 'm' }] },
      { name: 'natives', base_url: natives.baseUrl, messages_key: 'bearer', models: [{ id: 'n' }] },
    ],
    { STRICT_MODELS: 'true' },
  );
  world = await World.create(running.service);
});
afterAll(async () => {
  expect(await running.faults()).toEqual([]);
  await running.stop();
  await chats.stop();
  await natives.stop();
});

it('the tours compile', async () => {
  expect(await runTool('tsc', '--project', 'tsconfig.messages.json')).toBe('');
});

describe.each(MODELS)('messages of the model %s', (model) => {
  it('are read by the package of Anthropic, as agents ask for them, and cost what they say', async () => {
    const { tokens, ...seen } = await tour('anthropic-sdk', model, 3);
    expect(seen).toEqual({
      kinds: expect.arrayContaining([
        'message_start',
        'content_block_delta',
        'message_delta',
        'message_stop',
      ]),
      thought: true,
      calls: [['read', { path: 'a.txt' }]],
      reasons: ['tool_use', 'end_turn', 'end_turn'],
      texts: ['It says: the cape.', 'It says: the cape.'],
      counted: true,
      unauthorized: [401, 'authentication_error', 'string'],
      malformed: [400, 'invalid_request_error', 'string'],
      unknown: [404, 'not_found_error', 'string'],
    });
    expect(tokens).toBe(3 * 912);
  });

  it('are read by the AI SDK, which calls a tool by itself', async () => {
    expect(await tour('ai-sdk', model, 4)).toEqual({
      texts: ['It says: the cape.', 'It says: the cape.'],
      steps: [2, 2],
      reasons: ['stop', 'stop'],
      tokens: 4 * 912,
    });
  });
});

/** Takes a tour, and holds what it was charged to the tokens that it was told. */
async function tour(name: string, model: string, calls: number): Promise<Record<string, unknown>> {
  // Each tour has a minute of its own of the calls that an account may make.
  running.service.clock.advance(60_000);
  const before = await world.balanceNanoUsd();
  const printed = await runTool('node', `generated/tours/${name}.mjs`, running.url, world.owner.key, model);
  const seen = JSON.parse(printed) as { tokens: number };
  const cost = BigInt(calls) * 2_000_000n + 10_000n * BigInt(seen.tokens);
  expect(before - (await world.balanceNanoUsd())).toBe(cost);
  return seen;
}
