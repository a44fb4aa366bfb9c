import {
  chatAnswer,
  chatEvents,
  dataEvent,
  jsonReaction,
  streamReaction,
} from '../support/upstream/upstream-answers';
import { Askers, CLIENTS } from './askers';

const SENTENCE = 'The prompt is too long for this model.';

let askers: Askers;
beforeAll(async () => {
  askers = await Askers.start(
    ({ path, body }) => {
      const model = String(body?.model);
      const whole = chatAnswer(model);
      switch (model) {
        case 'empty':
          return jsonReaction({ ...whole, choices: [], error: { message: 'It fell.', code: 500 } });
        case 'ended':
          return jsonReaction(chatAnswer(model, { finishReason: 'error' }));
        case 'refused':
          return streamReaction([dataEvent({ error: { message: SENTENCE, code: 400 } })]);
        case 'failed': {
          const error = { code: 'server_error', message: 'It fell.' };
          const response = {
            id: 'resp_1',
            object: 'response',
            created_at: 1,
            model,
            status: 'failed',
            error,
          };
          return jsonReaction(path.endsWith('/responses') ? { ...response, output: [] } : whole);
        }
        default:
          return body?.stream ? streamReaction(chatEvents(model)) : jsonReaction(whole);
      }
    },
    ['empty', 'ended', 'refused', 'failed', 'good'].map((id) => ({ id })),
  );
});
afterAll(() => askers.stop());

describe.each(CLIENTS)("an upstream's failure within a 200, as the package %s tells it", (client) => {
  it.each([
    ['chat', 'empty', 502],
    ['chat', 'ended', 502],
    ['responses', 'failed', 502],
    ['stream', 'refused', 400],
  ])('is an error, and free: %s, %s', async (what, model, status) => {
    // An upstream that goes on failing is left alone for a while.
    await askers.ask({ client, what: 'chat', model: 'good' });
    const before = await askers.balanceNanoUsd();
    const { error } = await askers.ask({ client, what, model });
    expect(error).toMatchObject({ status });
    expect(status === 400 ? error?.message : SENTENCE).toContain(SENTENCE);
    expect(await askers.balanceNanoUsd()).toBe(before);
  });

  it("shuts nobody out where it is the caller's own", async () => {
    for (let calls = 0; calls < 6; calls += 1) {
      expect((await askers.ask({ client, what: 'stream', model: 'refused' })).error?.status).toBe(400);
    }
    expect(await askers.ask({ client, what: 'chat', model: 'good' })).toMatchObject({
      value: { text: 'Hello there.' },
    });
  });
});
