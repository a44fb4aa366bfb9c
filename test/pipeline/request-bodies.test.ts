import { Readable } from 'node:stream';
import type { InjectOptions } from 'fastify';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';

const MEMORY = { method: 'POST', url: '/api/hub/memory' } as const;
const JSON_TYPE = { 'content-type': 'application/json' };
const MEBIBYTE = 1024 * 1024;

describe('the body of a request', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterAll(async () => service.stop());

  const send = (request: InjectOptions) => service.app.inject({ remoteAddress: world.ip, ...request });
  const withKey = (request: InjectOptions) =>
    send({ ...request, headers: { 'x-api-key': world.owner.key, ...request.headers } });

  const unreadable: [string, Record<string, string>, string, string][] = [
    ['malformed JSON', JSON_TYPE, '{"key":', 'is not valid JSON'],
    [
      'JSON that would set a prototype',
      JSON_TYPE,
      '{"key":"k","value":"v","__proto__":{}}',
      'has a member __proto__, which is not allowed: a program could take it for the prototype of its object',
    ],
  ];
  const otherTypes: [string, Record<string, string>, string | Buffer][] = [
    ['another type', { 'content-type': 'text/plain' }, '{"key":"k","value":"v"}'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'key=k&value=v'],
    ['a type akin to JSON', { 'content-type': 'application/x+json' }, '{"key":"k"}'],
    ['no type', {}, Buffer.from('{"key":"k","value":"v"}')],
    ['a type that is none', { 'content-type': 'nonsense' }, '{"key":"k","value":"v"}'],
  ];

  it.each(otherTypes)('%s is 415, free of charge', async (_, headers, payload) => {
    const answer = await withKey({ ...MEMORY, headers, payload });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      415,
      { message: 'The body must be application/json.' },
    ]);
    await expectNothingDone();
  });

  it.each(unreadable)('%s is 401 for a stranger, who learns nothing more', async (_, headers, payload) => {
    const answer = await send({ ...MEMORY, headers, payload });
    expect([answer.statusCode, answer.json()]).toMatchObject([401, { error: 'Missing API key' }]);
  });

  it.each(unreadable)(
    '%s is 400 for the holder of a key, free of charge',
    async (_, headers, payload, message) => {
      const answer = await withKey({ ...MEMORY, headers, payload });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({
        error: 'Validation error',
        details: [{ field: 'body', message }],
      });
      await expectNothingDone();
    },
  );

  it.each([
    ['no body', JSON_TYPE, undefined],
    ['null', JSON_TYPE, 'null'],
    ['a list', JSON_TYPE, '[{"key":"k","value":"v"}]'],
    ['a text', JSON_TYPE, '"key"'],
  ])('refuses %s with 400, free of charge', async (_, headers, payload) => {
    const answer = await withKey({ ...MEMORY, headers, payload });
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { error: 'Validation error' }]);
    await expectNothingDone();
  });

  it('accepts a charset beside the type', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expect((await withKey({ ...MEMORY, headers, payload: '{"key":"k","value":"v"}' })).statusCode).toBe(201);
  });

  it.each([
    ['announced', {}, (text: string) => text],
    [
      'sent in pieces, unannounced',
      { 'transfer-encoding': 'chunked' },
      (text: string) => Readable.from(text.match(/.{1,65536}/gs) ?? []),
    ],
  ])('refuses a body of more than 8 MiB that is %s, free of charge', async (_, framing, body) => {
    const payload = body(memoryOf(8 * MEBIBYTE + 1));
    const answer = await withKey({ ...MEMORY, headers: { ...JSON_TYPE, ...framing }, payload });
    expect(answer.statusCode).toBe(413);
    expect(answer.json()).toEqual({
      error: 'Payload Too Large',
      message: 'The body is too large: this operation takes at most 8 MiB.',
      request_id: answer.headers['x-request-id'],
      timestamp: service.clock.now().toISOString(),
    });
    await expectNothingDone();
  });

  it('reads a body of 8 MiB', async () => {
    const answer = await withKey({ ...MEMORY, headers: JSON_TYPE, payload: memoryOf(8 * MEBIBYTE) });
    expect(answer.json()).toMatchObject({ details: [{ field: 'value' }] });
  });

  async function expectNothingDone(): Promise<void> {
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    const [row]: { count: string }[] = await service.database.query(
      'SELECT count(*) FROM memories WHERE account_id = $1',
      [world.owner.id],
    );
    expect(row?.count).toBe('0');
  }
});

/** A memory whose JSON has exactly this many bytes. */
function memoryOf(bytes: number): string {
  const empty = JSON.stringify({ key: 'k', value: '' }).length;
  return JSON.stringify({ key: 'k', value: 'x'.repeat(bytes - empty) });
}
