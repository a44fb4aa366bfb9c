import { readingChat } from '../support/upstream/message-answers';
import {
  chatAnswer,
  chatEvents,
  embeddingAnswer,
  errorReaction,
  jsonReaction,
  streamReaction,
  vectorOf,
} from '../support/upstream/upstream-answers';
import { Askers, CLIENTS } from './askers';

const TEXT = 'The cape.';

let askers: Askers;
beforeAll(async () => {
  askers = await Askers.start(
    (request) => {
      const { path, body } = request;
      if (path.endsWith('/responses')) {
        return errorReaction(404, 'Not Found');
      }
      if (path.endsWith('/embeddings')) {
        return jsonReaction(embeddingAnswer({ ...request, body: { ...body, encoding_format: 'float' } }));
      }
      const model = String(body?.model);
      if (model === 'reading') {
        return readingChat(request);
      }
      const told = { texts: [TEXT] };
      return body?.stream ? streamReaction(chatEvents(model, told)) : jsonReaction(chatAnswer(model, told));
    },
    [{ id: 'plain' }, { id: 'reading' }],
  );
});
afterAll(() => askers.stop());

describe.each(CLIENTS)('over an upstream that knows chats alone, the package %s', (client) => {
  it.each(['responses', 'responses-stream'])('gets %s', async (what) => {
    expect((await askers.ask({ client, what, model: 'plain' })).value).toMatchObject({ text: TEXT });
  });

  it.each([false, true])('calls tools (streamed: %s)', async (stream) => {
    const { value } = await askers.ask({ client, what: 'tools', model: 'reading', stream });
    expect(value).toEqual({ text: 'It says: the cape.', calls: [{ path: 'a.txt' }] });
  });

  it('reads the numbers of vectors, whether or not it asks for base64, which the upstream does not know', async () => {
    const { value } = await askers.ask({ client, what: 'embed', model: 'plain' });
    expect(value?.vector).toEqual(vectorOf('What is in a.txt?'));
  });
});

describe("the AI SDK's own choice of an API", () => {
  const client = 'ai-sdk';

  it('calls tools in a second turn', async () => {
    const { value } = await askers.ask({ client, what: 'responses-tools', model: 'reading' });
    expect(value).toEqual({ text: 'It says: the cape.', calls: [{ path: 'a.txt' }] });
  });

  it('goes on with a conversation once it is told that nothing is stored, which the refusal says', async () => {
    const before = await askers.balanceNanoUsd();
    const turns = { client, what: 'responses-turns', model: 'plain' };
    const { error } = await askers.ask(turns);
    expect(error).toMatchObject({
      status: 400,
      message: expect.stringContaining('providerOptions.openai.store'),
    });
    // The first turn alone was answered.
    expect(before - (await askers.balanceNanoUsd())).toBe(2_000_000n + 10_000n * 11n);
    expect((await askers.ask({ ...turns, store: false })).value).toEqual({ text: TEXT });
    expect(askers.upstream.lastCall.body?.messages).toEqual([
      { role: 'user', content: 'What is in a.txt?' },
      { role: 'assistant', content: TEXT },
      { role: 'user', content: 'Sure?' },
    ]);
  });

  it('was looked for at the upstream once', () => {
    const paths = askers.upstream.calls.map(({ path }) => path);
    expect(paths.filter((path) => path.endsWith('/responses'))).toHaveLength(1);
  });
});
