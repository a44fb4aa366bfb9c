import { Logger } from '@nestjs/common';
import { RawUpstream, type Script } from '../../../test/support/upstream/raw-upstream';
import {
  chatAnswer,
  chatEvents,
  errorReaction,
  jsonReaction,
  streamReaction,
} from '../../../test/support/upstream/upstream-answers';
import type { Reaction } from '../../../test/support/upstream/upstream-reaction';
import { UpstreamRefused } from '../errors';
import { UpstreamProvider } from './upstream-provider';

type Fields = Readonly<Record<string, unknown>>;

const REQUEST = { model: 'new', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 50 };
const OWN = { ownCap: true };

/** The refusal that OpenAI sends for its newer models. */
function unsupported(field: string, other: string): Reaction {
  const message = `Unsupported parameter: '${field}' is not supported with this model. Use '${other}' instead.`;
  return refusal({ message, type: 'invalid_request_error', param: field, code: 'unsupported_parameter' });
}

function refusal(error: Fields): Reaction {
  return jsonReaction({ error }, { status: 400 });
}

/** An upstream that knows only `max_completion_tokens`. */
const NEWER: Script = ({ body = {}, path }) => {
  if (path.endsWith('/responses')) {
    return errorReaction(404, 'no such path');
  }
  if ('max_tokens' in body) {
    return unsupported('max_tokens', 'max_completion_tokens');
  }
  return body.stream ? streamReaction(chatEvents('new')) : jsonReaction(chatAnswer('new'));
};

describe('the field of a cap on output', () => {
  let upstream: RawUpstream;
  let provider: UpstreamProvider;
  beforeEach(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    upstream = await RawUpstream.start(NEWER);
    const times = { connectTimeoutMs: 9000, firstByteTimeoutMs: 9000, totalTimeoutMs: 9000 };
    const settings = { name: 'one', baseUrl: upstream.baseUrl, apiKey: 'sk', models: null, ...times };
    provider = new UpstreamProvider(settings, { backoffMs: () => 1 });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await provider.close();
    await upstream.stop();
  });

  /** The names and values of the caps in each chat that the upstream was asked. */
  const caps = () =>
    upstream.requests
      .filter(({ path }) => path.endsWith('/chat/completions'))
      .map(({ body = {} }) =>
        Object.entries(body).filter(([name]) => /^max_(?:completion_)?tokens$/.test(name)),
      );
  const drained = async (stream: Promise<{ events: AsyncIterable<unknown> }>) => {
    const events: unknown[] = [];
    for await (const event of (await stream).events) {
      events.push(event);
    }
    return events.length;
  };

  it.each<[string, object]>([
    ['older', { max_tokens: 50 }],
    ['newer', { max_completion_tokens: 50 }],
  ])('is as the client chose it, and so is the refusal of the %s one', async (_, cap) => {
    upstream.script = ({ body = {} }) =>
      'max_tokens' in body ? NEWER(upstream.lastCall, 0) : unsupported('max_completion_tokens', 'max_tokens');
    const { model, messages } = REQUEST;
    const error: unknown = await provider
      .chat({ model, messages, ...cap }, {})
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UpstreamRefused);
    expect((error as UpstreamRefused).options.body).toContain('unsupported_parameter');
    expect(caps()).toEqual([Object.entries(cap)]);
  });

  it.each<[string, Reaction]>([
    [
      'its value',
      refusal({ message: 'max_tokens is too large: 50.', param: 'max_tokens', code: 'invalid_value' }),
    ],
    [
      'another field',
      refusal({ message: "Unsupported parameter: 'n'", param: 'n', code: 'unsupported_parameter' }),
    ],
    ['text that is no error', jsonReaction('"Unsupported parameter"', { status: 400 })],
    ['nothing at all', { status: 400 }],
    ['another status', { ...unsupported('max_tokens', 'max_completion_tokens'), status: 422 }],
  ])('is asked for once where the upstream refuses %s', async (_, reaction) => {
    upstream.script = () => reaction;
    await expect(provider.chat(REQUEST, OWN)).rejects.toBeInstanceOf(UpstreamRefused);
    expect(upstream.requests).toHaveLength(1);
  });

  it.each([
    "Invalid 'max_tokens': integer below minimum value. Expected a value >= 16, but got 1 instead.",
    'max_tokens must be greater than thinking.budget_tokens',
    'max_tokens is too small; it must be at least 16',
    "1 is less than the minimum of 16 - 'max_tokens'",
    'max_tokens: Input should be greater than or equal to 16',
    'thinking.budget_tokens must be less than max_tokens',
  ])('stays where more than the balance pays for is asked for: %s', async (message) => {
    upstream.script = ({ body = {} }) =>
      'max_tokens' in body ? refusal({ message }) : jsonReaction(chatAnswer('new'));
    const asked = provider.chat({ ...REQUEST, max_tokens: 1 }, { ...OWN, isOutputOpen: true });
    await expect(asked).rejects.toBeInstanceOf(UpstreamRefused);
    expect(caps()).toEqual([[['max_tokens', 1]]]);
  });

  it.each([
    'max_tokens must be >= 1 and <= 20',
    'max_tokens must be at least 1 and at most 20',
    "'max_tokens' is too large: 50. This model's maximum context length is 60 tokens (50 > 60 - 30).",
  ])('is left out where the upstream finds it too large: %s', async (message) => {
    upstream.script = ({ body = {} }) =>
      'max_tokens' in body ? refusal({ message }) : jsonReaction(chatAnswer('new'));
    await provider.chat(REQUEST, { ...OWN, isOutputOpen: true });
    expect(caps()).toEqual([[['max_tokens', 50]], []]);
  });

  it.each(['max_tokens at most 1', "Unsupported parameter: 'max_tokens'"])(
    'stays for others where a refusal repeats what one caller sent: %s',
    async (sent) => {
      upstream.script = () => refusal({ message: `Invalid value: ${sent}` });
      const options = { ...OWN, isOutputOpen: true };
      await expect(provider.chat(REQUEST, options)).rejects.toBeInstanceOf(UpstreamRefused);
      upstream.script = () => jsonReaction(chatAnswer('new'));
      await provider.chat(REQUEST, options);
      expect(caps().at(-1)).toEqual([['max_tokens', 50]]);
    },
  );

  it('is changed once and no more where the upstream knows neither', async () => {
    upstream.script = ({ body = {} }) =>
      'max_tokens' in body
        ? unsupported('max_tokens', 'max_completion_tokens')
        : unsupported('max_completion_tokens', 'max_tokens');
    await expect(provider.chat(REQUEST, OWN)).rejects.toBeInstanceOf(UpstreamRefused);
    expect(upstream.requests).toHaveLength(2);
  });

  it('is the newer one where the upstream refuses ours, which is remembered for the model', async () => {
    for (let count = 0; count < 2; count++) {
      expect((await provider.chat(REQUEST, OWN)).response.model).toBe('new');
    }
    await provider.chat({ ...REQUEST, model: 'other' }, OWN);
    const [older, newer] = [[['max_tokens', 50]], [['max_completion_tokens', 50]]];
    expect(caps()).toEqual([older, newer, newer, older, newer]);
    const { body } = upstream.lastCall;
    expect(body).toEqual({ model: 'other', messages: REQUEST.messages, max_completion_tokens: 50 });
  });

  it('is the older one first, whatever the service put its own cap into', async () => {
    upstream.script = () => jsonReaction(chatAnswer('new'));
    const { model, messages } = REQUEST;
    await provider.chat({ model, messages, max_completion_tokens: 50 }, OWN);
    expect(caps()).toEqual([[['max_tokens', 50]]]);
  });

  it('is the newer one where a proxy keeps no more than the message', async () => {
    const message = "litellm.BadRequestError: Unsupported parameter: 'max_tokens' is not supported";
    upstream.script = (request, count) =>
      count === 0 ? refusal({ message, param: null, code: '400' }) : NEWER(request, count);
    expect((await provider.chat(REQUEST, OWN)).response.model).toBe('new');
  });

  it('is found for a stream too', async () => {
    expect(await drained(provider.streamChat(REQUEST, OWN))).toBeGreaterThan(3);
    expect(caps()).toEqual([[['max_tokens', 50]], [['max_completion_tokens', 50]]]);
    expect(upstream.lastCall.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it('is found for a response that is made of a chat, streamed or not, whose field no client chose', async () => {
    const request = { model: 'new', input: 'Hello', max_output_tokens: 50 };
    const { response } = await provider.respond(request, {});
    expect(response.status).toBe('completed');
    expect(await drained(provider.streamResponse({ ...request, model: 'other' }, {}))).toBeGreaterThan(3);
    const both = [[['max_tokens', 50]], [['max_completion_tokens', 50]]];
    expect(caps()).toEqual([...both, ...both]);
  });

  it('says nothing of the upstream: refusals of ours open no breaker', async () => {
    for (let count = 0; count < 12; count++) {
      await provider.chat({ ...REQUEST, model: `m${count}` }, OWN);
    }
    expect(provider.fault).toBeNull();
  });
});
