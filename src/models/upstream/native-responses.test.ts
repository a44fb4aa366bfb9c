import { Logger } from '@nestjs/common';
import { RawUpstream, type Script } from '../../../test/support/upstream/raw-upstream';
import {
  chatAnswer,
  dataEvent,
  errorReaction,
  jsonReaction,
  streamReaction,
} from '../../../test/support/upstream/upstream-answers';
import { UpstreamRefused } from '../errors';
import { UpstreamProvider } from './upstream-provider';

const KEY = 'sk-key/of-the-upstream';
const REQUEST = { model: 'm', input: 'Hello' };
const RESPONSE = { id: 'resp_1', object: 'response', status: 'completed', model: 'm', output: [] };

describe('an upstream’s own responses', () => {
  let upstream: RawUpstream;
  let provider: UpstreamProvider;
  beforeEach(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    upstream = await RawUpstream.start(() => jsonReaction(RESPONSE));
    const times = { connectTimeoutMs: 9000, firstByteTimeoutMs: 9000, totalTimeoutMs: 9000 };
    const settings = { name: 'one', baseUrl: upstream.baseUrl, apiKey: KEY, models: null, ...times };
    provider = new UpstreamProvider(settings, { backoffMs: () => 1 });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await provider.close();
    await upstream.stop();
  });

  const answeringChats =
    (refusal: string): Script =>
    ({ path }) =>
      path.endsWith('/responses') ? errorReaction(404, refusal) : jsonReaction(chatAnswer('m'));
  const paths = () => upstream.requests.map(({ path }) => path);

  it.each([
    'No such File object: file-1',
    'Vector store with id [vs_1] not found.',
    "The model 'm' does not exist",
  ])('are not given up for a request that names what there is not: %s', async (message) => {
    upstream.script = answeringChats(message);
    await expect(provider.respond(REQUEST, {})).rejects.toBeInstanceOf(UpstreamRefused);
    upstream.script = () => jsonReaction(RESPONSE);
    expect((await provider.respond(REQUEST, {})).response.id).toBe('resp_1');
    expect(paths()).toEqual(['/v1/responses', '/v1/responses']);
  });

  it('are not given up once there were any, whatever 404 says', async () => {
    await provider.respond(REQUEST, {});
    upstream.script = answeringChats('Not Found');
    await expect(provider.respond(REQUEST, {})).rejects.toBeInstanceOf(UpstreamRefused);
    expect(paths()).toEqual(['/v1/responses', '/v1/responses']);
  });

  it('never repeat the key that the upstream was shown where it failed', async () => {
    const response = { ...RESPONSE, status: 'failed', error: { message: `Your key ${KEY} is fine` } };
    upstream.script = () => jsonReaction(response);
    await expect(provider.respond(REQUEST, {})).rejects.toMatchObject({ status: 502 });
    const begun = { type: 'response.created', response: RESPONSE };
    upstream.script = () =>
      streamReaction([begun, { type: 'response.failed', response }].map((event) => dataEvent(event)));
    const { events } = await provider.streamResponse({ ...REQUEST, stream: true }, {});
    const told: string[] = [];
    const reading = (async () => {
      for await (const { data } of events) {
        told.push(data);
      }
    })();
    await expect(reading).rejects.toMatchObject({ status: 502, reportedByUpstream: false });
    expect(told).toEqual([JSON.stringify(begun)]);
  });

  it.each(['Invalid URL (POST /v1/responses)', 'Not Found', 'File Not Found'])(
    'are made of chats where there are none: %s',
    async (message) => {
      upstream.script = answeringChats(message);
      for (let count = 0; count < 2; count++) {
        expect((await provider.respond(REQUEST, {})).response.status).toBe('completed');
      }
      expect(paths()).toEqual(['/v1/responses', '/v1/chat/completions', '/v1/chat/completions']);
    },
  );
});
