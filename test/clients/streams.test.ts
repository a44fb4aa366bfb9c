import {
  chatAnswer,
  chatEvents,
  dataEvent,
  errorReaction,
  jsonReaction,
  streamReaction,
} from '../support/upstream/upstream-answers';
import type { Reaction, RecordedRequest } from '../support/upstream/upstream-reaction';
import { Askers, CLIENTS } from './askers';

const TEXT = 'The cape.';
const PATHS = ['a.txt', 'b.txt'];

/** What upstreams do to a chat that OpenAI would not, by the model. */
const HABITS: Readonly<Record<string, (request: RecordedRequest) => Reaction>> = {
  'refuses-options': ({ body }) =>
    body?.stream_options === undefined ? eventsOf() : errorReaction(400, 'stream_options: extra field'),
  'answers-json': () => jsonReaction(chatAnswer('m', { texts: [TEXT] })),
  'streams-always': () => eventsOf(),
  'types-text': () => ({ ...eventsOf(), headers: { 'content-type': 'text/plain' } }),
  'numbers-events': () => {
    const events = chatEvents('m', { texts: [TEXT] }).map((event, index) => `id: ${index}\n${event}`);
    return streamReaction(['retry: 1000\n\n', ...events]);
  },
};

let askers: Askers;
beforeAll(async () => {
  askers = await Askers.start(
    (request) => {
      const model = String(request.body?.model);
      return HABITS[model]?.(request) ?? calling(request, model);
    },
    [...Object.keys(HABITS), 'one-index', 'no-index'].map((id) => ({ id })),
  );
});
afterAll(() => askers.stop());

describe.each(CLIENTS)('the package %s reads', (client) => {
  it.each(Object.keys(HABITS))('a stream whatever the upstream makes of it: %s', async (model) => {
    const before = await askers.balanceNanoUsd();
    for (const what of ['stream', 'chat']) {
      if (what === 'stream' || model === 'streams-always') {
        expect((await askers.ask({ client, what, model })).value).toMatchObject({
          text: TEXT,
          tokens: [9, 2, 11],
        });
      }
    }
    const calls = model === 'streams-always' ? 2n : 1n;
    expect(before - (await askers.balanceNanoUsd())).toBe(calls * (2_000_000n + 10_000n * 11n));
  });

  it.each(['one-index', 'no-index'])('two calls of tools at once: %s', async (model) => {
    const { value } = await askers.ask({ client, what: 'tools', model, stream: true });
    expect(value).toEqual({ text: TEXT, calls: PATHS.map((path) => ({ path })) });
  });
});

it('an upstream that refuses stream_options was asked again once', () => {
  const asked = askers.upstream.calls.filter(({ body }) => body?.model === 'refuses-options');
  expect(asked.filter(({ body }) => body?.stream_options !== undefined)).toHaveLength(1);
});

function eventsOf(): Reaction {
  return streamReaction(chatEvents('m', { texts: [TEXT] }));
}

/** Two calls in pieces, whose index is the same or missing, and once their results are there a text. */
function calling({ body }: RecordedRequest, model: string): Reaction {
  const turns = body?.messages as { role: string }[];
  if (turns.some(({ role }) => role === 'tool')) {
    return eventsOf();
  }
  const index = model === 'one-index' ? { index: 0 } : {};
  const chunk = (delta: object, reason: string | null = null) =>
    dataEvent({
      ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model },
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
  const pieces = PATHS.flatMap((path, place) => {
    const called = {
      id: `call_${place}`,
      type: 'function',
      function: { name: 'read', arguments: '{"path":' },
    };
    return [
      { ...index, ...called },
      { ...index, function: { arguments: `"${path}"}` } },
    ];
  });
  return streamReaction([
    chunk({ role: 'assistant', content: null }),
    ...pieces.map((piece) => chunk({ tool_calls: [piece] })),
    chunk({}, 'tool_calls'),
    dataEvent('[DONE]'),
  ]);
}
