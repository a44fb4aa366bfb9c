import { chatAnswer, jsonReaction } from '../support/upstream/upstream-answers';
import { Askers, CLIENTS } from './askers';

const PHOTO = `data:image/png;base64,${'A'.repeat(1_100_000)}`;

let askers: Askers;
beforeAll(async () => {
  askers = await Askers.start(
    ({ body }) => jsonReaction(chatAnswer(String(body?.model))),
    [{ id: 'plain' }, { id: 'short', max_output_tokens: 4_000 }],
  );
});
afterAll(() => askers.stop());

describe.each(CLIENTS)('the package %s', (client) => {
  const sent = () => askers.upstream.lastCall;
  const asked = async (fields: object) => {
    const { value } = await askers.ask({ client, what: 'chat', model: 'plain', ...fields });
    expect(value?.text).toBe('Hello there.');
    return sent().body ?? {};
  };

  it('sends a photo as it is', async () => {
    const image = { type: 'image_url', image_url: { url: PHOTO } };
    await asked({ content: [{ type: 'text', text: 'What is it?' }, image] });
    expect(sent().text).toContain(PHOTO.slice('data:image/png;base64,'.length));
  });

  it('sends a text that is longer than any page', async () => {
    const text = 'The lighthouse was built in 1874. '.repeat(20_000);
    await asked({ content: [{ type: 'text', text }] });
    expect(sent().text).toContain(text);
  });

  it('asks for 100,000 tokens, for all that the installation gives, and for all that the model gives', async () => {
    const caps = [];
    for (const fields of [{ max_tokens: 100_000 }, {}, { model: 'short' }]) {
      const { max_tokens: cap, max_completion_tokens: newer } = await asked(fields);
      caps.push(cap ?? newer);
    }
    expect(caps).toEqual([100_000, 32_768, 4_000]);
  });
});
