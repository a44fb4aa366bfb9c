import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { ApiClient, WAITS, type Waits } from './api-client';
import { EXIT } from './failures';

const KEY = 'the-key-of-this-test';
const TRIED_ON_MS = 100;
const SHORT: Waits = {
  answerMs: 10_000,
  betweenTriesMs: 1,
  betweenTriesMsMax: 5,
  triedOnMs: () => TRIED_ON_MS,
};
const CREDIT = { body: { user_id: 'u', amount_usd: 5, reason: 'r' }, idempotencyKey: KEY };

describe('a change whose answer got lost', () => {
  let server: Server;
  let tries = 0;
  let keys: unknown[] = [];
  let errors: PassThrough & { isTTY?: boolean };
  let clientOf: (answer: (response: ServerResponse, attempt: number) => void, waits?: Waits) => ApiClient;

  beforeEach(async () => {
    [tries, keys, errors] = [0, [], new PassThrough()];
    let listener: RequestListener = () => undefined;
    server = createServer((request, response) => {
      tries += 1;
      keys.push(request.headers['idempotency-key']);
      request.resume();
      listener(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    clientOf = (answer, waits = SHORT) => {
      listener = (_, response) => answer(response, tries);
      return new ApiClient(url, { errors, input: new PassThrough(), output: new PassThrough() }, waits);
    };
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const written = (): string => {
    const part = errors.read() as Buffer | null;
    return part === null ? '' : String(part) + written();
  };
  const failure = (client: ApiClient) => client.call('addCredits', CREDIT).catch((error: unknown) => error);
  const unknown = (reason: string) => ({
    exitCode: EXIT.unavailable,
    message: expect.stringMatching(
      new RegExp(`${reason}[^]*not known[^]*--idempotency-key ${KEY}`),
    ) as string,
  });

  it('names the key where an earlier try holds it to the end, and does not take that for a refusal', async () => {
    const startedMs = performance.now();
    expect(await failure(clientOf(running))).toMatchObject(unknown('409 Conflict'));
    expect(tries).toBeGreaterThanOrEqual(4);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(TRIED_ON_MS);
    expect(new Set(keys)).toEqual(new Set([KEY]));
  });

  it('gets the answer when the lease of the earlier try is over', async () => {
    const client = clientOf(
      (response, attempt) => (attempt < 8 ? running(response) : json(response, 201, { id: 'credited' })),
      { ...SHORT, triedOnMs: () => 30_000 },
    );
    expect(await client.call('addCredits', CREDIT)).toEqual({ id: 'credited' });
    expect(written()).toBe(
      `no answer, trying again for 30 s; if that is broken off, repeat it with --idempotency-key ${KEY}\n`,
    );
  });

  it('says at a terminal for how long it has been trying', async () => {
    errors.isTTY = true;
    await failure(clientOf(running));
    expect(written()).toMatch(/\r\u001b\[Kno answer for \d+ s/);
  });

  it('tries longer than a replica that was killed holds the key', () => {
    expect(WAITS.triedOnMs('write')).toBeGreaterThan(20_000);
  });

  it.each([502, 503, 504])('names the key where a proxy answers %d throughout', async (status) => {
    const page = (response: ServerResponse) => response.writeHead(status).end('<html>Bad gateway</html>');
    expect(await failure(clientOf(page))).toMatchObject(unknown(`answered ${status}, but no JSON`));
    expect(tries).toBeGreaterThanOrEqual(4);
  });

  it.each([
    ['no', (response: ServerResponse) => response.writeHead(201).end()],
    ['half a', (response: ServerResponse) => response.writeHead(201).end('{"id": "cred')],
    ['a page for a', (response: ServerResponse) => response.writeHead(403).end('<html>Who are you?</html>')],
    ['the failed service for a', (response: ServerResponse) => json(response, 500, { error: 'Internal' })],
  ])('names the key where %s body arrives', async (_, answer) => {
    expect(await failure(clientOf(answer))).toMatchObject(unknown(''));
  });

  it('names the key where the body breaks off, or never ends', async () => {
    const begin = (response: ServerResponse) =>
      response.writeHead(201, { 'content-length': '100' }).write('{"id":');
    const broken = clientOf((response) => {
      begin(response);
      setImmediate(() => response.destroy());
    });
    expect(await failure(broken)).toMatchObject(unknown('gave no answer'));
    const endless = clientOf(begin, { ...SHORT, answerMs: 30 });
    expect(await failure(endless)).toMatchObject(unknown('gave no answer'));
  });

  it('names the key where a try got lost and the next one is refused before the key is looked at', async () => {
    const client = clientOf((response, attempt) =>
      attempt === 1 ? response.destroy() : json(response, 401, { error: 'Invalid token', message: 'No.' }),
    );
    expect(await failure(client)).toMatchObject({ ...unknown('401'), exitCode: EXIT.credentials });
  });

  it('does not name it where the first try was refused', async () => {
    const refused = clientOf((response) => json(response, 409, { error: 'Conflict', message: 'Decided.' }));
    expect(await failure(refused)).toMatchObject({
      message: '409 Conflict: Decided.',
      exitCode: EXIT.refused,
    });
    expect(tries).toBe(1);
  });

  it('never sends a POST without a key again, and fails in plain words', async () => {
    const client = clientOf((response) => response.writeHead(200).end('{"tok'));
    const body = { email: 'a@example.com', password: 'p' };
    await expect(client.call('login', { body })).rejects.toMatchObject({
      exitCode: EXIT.unavailable,
      message: expect.not.stringContaining('idempotency') as string,
    });
    expect(tries).toBe(1);
  });
});

function running(response: ServerResponse): void {
  response.setHeader('retry-after', '0');
  json(response, 409, {
    error: 'Conflict',
    message: 'A call with this Idempotency-Key is still running.',
  });
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
