import {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
  UnprocessableEntityError,
} from 'openai';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { MODEL, sdkScene } from '../support/upstream/sdk-scene';
import { apiErrorOf } from '../support/upstream/service-with-upstreams';
import { chatAnswer, errorReaction, jsonReaction } from '../support/upstream/upstream-answers';

const CHAT = { model: MODEL, messages: [{ role: 'user' as const, content: 'Hello' }] };

describe('the openai package: errors', () => {
  const answer = () => jsonReaction(chatAnswer(MODEL));
  const scene = sdkScene(() => RawUpstream.start(answer));
  beforeEach(() => {
    scene.upstream.script = answer;
  });
  afterEach(async () => {
    const served = scene.upstream.calls.some(({ body }) => body?.user === scene.world.owner.id);
    expect(await scene.spentNanoUsd()).toBe(served ? await lastCharge() : 0n);
  });
  const lastCharge = async () => (await scene.running.lastReceipt(scene.world.owner)).chargedNanoUsd;

  it('throws AuthenticationError for a key that is not valid, and asks no upstream', async () => {
    const before = scene.upstream.calls.length;
    const client = scene.running.clientOf({ key: 'svc_test_wrong' });
    const error = await apiErrorOf(client.chat.completions.create(CHAT));
    expect(error).toBeInstanceOf(AuthenticationError);
    expect([error.status, error.code]).toEqual([401, 'invalid_api_key']);
    expect(scene.upstream.calls).toHaveLength(before);
  });

  it('throws APIError with status 402 for what the balance does not cover, and asks no upstream', async () => {
    await scene.world.setBalanceUsd(scene.world.stranger, '0.002');
    const before = scene.upstream.calls.length;
    const client = scene.running.clientOf(scene.world.stranger);
    const error = await apiErrorOf(client.chat.completions.create(CHAT));
    expect(error.constructor).toBe(APIError);
    expect([error.status, error.code]).toEqual([402, 'insufficient_credits']);
    expect(scene.upstream.calls).toHaveLength(before);
  });

  it('throws RateLimitError beyond the rate, and succeeds when it waits as long as Retry-After says', async () => {
    // Chats may use a fifth of the rate: one a second.
    await scene.world.setRates(scene.world.owner, { requests_per_second: 5 });
    const inRealTime = fetchThatMovesTheClock();
    const named = { ...CHAT, user: scene.world.owner.id };
    const impatient = scene.running.clientOf(scene.world.stranger, { fetch: inRealTime });
    expect(impatient.maxRetries).toBe(0);
    // For this one the clock stands still, however long a busy machine takes from one call to the next.
    const hasty = scene.running.clientOf(scene.world.owner);
    await hasty.chat.completions.create(named);
    const error = await apiErrorOf(hasty.chat.completions.create(named));
    expect(error).toBeInstanceOf(RateLimitError);
    expect([error.status, error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(error.headers?.get('retry-after')).toBe('1');

    await scene.world.setBalanceUsd(scene.world.owner, '10');
    const patient = scene.running.clientOf(scene.world.owner, { fetch: inRealTime, maxRetries: 1 });
    const startedAt = performance.now();
    const completion = await patient.chat.completions.create(named);
    expect(completion.object).toBe('chat.completion');
    expect(performance.now() - startedAt).toBeGreaterThan(900);
  });

  it.each([
    [400, BadRequestError],
    [404, NotFoundError],
    [422, UnprocessableEntityError],
  ])("throws what the upstream's %i is, in the upstream's own words", async (status, kind) => {
    scene.upstream.script = () => errorReaction(status, 'The upstream minds: é "quoted".');
    const error = await apiErrorOf(scene.client.chat.completions.create(CHAT));
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ status, code: `code_${status}`, type: 'upstream_error', param: null });
    expect(error.message).toBe(`${status} The upstream minds: é "quoted".`);
    expect(error.requestID).toEqual(expect.any(String));
  });

  it.each([
    [401, 502],
    [403, 502],
    [500, 503],
    [503, 503],
    [429, 503],
  ])(
    "throws InternalServerError for the upstream's %i, which is not the caller's fault",
    async (told, status) => {
      scene.upstream.script = () => errorReaction(told, 'secret detail', { headers: { 'retry-after': '7' } });
      const error = await apiErrorOf(scene.client.chat.completions.create(CHAT));
      expect(error).toBeInstanceOf(InternalServerError);
      expect(error.status).toBe(status);
      expect(JSON.stringify(error.error) + error.message).not.toContain('secret');
      expect(error.headers?.get('retry-after') ?? null).toBe(status === 503 ? '7' : null);
    },
  );

  it('throws InternalServerError for an upstream that resets the connection, and for one that is no model', async () => {
    // This one comes first, because it ends the row of outages of the tests before.
    scene.upstream.script = () => jsonReaction('<html>Welcome</html>');
    const garbage = await apiErrorOf(scene.client.chat.completions.create(CHAT));
    scene.upstream.script = () => ({ instead: 'reset' });
    const reset = await apiErrorOf(scene.client.chat.completions.create(CHAT));
    for (const error of [reset, garbage]) {
      expect(error).toBeInstanceOf(InternalServerError);
      expect([error.status, error.code]).toEqual([502, 'upstream_error']);
    }
  });

  /** The service's clock stands still unless it is moved; between these calls it goes with the real time. */
  function fetchThatMovesTheClock(): typeof fetch {
    let last: number | null = null;
    return (input, init) => {
      const now = performance.now();
      scene.running.service.clock.advance(now - (last ?? now));
      last = now;
      return fetch(input, init);
    };
  }
});
