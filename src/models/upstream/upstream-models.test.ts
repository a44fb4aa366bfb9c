import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { TURNS_IN_100_MS, turnsDuring } from '../../../test/support/event-loop-turns';
import { until } from '../../../test/support/until';
import { RawUpstream } from '../../../test/support/upstream/raw-upstream';
import { errorReaction, jsonReaction } from '../../../test/support/upstream/upstream-answers';
import type { UpstreamModel } from '../../config/upstream-settings';
import { UpstreamFailure } from '../errors';
import { UpstreamProvider } from './upstream-provider';

const LIST = {
  data: [{ id: 'chat-1', created: 7 }, { id: 'text-Embedding', created: 'x' }, { id: 'a\nb' }, 5],
};

describe('the models of an upstream', () => {
  let upstream: RawUpstream;
  const providers: UpstreamProvider[] = [];
  beforeEach(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    upstream = await RawUpstream.start(() => jsonReaction(LIST));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(providers.splice(0).map((provider) => provider.close()));
    await upstream.stop();
  });

  function provider(options: { freshMs?: number; holdOffMs?: number } = {}, models?: UpstreamModel[]) {
    const times = { connectTimeoutMs: 1000, firstByteTimeoutMs: 1000, totalTimeoutMs: 1000 };
    const settings = {
      name: 'one',
      baseUrl: upstream.baseUrl,
      apiKey: null,
      models: models ?? null,
      ...times,
    };
    const made = new UpstreamProvider(settings, options);
    providers.push(made);
    return made;
  }

  it.each([
    ['an outage', errorReaction(500, 'x')],
    ['no such path', errorReaction(404, 'x')],
    ['429', errorReaction(429, 'x')],
    ['what is no list', jsonReaction('{"models":[]}')],
    ['a reset', { instead: 'reset' as const }],
  ])('fails with UpstreamFailure for %s, and asks again only after a while', async (_, reaction) => {
    upstream.script = () => reaction;
    const one = provider({ holdOffMs: 60_000 });
    await expect(one.models()).rejects.toBeInstanceOf(UpstreamFailure);
    await expect(one.models()).rejects.toBeInstanceOf(UpstreamFailure);
    expect([upstream.requests.length, one.fault]).toEqual([1, 'It does not list its models.']);
    upstream.script = () => jsonReaction(LIST);
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    // A call waits for the new list for 200 ms only.
    await until('they are listed', async () => (await one.models().catch(() => [])).length === 2);
    expect([upstream.requests.length, one.fault]).toEqual([2, null]);
  });

  it('holds no call up again for a list that failed just now', async () => {
    upstream.script = () => ({ instead: 'reset' as const });
    const one = provider({ holdOffMs: 0 });
    await expect(one.models()).rejects.toBeInstanceOf(UpstreamFailure);
    upstream.script = () => ({ instead: 'silence' as const });
    const turns = await turnsDuring(async () => {
      await expect(one.models()).rejects.toBeInstanceOf(UpstreamFailure);
      await expect(one.models()).rejects.toBeInstanceOf(UpstreamFailure);
    });
    expect(turns).toBeLessThan(5 * TURNS_IN_100_MS);
    await until('it was asked again', () => upstream.requests.length === 2);
  });

  it('asks once for many callers, and takes what can be used', async () => {
    const one = provider();
    const [models] = await Promise.all([one.models(), one.models(), one.models()]);
    expect(upstream.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/models']);
    expect(models).toMatchObject([
      { id: 'chat-1', created: 7, ownedBy: 'one', defaultFor: ['chat', 'complete'] },
      { id: 'text-Embedding', created: 1_763_683_200, defaultFor: ['embed'] },
    ]);
  });

  it('refreshes in the background and keeps the old list when that fails', async () => {
    const one = provider({ freshMs: 30, holdOffMs: 30 });
    await one.models();
    await delay(40);
    upstream.script = () => errorReaction(500, 'x');
    expect(await one.models()).toHaveLength(2);
    await until('it was asked again', () => upstream.requests.length === 2);
    await delay(50);
    upstream.script = () => jsonReaction({ data: [{ id: 'new' }] });
    await until('the new list is there', async () => (await one.models())[0]?.id === 'new');
  });

  it('are those of the settings where they name some, and nobody is asked', async () => {
    const prices = { inputPricePerTokenUsd: null, outputPricePerTokenUsd: null };
    const models = await provider({}, [{ id: 'm', aliases: ['n'], ...prices }]).models();
    expect(models).toMatchObject([{ id: 'm', aliases: ['n'], operations: ['chat', 'complete', 'embed'] }]);
    expect(upstream.requests).toEqual([]);
  });
});
