import type OpenAI from 'openai';
import { answering, FaultyUpstreams, sharedModel } from '../support/upstream/faulty-upstreams';
import {
  chatEvents,
  errorReaction,
  jsonReaction,
  streamReaction,
} from '../support/upstream/upstream-answers';
import type { Reaction } from '../support/upstream/upstream-reaction';

const TEXT = 'Hello there.';

/** How servers refuse a field that they do not know. */
const REFUSALS: readonly [string, Reaction][] = [
  ['named', errorReaction(400, "Unknown parameter: 'stream_options'.")],
  [
    'pydantic',
    jsonReaction({ detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'] }] }, { status: 422 }),
  ],
  ['unnamed', errorReaction(400, 'Extra inputs are not permitted')],
  ['wordless', { status: 400, chunks: ['bad request'] }],
];
const TAKES = 'takes';

describe('the openai package: a stream of an upstream that refuses stream_options', () => {
  let upstreams: FaultyUpstreams;
  let client: OpenAI;
  beforeAll(async () => {
    upstreams = await FaultyUpstreams.start([...REFUSALS.map(([name]) => name), TAKES]);
    client = upstreams.service.clientOf(await upstreams.account());
  });
  afterAll(async () => {
    expect(await upstreams.service.faults()).toEqual([]);
    await upstreams.stop();
  });

  const optionsOf = (name: string) => upstreams.of(name).calls.map(({ body }) => body?.stream_options);
  const read = async (model: string, fields: object = {}) => {
    const messages = [{ role: 'user' as const, content: 'x' }];
    const stream = await client.chat.completions.create({ model, messages, ...fields, stream: true });
    let [text, usage]: [string, OpenAI.CompletionUsage | null | undefined] = ['', null];
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      usage = chunk.usage ?? usage;
    }
    return { text, usage };
  };
  const refusing = (name: string, reaction: Reaction) => {
    upstreams.of(name).script = ({ body }) =>
      body?.stream_options === undefined
        ? streamReaction(chatEvents(String(body?.model), { texts: [TEXT], usage: undefined }))
        : reaction;
  };

  it.each(REFUSALS)('comes without, asked again once for each model: %s', async (name, reaction) => {
    refusing(name, reaction);
    expect((await read(name)).text).toBe(TEXT);
    const wanted = await read(name, { stream_options: { include_usage: true } });
    expect(wanted).toMatchObject({ text: TEXT, usage: { completion_tokens: 3, cost: expect.any(Number) } });
    const usage = { include_usage: true };
    expect(optionsOf(name)).toEqual([usage, undefined, undefined]);
    await read(sharedModel(name));
    expect(optionsOf(name).slice(3)).toEqual([usage, undefined]);
  });

  it("keeps the client's own options, whose refusal is the client's", async () => {
    const [name] = REFUSALS[0] ?? [''];
    refusing(name, errorReaction(400, 'no stream_options'));
    const fields = { stream_options: { include_usage: true, include_obfuscation: false } };
    await expect(read(name, fields)).rejects.toMatchObject({ status: 400 });
    expect(optionsOf(name).at(-1)).toEqual({ include_obfuscation: false });
  });

  it('is asked once where the upstream takes them, or refuses something else', async () => {
    const upstream = upstreams.of(TAKES);
    upstream.script = () => errorReaction(400, 'Unsupported value of temperature');
    await expect(read(TAKES, { temperature: 1 })).rejects.toMatchObject({ status: 400 });
    upstream.script = () => errorReaction(400, 'The prompt is too long.');
    await expect(read(TAKES)).rejects.toMatchObject({ status: 400 });
    upstream.script = answering(TEXT);
    expect((await read(TAKES)).text).toBe(TEXT);
    upstream.script = () => errorReaction(400, 'Extra inputs are not permitted');
    await expect(read(TAKES)).rejects.toMatchObject({ status: 400 });
    expect(upstream.calls).toHaveLength(4);
  });
});
