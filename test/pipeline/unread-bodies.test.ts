import type { Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { newId } from '../../src/runtime/ids';
import type { BodyBudget } from '../../src/http/request-body';
import { CallsInFlight } from '../../src/pipeline/calls-in-flight';
import { RawConnection } from '../support/api/raw-connection';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { until } from '../support/until';
import { Ledger } from '../../src/ledger/ledger';

const MEMORY = '/api/hub/memory';
/** Takes bodies of up to 1 MiB. */
const EMBEDDINGS = '/v1/embeddings';
/** Takes bodies of up to 16 MiB. */
const ANALYZE = '/api/omm/analyze';
const CHAT = '/v1/chat/completions';
const PACKED_CHAT = gzipSync(
  '{"model":"embedded-extractive-1","messages":[{"role":"user","content":"Is it built? It is built."}]}',
);
const MEBIBYTE = 1024 * 1024;
const BODY = '{"key":"k","value":"v"}';
const ANONYMOUS_A_MINUTE = 20;
const DAY_MS = 86_400_000;

describe('the body of a request that is refused', () => {
  let service: TestService;
  let world: World;
  const open: RawConnection[] = [];
  beforeAll(async () => {
    service = await TestService.start({ V1_BODY_BYTES_MAX: String(MEBIBYTE) });
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(() => jest.restoreAllMocks());
  afterEach(() => open.splice(0).forEach((connection) => connection.close()));
  afterAll(async () => service.stop());

  async function connection(address?: string): Promise<RawConnection> {
    const opened = await RawConnection.open(service, address);
    open.push(opened);
    return opened;
  }

  /** A request whose body is announced and not sent. */
  const announced = (bytes: number, headers: Record<string, string> = {}) => ({
    'content-type': 'application/json',
    'content-length': bytes,
    ...headers,
  });
  const withKey = () => ({ 'x-api-key': world.owner.key });

  async function spendAddress(address: string): Promise<void> {
    for (let count = 0; count < ANONYMOUS_A_MINUTE; count += 1) {
      await service.call('listModels', { ip: address });
    }
  }

  describe('is not waited for', () => {
    it('by 401', async () => {
      const client = await connection();
      client.sendHead('POST', MEMORY, announced(MEBIBYTE));
      expect(await client.answer()).toMatchObject({ status: 401 });
    });

    it('by 429, of an address and of a key', async () => {
      const client = await connection();
      await spendAddress(client.address);
      client.sendHead('POST', MEMORY, announced(MEBIBYTE));
      expect(await client.answer()).toMatchObject({ status: 429 });
      await world.setRates(world.owner, { requests_per_minute: 1 });
      await service.call('listModels', { credential: world.owner.key });
      const holder = await connection();
      holder.sendHead('POST', MEMORY, announced(MEBIBYTE, withKey()));
      expect(await holder.answer()).toMatchObject({ status: 429 });
    });

    it('by 403', async () => {
      const client = await connection();
      const authorization = `Bearer ${world.owner.token}`;
      client.sendHead('PUT', `/api/admin/users/${world.owner.id}`, announced(1000, { authorization }));
      expect(await client.answer()).toMatchObject({ status: 403 });
    });

    it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
      'by 404, where %s goes to an unknown path',
      async (method) => {
        const client = await connection();
        client.sendHead(method, '/api/unknown', announced(MEBIBYTE));
        expect(await client.answer()).toMatchObject({ status: 404 });
      },
    );

    it('by 413, nor by 415 for its type', async () => {
      for (const [headers, status] of [
        [announced(MEBIBYTE + 1, withKey()), 413],
        [announced(1000, { ...withKey(), 'content-type': 'text/plain' }), 415],
        [announced(1000, { ...withKey(), 'content-type': 'nonsense' }), 415],
        [announced(1000, { ...withKey(), 'content-encoding': 'compress' }), 415],
      ] as const) {
        const client = await connection();
        client.sendHead('POST', EMBEDDINGS, headers);
        expect(await client.answer()).toMatchObject({ status });
      }
    });

    it('by 413 of an operation for strangers, which takes no more than its fields can need', async () => {
      const client = await connection();
      client.sendHead('POST', '/api/auth/login', announced(8 * 1024 + 1));
      const answer = await client.answer();
      expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
        413,
        { message: 'The body is too large: this operation takes at most 8 KiB.' },
      ]);
    });

    it('by 503, where the bodies of its account take their room, free of charge', async () => {
      // One account has a quarter of it: two bodies of 16 MiB, which take three times their bytes until they are read.
      jest.replaceProperty(budget(), 'bytesMax', 400 * MEBIBYTE);
      const sendLarge = async (bytes: number, key: string) => {
        const client = await connection();
        client.sendHead('POST', ANALYZE, announced(bytes, { 'x-api-key': key }));
        return client;
      };
      const slow = [
        await sendLarge(16 * MEBIBYTE, world.owner.key),
        await sendLarge(16 * MEBIBYTE, world.owner.key),
      ];
      await until('they have room', () => Promise.resolve(budget().bytes === 96 * MEBIBYTE));
      const refused = await (await sendLarge(2 * MEBIBYTE, world.owner.key)).answer();
      expect([refused.status, refused.headers['retry-after'], JSON.parse(refused.body)]).toMatchObject([
        503,
        '1',
        { message: 'The body cannot be taken while so many others are held; send it again.' },
      ]);
      const body = { inputs: [{ type: 'text', content: 'The harbour is closed.' }] };
      const small = await service.call('analyzeInputs', { credential: world.owner.key, body });
      expect(small.status).toBe(200);
      expect(await world.balanceNanoUsd()).toBe(
        10_000_000_000n - BigInt(Math.round(small.body.metadata.cost * 1e9)),
      );
      slow.push(await sendLarge(16 * MEBIBYTE, world.stranger.key));
      await until('another account has room', () => Promise.resolve(budget().bytes === 144 * MEBIBYTE));
      slow.forEach((client) => client.close());
      await until('it is given back', () => Promise.resolve(budget().bytes === 0));
    });

    it('by 503, where the bodies of its address take their room, which those of other addresses do not', async () => {
      // One address has a part in 64 of it: two bodies of 8 KiB.
      jest.replaceProperty(budget(), 'bytesMax', 64 * 3 * 16 * 1024);
      const address = (await connection()).address;
      const login = async (from?: string) => {
        const client = await connection(from);
        client.sendHead('POST', '/api/auth/login', announced(8 * 1024));
        return client;
      };
      const slow = [await login(address), await login(address)];
      await until('they have room', () => Promise.resolve(budget().bytes === 3 * 16 * 1024));
      expect(await (await login(address)).answer()).toMatchObject({ status: 503 });
      slow.push(await login());
      await until('another address has room', () => Promise.resolve(budget().bytes === 3 * 24 * 1024));
      slow.forEach((client) => client.close());
      await until('it is given back', () => Promise.resolve(budget().bytes === 0));
    });

    it('by an operation that takes none', async () => {
      const client = await connection();
      client.sendHead('POST', `/api/keys/${world.owner.keyId}/revoke`, {
        ...announced(1000),
        authorization: `Bearer ${world.owner.token}`,
      });
      expect((await client.answer()).status).toBeLessThan(300);
    });
  });

  describe('where it is too large or of no type', () => {
    it.each([
      ['too large', announced(MEBIBYTE + 1)],
      ['of a type that is none', announced(1000, { 'content-type': 'nonsense' })],
    ])('%s comes after 401 and 429', async (_, headers) => {
      const client = await connection();
      client.sendHead('POST', EMBEDDINGS, headers);
      expect(await client.answer()).toMatchObject({ status: 401 });
      await spendAddress(client.address);
      const again = await connection(client.address);
      again.sendHead('POST', EMBEDDINGS, headers);
      expect(await again.answer()).toMatchObject({ status: 429 });
    });

    it('counts as any other call', async () => {
      // Writes have half of it.
      await world.setRates(world.owner, { requests_per_minute: 8 });
      const statuses: number[] = [];
      for (const headers of [announced(8 * MEBIBYTE + 1), announced(1000, { 'content-type': 'nonsense' })]) {
        for (let count = 0; count < 2; count += 1) {
          const client = await connection();
          client.sendHead('POST', MEMORY, { ...headers, ...withKey() });
          statuses.push((await client.answer()).status);
        }
      }
      expect(statuses).toEqual([413, 413, 415, 415]);
      const next = { credential: world.owner.key, body: { key: 'k', value: 'v' } };
      expect((await service.call('createMemory', next)).status).toBe(429);
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    });
  });

  describe('leaves its connection', () => {
    it('ready for the next request where little was unread', async () => {
      const client = await connection();
      client.sendHead('POST', MEMORY, announced(10_000));
      client.send(`"${'x'.repeat(9_998)}"`);
      expect(await client.answer()).toMatchObject({ status: 401 });
      client.sendHead('POST', MEMORY, announced(BODY.length, withKey()));
      client.send(BODY);
      expect(await client.answer()).toMatchObject({ status: 201 });
    });

    const chunk = (part: string) => `${part.length.toString(16)}\r\n${part}\r\n`;
    const chunked = { 'transfer-encoding': 'chunked' };
    it.each([
      ['of a length that is too much', 401, () => announced(1024 * MEBIBYTE), (part: string) => part],
      ['without an end', 401, () => chunked, chunk],
      ['that becomes too large', 413, () => ({ ...chunked, ...withKey() }), chunk],
    ])(
      'closed, and a client that still sends can read the answer: a body %s',
      async (_, status, head, framed) => {
        const client = await connection();
        client.sendHead('POST', EMBEDDINGS, { 'content-type': 'application/json', ...head() });
        const part = framed('x'.repeat(65_536));
        // A client that reads only once it has sent a part of its body.
        client.socket.pause();
        for (let parts = 0; parts < 20; parts += 1) {
          client.send(part);
        }
        await until('they are sent', () => Promise.resolve(client.socket.writableLength === 0));
        client.socket.resume();
        const answer = await client.answer();
        expect([answer.status, answer.headers.connection]).toEqual([status, 'close']);
        let isOpen = true;
        void client.closed.then(() => (isOpen = false));
        let sent = 0;
        await until('the connection is closed', () => {
          while (client.socket.writable && client.socket.writableLength < part.length) {
            client.send(part);
            sent += part.length;
          }
          return Promise.resolve(!isOpen);
        });
        expect(sent).toBeLessThan(1024 * MEBIBYTE);
      },
    );
  });

  describe('that is not', () => {
    it('may come late: until then nothing is reserved, claimed or held', async () => {
      const client = await connection();
      const key = { ...withKey(), 'idempotency-key': newId() };
      client.sendHead('POST', MEMORY, announced(BODY.length, key));
      client.send(BODY.slice(0, 5));
      await until('the call has begun', () => Promise.resolve(callsInFlight() === 1));
      expect(await held()).toEqual([0, 0]);
      client.send(BODY.slice(5));
      expect(await client.answer()).toMatchObject({ status: 201 });
      expect(10_000_000_000n - (await world.balanceNanoUsd())).toBe(100_000n);
    });

    it('holds its Idempotency-Key as long as any other call, however late it came', async () => {
      const client = await connection();
      client.sendHead('POST', MEMORY, announced(BODY.length, { ...withKey(), 'idempotency-key': newId() }));
      await until('the call has begun', () => Promise.resolve(callsInFlight() === 1));
      service.clock.advance(25_000);
      client.send(BODY);
      expect(await client.answer()).toMatchObject({ status: 201 });
      const [row]: { expires_at: Date }[] = await service.database.query(
        'SELECT expires_at FROM idempotency_claims WHERE account_id = $1',
        [world.owner.id],
      );
      expect(row?.expires_at.getTime()).toBe(service.clock.now().getTime() + DAY_MS);
    });

    it('ends the call when its client leaves in the middle, free of charge', async () => {
      const client = await connection();
      client.sendHead('POST', MEMORY, announced(1000, withKey()));
      client.send('{"key":');
      await until('the call has begun', () => Promise.resolve(callsInFlight() === 1));
      client.close();
      await until('the call has ended', () => Promise.resolve(callsInFlight() === 0));
      expect(await held()).toEqual([0, 0]);
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    });

    it('takes room as it arrives where its length is not announced, and gives it back when its call has ended', async () => {
      const client = await connection();
      client.sendHead('POST', ANALYZE, {
        'content-type': 'application/json',
        'transfer-encoding': 'chunked',
        ...withKey(),
      });
      const text = JSON.stringify({ inputs: [{ type: 'text', content: 'x'.repeat(2 * MEBIBYTE) }] });
      client.send(`${text.length.toString(16)}\r\n${text.slice(0, MEBIBYTE)}`);
      await until('it has room', () => Promise.resolve(budget().bytes > 3 * MEBIBYTE));
      expect(budget().bytes).toBeLessThan(4 * MEBIBYTE);
      client.send(`${text.slice(MEBIBYTE)}\r\n0\r\n\r\n`);
      expect(await client.answer()).toMatchObject({ status: 422 });
      await until('it is given back', () => Promise.resolve(budget().bytes === 0));
    });

    it('is refused as soon as it has too much of anything, and is not read on', async () => {
      const client = await connection();
      client.sendHead('POST', ANALYZE, announced(16 * MEBIBYTE, withKey()));
      client.send(`{"inputs":[${'{},'.repeat(30_000)}`);
      const answer = await client.answer();
      expect([answer.status, answer.headers.connection, JSON.parse(answer.body)]).toMatchObject([
        400,
        'close',
        { details: [{ field: 'body', message: 'must not have more than 30000 objects and lists' }] },
      ]);
      await until('its room is given back', () => Promise.resolve(budget().bytes === 0));
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    });

    it('has 30 seconds', () => {
      const { requestTimeout, headersTimeout }: Server = service.app.getHttpServer();
      // Node takes the larger of the two for the whole request.
      expect(Math.max(requestTimeout, headersTimeout)).toBe(30_000);
    });

    it.each([
      ['in time', MEMORY, Buffer.from(BODY), 5, {}],
      ['before the answer', MEMORY, Buffer.from(BODY), BODY.length, {}],
      [
        'before the answer, compressed',
        CHAT,
        PACKED_CHAT,
        PACKED_CHAT.length,
        { 'content-encoding': 'gzip' },
      ],
    ])(
      'is answered with 408 where it does not arrive %s, free of charge',
      async (_, path, body, end, more) => {
        const server: Server = service.app.getHttpServer();
        const { requestTimeout, headersTimeout } = server;
        Object.assign(server, { requestTimeout: 100, headersTimeout: 100 });
        try {
          const client = await connection();
          client.socket.allowHalfOpen = end === body.length;
          client.sendHead('POST', path, announced(body.length, { ...withKey(), ...more }));
          client.send(body.subarray(0, 5));
          const answer = await client.answer();
          expect([answer.status, answer.headers.connection]).toEqual([408, 'close']);
          client.send(body.subarray(5, end));
          await until('the call has ended', () => Promise.resolve(callsInFlight() === 0));
          expect(await held()).toEqual([0, 0]);
          expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
        } finally {
          Object.assign(server, { requestTimeout, headersTimeout });
        }
      },
    );

    it('is asked for by 100 only once its caller is known', async () => {
      const stranger = await connection();
      stranger.sendHead('POST', MEMORY, announced(BODY.length, { expect: '100-continue' }));
      expect(await stranger.answer()).toMatchObject({ status: 401 });
      const client = await connection();
      client.sendHead('POST', MEMORY, announced(BODY.length, { ...withKey(), expect: '100-continue' }));
      expect(await client.answer()).toMatchObject({ status: 100 });
      client.send(BODY);
      expect(await client.answer()).toMatchObject({ status: 201 });
    });
  });

  function budget(): BodyBudget {
    return service.app.getHttpAdapter().getInstance().bodyBudget;
  }

  function callsInFlight(): number {
    const inFlight: object = service.app.get(CallsInFlight);
    return (inFlight as { calls: Set<unknown> }).calls.size;
  }

  /** How many reservations and claims there are. */
  async function held(): Promise<number[]> {
    await service.app.get(Ledger).show(null);
    const [row]: { reservations: string; claims: string }[] = await service.database.query(
      `SELECT (SELECT count(*) FROM reservations) AS reservations,
         (SELECT count(*) FROM idempotency_claims WHERE account_id = $1) AS claims`,
      [world.owner.id],
    );
    return [Number(row?.reservations), Number(row?.claims)];
  }
});
