import { RawUpstream } from '../../../../test/support/raw-upstream';
import {
  chatAnswer,
  chatEvents,
  jsonReaction,
  streamReaction,
} from '../../../../test/support/upstream-answers';
import type { Reaction, RecordedRequest } from '../../../../test/support/upstream-reaction';
import { UpstreamProvider } from './upstream-provider';

const MESSAGES = [{ role: 'user', content: 'Hello' }];
const REASONING = { model: 'm', messages: MESSAGES, max_tokens: 50 };
const OPENAI_TEXT =
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";

/** As OpenAI's reasoning models refuse the old name. */
const refusesTheOld = refusing('max_tokens', 400, {
  error: { message: OPENAI_TEXT, param: 'max_tokens', code: 'unsupported_parameter' },
});
/** As strict servers refuse every field that they don't know, the new name among them. */
const refusesTheNew = refusing('max_completion_tokens', 422, {
  detail: [
    {
      type: 'extra_forbidden',
      loc: ['body', 'max_completion_tokens'],
      msg: 'Extra inputs are not permitted',
    },
  ],
});

describe('the cap of a chat', () => {
  let upstream: RawUpstream;
  let provider: UpstreamProvider;
  beforeEach(async () => {
    upstream = await RawUpstream.start(answered);
    const times = { connectTimeoutMs: 9000, firstByteTimeoutMs: 9000, totalTimeoutMs: 9000 };
    provider = new UpstreamProvider({
      name: 'one',
      baseUrl: upstream.baseUrl,
      apiKey: null,
      models: null,
      ...times,
    });
  });
  afterEach(async () => {
    await provider.close();
    await upstream.stop();
  });

  it.each([
    ['max_tokens', 'max_completion_tokens', refusesTheOld],
    ['max_completion_tokens', 'max_tokens', refusesTheNew],
  ])('has its other name where the model refuses %s, and keeps it', async (sent, taken, script) => {
    upstream.script = script;
    const request = { model: 'm', messages: MESSAGES, [sent]: 50 };
    for (let round = 0; round < 2; round += 1) {
      expect((await provider.chat(request, {})).response.choices).toHaveLength(1);
    }
    expect(caps()).toEqual([{ [sent]: 50 }, { [taken]: 50 }, { [taken]: 50 }]);
  });

  it('has its other name in streams too', async () => {
    upstream.script = refusesTheOld;
    const { events } = await provider.streamChat(REASONING, {});
    for await (const event of events) expect(event.bytes.length).toBeGreaterThan(0);
    expect(caps()).toEqual([{ max_tokens: 50 }, { max_completion_tokens: 50 }]);
  });

  it('keeps its name where its value is refused, and the refusal says so', async () => {
    const error = {
      message: 'max_tokens is too large: 50. This model supports at most 10.',
      param: 'max_tokens',
    };
    upstream.script = () => jsonReaction({ error }, { status: 400 });
    await expect(provider.chat(REASONING, {})).rejects.toMatchObject({ status: 400 });
    expect(caps()).toEqual([{ max_tokens: 50 }]);
  });

  it('is refused in the words of the first refusal where neither name is taken', async () => {
    upstream.script = (request) =>
      ('max_tokens' in (request.body ?? {}) ? refusesTheOld : refusesTheNew)(request);
    const failure = await provider.chat(REASONING, {}).catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 400, options: { body: expect.stringContaining(OPENAI_TEXT) } });
    expect(upstream.calls).toHaveLength(2);
  });

  function caps(): object[] {
    return upstream.calls.map(({ body }) =>
      Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => name.startsWith('max_'))),
    );
  }
});

function refusing(name: string, status: number, body: object): (request: RecordedRequest) => Reaction {
  return (request) => (name in (request.body ?? {}) ? jsonReaction(body, { status }) : answered(request));
}

function answered({ body }: RecordedRequest): Reaction {
  return body?.stream === true
    ? streamReaction(chatEvents('m', { texts: ['Hi'] }))
    : jsonReaction(chatAnswer('m', { texts: ['Hi'] }));
}
