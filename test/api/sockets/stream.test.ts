import { AccessKeys } from '../../../src/accounts/access-keys';
import { Accounts } from '../../../src/accounts/accounts';
import { UnsentBytes } from '../../../src/http/http-server';
import { LockStep } from '../../support/ledger/lock-step';
import { RawUpstream } from '../../support/upstream/raw-upstream';
import { MODEL, sdkScene } from '../../support/upstream/sdk-scene';
import { dataEvent, streamReaction } from '../../support/upstream/upstream-answers';
import { callAs } from '../../support/api/call-as';
import { runGuideProgram } from '../../support/sockets/guide-program';
import { SocketClient, type SocketAnswer } from '../../support/sockets/socket-client';
import { until } from '../../support/until';
import { openReservations } from '../../support/ledger/open-reservations';

// The guide's program goes on listening.
const AFTER_PROGRAM = `
  socket.addEventListener('message', ({ data }) => /"type":"(done|error)"/.test(data) && socket.close());`;
const WORDS = ['Three', ' months', ',', ' unless', ' both', ' agree', '.'];
/** At a ping the credentials are looked at again, which must not be what closes a socket. */
const BEFORE_THE_NEXT_PING_MS = 10_000;
const EMBEDDED = 'embedded-extractive-1';

describe('/api/ws/stream', () => {
  let lockStep: LockStep | null = null;
  const scene = sdkScene(() =>
    RawUpstream.start(() => streamReaction(chunks(), lockStep ? { lockStep } : {})),
  );
  const open: SocketClient[] = [];
  const url = (token?: string, path = '/api/ws/stream') =>
    `${scene.running.url}${path}${token === undefined ? '' : `?token=${token}`}`;
  const connect = async (token = scene.world.owner.key) => {
    const client = await SocketClient.open(url(token));
    open.push(client);
    return client;
  };
  beforeEach(() => {
    lockStep = null;
  });
  afterEach(() => open.splice(0).forEach(({ webSocket }) => webSocket.terminate()));

  describe('refuses with an error', () => {
    it.each([
      ['no JSON', '{', null],
      ['no object', '[1]', null],
      ['an unknown action', { action: 'shout', id: 'x' }, 'x'],
      ['no action', { id: 'x' }, 'x'],
      ['no operation', { action: 'generate', id: 'x', payload: {} }, 'x'],
      [
        'a payload that is no object',
        { action: 'generate', id: 'x', operation: 'createChatCompletion', payload: 1 },
        'x',
      ],
      ['a member of its own', { action: 'cancel', id: 'x', force: true }, 'x'],
      ['an id that is too long', { action: 'cancel', id: 'x'.repeat(65) }, null],
      [
        'a member that a program could take for a prototype',
        JSON.stringify(generate('x')).replace('"payload":{', '"payload":{"__proto__":{},'),
        'x',
      ],
    ])('a frame with %s, and goes on', async (_, frame, id) => {
      const client = await connect();
      client.send(frame);
      const answer = await client.answer({ type: 'error' });
      expect(answer).toMatchObject({ id, status: 400, error: 'Validation error' });
      client.send({ action: 'cancel', id: 'next' });
      expect(await client.answer({ type: 'error', id: 'next' })).toMatchObject({ status: 404 });
    });

    it('what the pipeline refuses, free of charge and without a start', async () => {
      const client = await connect();
      client.send(generate('unknown', { operation: 'createNothing' }));
      client.send(generate('unstreamed', { operation: 'createMemory' }));
      client.send(generate('fault', { payload: { model: MODEL, messages: [] } }));
      expect(await client.answer({ id: 'unknown' })).toMatchObject({ type: 'error', status: 404 });
      expect(await client.answer({ id: 'unstreamed' })).toMatchObject({ type: 'error', status: 422 });
      expect(await client.answer({ id: 'fault' })).toMatchObject({
        type: 'error',
        status: 400,
        details: [expect.objectContaining({ field: 'messages' })],
      });
      await scene.world.setBalanceUsd(scene.world.owner, '0.000001');
      client.send(generate('poor'));
      expect(await client.answer({ id: 'poor' })).toMatchObject({
        type: 'error',
        status: 402,
        error: 'Insufficient credits',
        required: expect.any(Number) as number,
      });
      expect(client.of('start')).toEqual([]);
    });

    it('calls of a kind of credential that the operation does not take', async () => {
      const client = await connect(scene.world.owner.token);
      client.send(generate('jwt'));
      expect(await client.answer({ id: 'jwt' })).toMatchObject({
        status: 401,
        error: 'Invalid API key',
        message: 'This operation takes an access key (svc_…) and no account token.',
      });
      expect(client.webSocket.readyState).toBe(client.webSocket.OPEN);
    });

    it('a call while too much of what its account was told is unread, free of charge, and nobody else', async () => {
      const unsent = scene.running.service.app.get(UnsentBytes);
      const { owner, stranger } = scene.world;
      const [client, other] = [await connect(), await connect(stranger.key)];
      const end = fillAccount(unsent, owner.id);
      client.send(generate('full'));
      const refused = await client.answer({ id: 'full' });
      other.send(generate('other'));
      await other.answer({ type: 'done', id: 'other' });
      end();
      expect(refused).toMatchObject({ type: 'error', status: 503, retry_after: 1 });
      expect(refused.message).toMatch(/unread/);
      expect(await scene.spentNanoUsd()).toBe(0n);
      client.send(generate('again'));
      await client.answer({ type: 'done', id: 'again' });
    });

    it('an id that is under way, and a ninth call at once', async () => {
      lockStep = new LockStep();
      const client = await connect();
      for (let call = 0; call < 8; call += 1) {
        client.send(generate(`c${call}`));
      }
      client.send(generate('c0'));
      client.send(generate('ninth'));
      expect(await client.answer({ type: 'error', id: 'c0' })).toMatchObject({ status: 409 });
      expect(await client.answer({ type: 'error', id: 'ninth' })).toMatchObject({
        status: 429,
        retry_after: 1,
      });
      await client.leave();
      await settled();
    });
  });

  describe('closes', () => {
    it('for a frame that is too large, or that is no text', async () => {
      const [large, binary] = [await connect(), await connect()];
      large.send(JSON.stringify({ action: 'cancel', id: 'x', text: 'x'.repeat(64 * 1024) }));
      binary.webSocket.send(Buffer.from('{}'));
      expect(await large.closed()).toBe(1009);
      expect(await binary.closed()).toBe(1003);
    });

    it('for too many messages, after telling', async () => {
      const client = await connect();
      for (let message = 0; message < 400; message += 1) {
        client.send({ action: 'cancel', id: `m${message}` });
      }
      expect(await client.closed()).toBe(4429);
      expect(client.answers.some(({ status }) => status === 429)).toBe(true);
    });

    it.each([
      [
        'a key that is revoked',
        async () => {
          const { id, keyId } = scene.world.owner;
          await scene.running.service.app.get(AccessKeys).revoke(id, keyId);
        },
        'key',
      ],
      [
        'a token that is ended by a logout',
        async () => {
          await callAs('logout', scene.world, {});
        },
        'token',
      ],
      [
        'a token that is ended by another password',
        async () => {
          const { password } = scene.world.owner;
          const body = { current_password: password, new_password: `${password}!` };
          expect((await callAs('changePassword', scene.world, { body })).status).toBe(200);
        },
        'token',
      ],
      [
        'an account that is disabled',
        async () => {
          await scene.running.service.app
            .get(Accounts)
            .update(scene.world.owner.id, () => ({ isActive: false }));
        },
        'token',
      ],
    ] as const)('with 4401 for %s, and nobody else', async (_, revoke, credential) => {
      const { owner, stranger } = scene.world;
      const [client, other] = [await connect(owner[credential]), await connect(stranger.key)];
      await revoke();
      await until('the socket closes', () => client.closeCode !== null, BEFORE_THE_NEXT_PING_MS);
      expect(client.closeCode).toBe(4401);
      other.send({ action: 'cancel', id: 'still-open' });
      expect(await other.answer({ id: 'still-open' })).toMatchObject({ status: 404 });
    });
  });

  describe('streams', () => {
    it('what HTTP streams, at the same price, with the same receipt', async () => {
      const client = await connect();
      client.send(generate('one'));
      const done = await client.answer({ type: 'done', id: 'one' });
      const first = await scene.running.lastReceipt(scene.world.owner);
      const before = await scene.world.balanceNanoUsd();
      const http = await fetch(`${scene.running.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': scene.world.owner.key },
        body: JSON.stringify({ ...payload(), stream: true }),
      });
      const data = (await http.text()).split('\n\n').filter((line) => line.startsWith('data: {'));
      expect(client.of('delta', 'one').map((delta) => delta.data)).toEqual(
        data.map((line) => JSON.parse(line.slice(6)) as unknown),
      );
      const second = await scene.running.lastReceipt(scene.world.owner);
      expect(first).toEqual(second);
      expect(first).toMatchObject({ outcome: 'settled', status: 200 });
      expect(done).toMatchObject({
        cancelled: false,
        replayed: false,
        model: MODEL,
        cost: Number(first.chargedNanoUsd) / 1e9,
        balance: Number(before) / 1e9,
        usage: { input_tokens: first.inputTokens, output_tokens: first.outputTokens },
      });
      expect(client.answers[0]).toMatchObject({ type: 'start', id: 'one', request_id: done.request_id });
      const receipt = await callAs('getRequestReceipt', scene.world, {
        params: { request_id: String(done.request_id) },
      });
      expect(receipt).toMatchObject({ status: 200, body: { charged: done.cost } });
    });

    it('by an operation that names its events, and by the embedded engine', async () => {
      const client = await connect();
      client.send(
        generate('events', {
          operation: 'createResponse',
          payload: {
            model: EMBEDDED,
            input: 'The lamp was lit in 1874. When was the lamp lit?',
            max_output_tokens: 50,
          },
        }),
      );
      client.send(
        generate('story', {
          operation: 'generateStory',
          payload: {
            prompt: 'A keeper finds a letter.',
            characters: [{ name: 'Mara' }],
            length: 'short',
            max_tokens: 400,
          },
        }),
      );
      await client.answer({ type: 'done', id: 'events' });
      expect(client.of('delta', 'events').at(-1)).toMatchObject({ event: 'response.completed' });
      const { usage, cost } = await client.answer({ type: 'done', id: 'story' });
      const tokens = (usage as { total_tokens: number }).total_tokens;
      expect(cost).toBeCloseTo(0.003 + 0.00002 * tokens, 9);
    });

    it("the answer to the guide's program, which tells what it cost", async () => {
      const { stdout, stderr } = await runGuideProgram('/api/ws/stream', {
        url: scene.running.url,
        key: scene.world.owner.key,
        after: AFTER_PROGRAM,
      });
      const { cost, balance } = await balanceAndCost();
      expect([stdout, stderr]).toEqual([expect.stringMatching(/^The library opens at nine\.\n/), '']);
      expect(stdout).toContain(` ${cost} ${balance} `);
    });

    it('an answer to any text that HTTP takes, such as one that was cut within a character', async () => {
      const client = await connect();
      const messages = [{ role: 'user', content: 'How long is the notice? \ud83d' }];
      client.send(generate('cut', { payload: { ...payload(), messages } }));
      expect(await client.answer({ id: 'cut' })).toMatchObject({ type: 'start' });
      await client.answer({ type: 'done', id: 'cut' });
      client.send(generate('key', { idempotency_key: 'of text that cannot be stored \0' }));
      expect(await client.answer({ id: 'key' })).toMatchObject({ type: 'error', status: 400 });
    });

    it('an answer once, and replays it to a retry with its idempotency_key', async () => {
      const client = await connect();
      client.send(generate('first', { idempotency_key: 'once' }));
      const first = await client.answer({ type: 'done', id: 'first' });
      const spent = await scene.spentNanoUsd();
      const retry = await connect();
      retry.send(generate('again', { idempotency_key: 'once' }));
      const again = await retry.answer({ type: 'done', id: 'again' });
      expect(again).toMatchObject({ replayed: true, cost: 0, balance: first.balance, usage: null });
      expect(again.result).toMatchObject({ choices: [{ message: { content: WORDS.join('') } }] });
      expect(retry.of('delta')).toEqual([]);
      expect(await scene.spentNanoUsd()).toBe(spent);
      retry.send(generate('other', { idempotency_key: 'once', payload: { ...payload(), max_tokens: 99 } }));
      expect(await retry.answer({ id: 'other' })).toMatchObject({ type: 'error', status: 422 });
    });

    it('until the client cancels, and charges what was delivered', async () => {
      lockStep = new LockStep();
      const client = await connect();
      client.send(generate('left'));
      await delivered(client, 'left', 3);
      client.send({ action: 'cancel', id: 'left' });
      const done = await client.answer({ type: 'done', id: 'left' });
      const { inputTokens, outputTokens, chargedNanoUsd } = await scene.running.lastReceipt(
        scene.world.owner,
      );
      expect(done).toMatchObject({ cancelled: true, cost: Number(chargedNanoUsd) / 1e9 });
      expect(outputTokens).toBeGreaterThan(0);
      expect(chargedNanoUsd).toBe(2_000_000n + 10_000n * BigInt(inputTokens + outputTokens));
      client.send({ action: 'cancel', id: 'left' });
      expect(await client.answer({ type: 'error', id: 'left' })).toMatchObject({ status: 404 });
    });

    it('to a closed socket no further, and charges what was delivered', async () => {
      lockStep = new LockStep();
      const client = await connect();
      client.send(generate('gone'));
      await delivered(client, 'gone', 2);
      client.webSocket.terminate();
      await settled();
      const { outcome, outputTokens } = await scene.running.lastReceipt(scene.world.owner);
      expect(outcome).toBe('settled');
      expect(outputTokens).toBeGreaterThan(0);
    });

    it('several at once on one socket, each by its id', async () => {
      const client = await connect();
      for (const id of ['a', 'b', 'c']) {
        client.send(generate(id));
      }
      for (const id of ['a', 'b', 'c']) {
        await client.answer({ type: 'done', id });
        const text = client.of('delta', id).map(contentOf).join('');
        expect(text).toBe(WORDS.join(''));
      }
    });
  });

  async function delivered(client: SocketClient, id: string, pieces: number): Promise<void> {
    for (let piece = 1; piece <= pieces; piece += 1) {
      lockStep?.release();
      await until(`${piece} deltas`, () => client.of('delta', id).length >= piece);
    }
  }

  async function balanceAndCost(): Promise<{ cost: number; balance: number }> {
    const { chargedNanoUsd } = await scene.running.lastReceipt(scene.world.owner);
    return { cost: Number(chargedNanoUsd) / 1e9, balance: Number(await scene.world.balanceNanoUsd()) / 1e9 };
  }

  async function settled(): Promise<void> {
    await until('all is settled', async () => {
      return (await openReservations(scene.running.service)).length === 0;
    });
  }
});

/** Leaves more unread for an account than it may, without filling the process. @returns what ends that */
function fillAccount(unsent: UnsentBytes, accountId: string): () => void {
  let bytes = 1024;
  for (;;) {
    const release = unsent.hold(accountId, bytes);
    if (unsent.isAccountFull(accountId)) {
      return release;
    }
    release();
    bytes *= 2;
  }
}

function payload(): object {
  return { model: MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'How long is the notice?' }] };
}

function generate(id: string, members: object = {}): object {
  return { action: 'generate', id, operation: 'createChatCompletion', payload: payload(), ...members };
}

function chunks(): string[] {
  const chunk = (choices: unknown[], fields: object = {}) =>
    dataEvent({ id: 'c', object: 'chat.completion.chunk', model: MODEL, choices, ...fields });
  return [
    ...WORDS.map((content) => chunk([{ index: 0, delta: { content }, finish_reason: null }])),
    chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
    chunk([], { usage: { prompt_tokens: 7, completion_tokens: 5 } }),
    dataEvent('[DONE]'),
  ];
}

function contentOf({ data }: SocketAnswer): string {
  const { choices } = data as { choices: { delta?: { content?: string } }[] };
  return choices[0]?.delta?.content ?? '';
}
