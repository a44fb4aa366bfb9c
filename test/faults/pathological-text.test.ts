import { pathologicalRequests, type PathologicalRequest } from '../support/api/pathological-requests';
import { TestService } from '../support/api/service';
import { WatchedService } from '../support/processes/watched-service';
import { depth, isDeepRun } from '../support/jest/depth';
import { createAccount, type TestAccount } from '../support/api/world';

/**
 * Of processor time: a turn counts for no more than the event loop's thread has worked in it, however long the clock has
 * run. The same work takes a thread longer where others share its core, so the tight bound needs a machine that does
 * nothing else.
 */
const TURN_MS_MAX = depth('TURN_MS_MAX', { short: 200, deep: 50 });
/** Collections of garbage and other processes take their share at random; what the service itself does, it does each time. */
const TRIES = 6;
/** What the document promises where too much text waits already; and where a call took too long, which is by the clock. */
const REFUSALS = isDeepRun ? [503] : [503, 504];

/** Every one of them, or one of several: an odd number of those, because streams and whole answers take turns. */
const ONE_OF_REQUESTS = depth('ONE_OF_REQUESTS', { short: 7, deep: 1 });
const REQUESTS = pathologicalRequests()
  .filter((_, index) => index % ONE_OF_REQUESTS === 0)
  .map((request) => ({ ...request, name: `${request.path}: ${request.title}` }));

describe('a service that gets pathological text', () => {
  let service: TestService;
  let watched: WatchedService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.start();
    account = await createAccount(service, { creditUsd: '100000' });
    watched = await WatchedService.start({
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
    });
    await warmUp();
  });
  afterAll(async () => {
    await watched.stop();
    await service.stop();
  });

  it.each(REQUESTS)('answers, and never holds the event loop for long: $name', async (request) => {
    let longestMs = Infinity;
    for (let tried = 0; tried < TRIES && longestMs > TURN_MS_MAX; tried += 1) {
      const tookMs = await watched.longestTurnMs(() => send(request));
      longestMs = Math.min(longestMs, tookMs);
    }
    expect(longestMs).toBeLessThanOrEqual(TURN_MS_MAX);
  });

  async function send({ path, json }: PathologicalRequest): Promise<void> {
    const response = await watched.post(path, json(), { 'x-api-key': account.key });
    const text = await response.text();
    const isAnswer = response.status < 500 || REFUSALS.includes(response.status);
    expect(isAnswer ? 'an answer' : `${response.status}: ${text}`).toBe('an answer');
  }

  /** The first calls compile validators and start threads, which a running service has done long since. */
  async function warmUp(): Promise<void> {
    const text = 'The library opens at nine. '.repeat(1_000);
    const bodies: [string, object][] = [
      ['/v1/chat/completions', { model: 'any', messages: [{ role: 'user', content: text }] }],
      ['/v1/completions', { model: 'any', prompt: text }],
      ['/v1/embeddings', { model: 'any', input: [text] }],
      ['/v1/responses', { model: 'any', input: text }],
      ['/api/hub/agents/chat', { model: 'any', messages: [{ role: 'user', content: text }] }],
      ['/api/hub/agents/generate', { model: 'any', prompt: text }],
    ];
    for (const [path, body] of [...bodies, ...bodies, ...bodies]) {
      const response = await watched.post(path, JSON.stringify(body), { 'x-api-key': account.key });
      expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    }
  }
});
