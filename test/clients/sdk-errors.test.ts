import { RawUpstream } from '../support/upstream/raw-upstream';
import { chatAnswer, embeddingAnswer, jsonReaction } from '../support/upstream/upstream-answers';
import { ServiceWithUpstreams } from '../support/upstream/service-with-upstreams';
import { World } from '../support/api/world';
import { installTools, runTool } from './tools';

interface Outcome {
  value?: unknown;
  error?: Record<string, unknown>;
}

interface Seen {
  name: string;
  answered: Outcome;
  poor: Outcome;
  wrong: Outcome;
  vector: Outcome;
}

describe('programs of the openai package, the AI SDK and LangChain', () => {
  let upstream: RawUpstream;
  let running: ServiceWithUpstreams;
  let seen: Seen[];
  beforeAll(async () => {
    await installTools();
    // It knows no base64, for which two of the three ask.
    upstream = await RawUpstream.start((request) =>
      jsonReaction(
        request.path.endsWith('/embeddings')
          ? embeddingAnswer({ ...request, body: { ...request.body, encoding_format: 'float' } })
          : chatAnswer('plain', { texts: ['Good day.'] }),
      ),
    );
    const models = [{ id: 'plain' }];
    running = await ServiceWithUpstreams.start([{ name: 'main', base_url: upstream.baseUrl, models }]);
    const { owner, stranger } = await prepared();
    const printed = await runTool(
      'node',
      'programs/sdk-errors.mjs',
      `${running.url}/v1`,
      owner.key,
      stranger.key,
      'plain',
    );
    seen = printed
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Seen);
  });
  afterAll(async () => {
    expect(await running.faults()).toEqual([]);
    await running.stop();
    await upstream.stop();
  });

  async function prepared(): Promise<World> {
    const world = await World.create(running.service);
    await world.setBalanceUsd(world.stranger, '0.005');
    return world;
  }

  it('get answers and vectors without a bound of their own', () => {
    expect(seen.map(({ name, answered, vector }) => [name, answered.value, vector.value])).toEqual(
      ['openai', 'ai-sdk', 'langchain'].map((name) => [name, 'Good day.', 4]),
    );
  });

  it('are told what a call needs, and what the balance has room for', () => {
    for (const { poor } of seen) {
      expect(poor.error).toMatchObject({ code: 'insufficient_credits', type: 'insufficient_quota' });
      expect(poor.error?.message).toMatch(/This call needs up to 0\.01\d* USD; 0\.005 USD are available\./);
      expect([poor.error?.status, Number(poor.error?.required) > 0.01]).toEqual([402, true]);
      expect(Number(poor.error?.affordable)).toBeGreaterThan(200);
    }
  });

  it('are told that a key is not valid', () => {
    for (const { wrong } of seen) {
      expect(wrong.error).toMatchObject({ status: 401, code: 'invalid_api_key' });
      expect(wrong.error?.message).toMatch(/The access key is not valid\./);
    }
  });
});
