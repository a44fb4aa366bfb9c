import { Logger } from '@nestjs/common';
import { RawUpstream, type Script } from '../../../test/support/upstream/raw-upstream';
import { chatAnswer, errorReaction, jsonReaction } from '../../../test/support/upstream/upstream-answers';
import { UpstreamProvider } from './upstream-provider';

const SCHEMA = { type: 'object', properties: { ships: { type: 'integer' } } };
const REQUEST = {
  model: 'one',
  messages: [
    { role: 'system', content: 'Count the ships.' },
    { role: 'user', content: 'three ships' },
  ],
  response_format: { type: 'json_schema', json_schema: { name: 'count', strict: true, schema: SCHEMA } },
};
const OWN = { ownFormat: { isCallersSchema: false }, ownCap: true };
const GOOD = jsonReaction(chatAnswer('one', { texts: ['{"ships": 3}'] }));

/** Takes only some formats, and refuses the others in some way. */
const taking =
  (taken: readonly string[], refusal = errorReaction(400, 'Bad request.')): Script =>
  ({ body }) =>
    taken.includes(formatIn(body)) ? GOOD : refusal;

function formatIn(body: Record<string, unknown> | undefined): string {
  return (body?.response_format as { type: string } | undefined)?.type ?? 'text';
}

describe('the format of an answer', () => {
  let upstream: RawUpstream;
  let provider: UpstreamProvider;
  beforeEach(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    upstream = await RawUpstream.start(taking(['json_schema']));
    const times = { connectTimeoutMs: 9000, firstByteTimeoutMs: 9000, totalTimeoutMs: 9000 };
    const settings = { name: 'one', baseUrl: upstream.baseUrl, apiKey: 'sk', models: null, ...times };
    provider = new UpstreamProvider(settings, { backoffMs: () => 1, failuresMax: 2 });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await provider.close();
    await upstream.stop();
  });

  const formats = () => upstream.calls.map(({ body }) => formatIn(body));
  const messages = () => upstream.lastCall.body?.messages as { content: string }[];

  it('is the schema itself where the upstream takes it', async () => {
    await provider.chat(REQUEST, OWN);
    expect([formats(), messages()]).toEqual([['json_schema'], REQUEST.messages]);
  });

  it.each([
    ['names the format', errorReaction(400, "'response_format.type' must be 'text'")],
    ['does not say what is wrong', errorReaction(422, 'Unprocessable')],
    ['has no text', { status: 400, chunks: [] }],
    ['is a failure over the grammar', errorReaction(500, 'failed to parse grammar')],
    ['is that nothing like it exists', { status: 501, chunks: [] }],
  ])('is asked for by words where the refusal of others %s, which nobody hears of', async (_, refusal) => {
    upstream.script = taking(['text'], refusal);
    for (let call = 0; call < 3; call += 1) {
      expect((await provider.chat(REQUEST, OWN)).response.choices[0]?.message.content).toBe('{"ships": 3}');
    }
    expect(formats()).toEqual(['json_schema', 'json_object', 'text', 'text', 'text']);
    expect(messages()[0]?.content).toBe(
      `Count the ships.\n\nThe answer is one JSON value that has the form of this JSON Schema:\n${JSON.stringify(SCHEMA)}`,
    );
    expect([provider.isLeftAlone, provider.fault]).toEqual([false, null]);
  });

  it('is JSON with the schema in the prompt where the upstream knows no schemas', async () => {
    upstream.script = taking(['json_object']);
    await provider.chat(REQUEST, OWN);
    await provider.chat(REQUEST, OWN);
    expect(formats()).toEqual(['json_schema', 'json_object', 'json_object']);
    expect(messages()[0]?.content).toContain(JSON.stringify(SCHEMA));
  });

  it('is remembered of each model by itself, for an hour', async () => {
    upstream.script = taking(['json_object']);
    await provider.chat(REQUEST, OWN);
    await provider.chat({ ...REQUEST, model: 'two' }, OWN);
    const now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now + 3_700_000);
    await provider.chat(REQUEST, OWN);
    expect(formats()).toEqual([
      ...['json_schema', 'json_object'],
      ...['json_schema', 'json_object'],
      ...['json_schema', 'json_object'],
    ]);
  });

  it.each([
    ['a text that is too long', errorReaction(400, 'This model has a context length of 8192 tokens.')],
    [
      'a content policy',
      errorReaction(400, "The response was filtered by Azure's content management policy."),
    ],
    ['a model that is not there', errorReaction(404, 'The model one does not exist.')],
  ])('is not what a refusal for %s means, which is told on', async (_, refusal) => {
    upstream.script = () => refusal;
    await expect(provider.chat(REQUEST, OWN)).rejects.toMatchObject({ error: 'Upstream refused' });
    expect(formats()).toEqual(['json_schema']);
  });

  it('is tried anew for every schema of a caller: what is wrong with it says nothing of the model', async () => {
    upstream.script = taking(['text']);
    const callers = { ownFormat: { isCallersSchema: true } };
    await provider.chat(REQUEST, callers);
    await provider.chat(REQUEST, callers);
    expect(formats()).toEqual(['json_schema', 'json_object', 'text', 'json_schema', 'json_object', 'text']);
  });

  it('goes into the prompt where the upstream took the schema and did not keep to it', async () => {
    upstream.script = taking(['json_schema', 'json_object']);
    const answer = await provider.chat(REQUEST, OWN);
    answer.ignoresFormat?.();
    await provider.chat(REQUEST, OWN);
    expect(formats()).toEqual(['json_schema', 'json_object']);
  });

  it('stays what a client asks for itself', async () => {
    upstream.script = taking(['text']);
    await expect(provider.chat(REQUEST, {})).rejects.toMatchObject({ status: 400 });
    expect(formats()).toEqual(['json_schema']);
  });
});
