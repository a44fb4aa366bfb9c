import { AccessKeys } from '../../../src/accounts/access-keys';
import { KeyDirectory } from '../../../src/accounts/key-cache';
import { newKeySecret } from '../../../src/accounts/credentials';
import { Metrics } from '../../../src/observability/metrics';
import { OpenSockets } from '../../../src/pipeline/socket/open-sockets';
import { LockStep } from '../../support/ledger/lock-step';
import { TestService } from '../../support/api/service';
import { createAccount, World, type TestAccount } from '../../support/api/world';
import { RawUpstream } from '../../support/upstream/raw-upstream';
import { ServiceWithUpstreams } from '../../support/upstream/service-with-upstreams';
import { inTurn, playNextStream, TEXT_CHUNK, untilAborted } from '../../support/upstream/fake-stream';
import { dataEvent, streamReaction } from '../../support/upstream/upstream-answers';
import { SocketClient } from '../../support/sockets/socket-client';
import { until } from '../../support/until';
import { openReservations } from '../../support/ledger/open-reservations';

/** What goes on while a test moves the time of time-outs. */
const REAL = [
  'Date',
  'performance',
  'nextTick',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'clearInterval',
] as const;
const TOKEN_LIFETIME_MS = 24 * 60 * 60 * 1000;
const MODEL = 'slow';
/** The seed that asks for more than any buffer on the way holds. */
const LOUD = 7;
const LOUD_CHUNKS = 400;
/** The seed that asks for twenty words. */
const LONG = 8;
const LONG_CHUNKS = 20;

describe('sockets over time', () => {
  const lockStep = new LockStep();
  const lockStepOfLong = new LockStep();
  let upstream: RawUpstream;
  let running: ServiceWithUpstreams;
  let account: TestAccount;
  const connect = (path: string, token = account.key, options = {}) =>
    SocketClient.open(`${running.url}/api/ws/${path}?token=${token}`, options);
  beforeAll(async () => {
    upstream = await RawUpstream.start(({ body }) => {
      if (body?.seed === LONG) {
        return streamReaction(words(LONG_CHUNKS), { lockStep: lockStepOfLong });
      }
      return body?.seed === LOUD
        ? streamReaction(words(LOUD_CHUNKS, 100_000))
        : streamReaction(chunks(), { lockStep });
    });
    running = await ServiceWithUpstreams.start(
      [{ name: 'main', base_url: upstream.baseUrl, models: [{ id: MODEL }] }],
      { STALLED_WRITE_TIMEOUT_MS: '1000' },
    );
    account = await createAccount(running.service, { creditUsd: '10' });
  });
  afterAll(async () => upstream.stop());

  it('cut off who answers no ping', async () => {
    const [dead, alive] = [
      await connect('stream', account.key, { autoPong: false }),
      await connect('stream'),
    ];
    const sockets = running.service.app.get(OpenSockets, { strict: false });
    let pongs = 0;
    alive.webSocket.on('ping', () => (pongs += 1));
    sockets.beat();
    await until('the ping is answered', () => pongs === 1);
    alive.send({ action: 'cancel', id: 'x' });
    await alive.answer({ id: 'x' });
    sockets.beat();
    expect(await dead.closed()).toBe(1006);
    await until('the second ping is there', () => pongs === 2);
    await alive.leave();
  });

  it('close when their key is revoked, also where its address has guessed all the keys that it may', async () => {
    const { owner } = await World.create(running.service);
    const client = await connect('collaborate', owner.key);
    let status = 401;
    while (status === 401) {
      const headers = { 'x-api-key': newKeySecret('test') };
      ({ status } = await fetch(`${running.url}/v1/models`, { headers }));
    }
    expect(status).toBe(429);
    // As after twenty thousand other keys.
    const knows = jest.spyOn(running.service.app.get(KeyDirectory), 'knows').mockReturnValue(false);
    await running.service.app.get(AccessKeys).revoke(owner.id, owner.keyId);
    expect(await client.closed()).toBe(4401);
    knows.mockRestore();
    running.service.clock.advance(60_000);
  });

  it('close when a token expires', async () => {
    const { owner } = await World.create(running.service);
    const [byToken, byKey] = [
      await connect('collaborate', owner.token),
      await connect('collaborate', owner.key),
    ];
    running.service.clock.advance(TOKEN_LIFETIME_MS + 1000);
    running.service.app.get(OpenSockets, { strict: false }).beat();
    expect(await byToken.closed()).toBe(4401);
    byKey.send({ action: 'ping', id: 'k' });
    await byKey.answer({ type: 'ack' });
    await byKey.leave();
  });

  it('refuse an account its hundred-and-first', async () => {
    const many = await createAccount(running.service, { creditUsd: '1' });
    const open = await Promise.all(Array.from({ length: 100 }, () => connect('stream', many.key)));
    const url = `${running.url}/api/ws/stream?token=${many.key}`;
    expect(await SocketClient.refusal(url)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
      body: { error: 'Too many sockets', retry_after: 1 },
    });
    await open[0]?.leave();
    await until('there is room again', async () => {
      const client = await SocketClient.open(url).catch(() => null);
      await client?.leave();
      return client !== null;
    });
    await Promise.all(open.slice(1).map((client) => client.leave()));
  });

  it('cut off who does not read its answer, which is charged as far as it was delivered', async () => {
    const deaf = await connect('stream');
    const payload = {
      model: MODEL,
      max_tokens: 30_000,
      seed: LOUD,
      messages: [{ role: 'user', content: 'Go.' }],
    };
    deaf.send({ action: 'generate', id: 'g', operation: 'createChatCompletion', payload });
    await deaf.answer({ type: 'delta' });
    deaf.webSocket.pause();
    await until('the call is settled', async () => {
      return (await openReservations(running.service)).length === 0;
    });
    deaf.webSocket.resume();
    expect(await deaf.closed()).toBe(1006);
    expect(deaf.of('delta').length).toBeLessThan(LOUD_CHUNKS);
    const { outcome, outputTokens } = await running.lastReceipt(account);
    expect(outcome).toBe('settled');
    expect(outputTokens).toBeGreaterThan(0);
  });

  it('that the service closes are charged what was sent until then, though the client has not answered', async () => {
    const replaced = await createAccount(running.service, { creditUsd: '1' });
    const deaf = await connect('stream', replaced.key);
    const payload = {
      model: MODEL,
      max_tokens: 50,
      seed: LONG,
      messages: [{ role: 'user', content: 'Go.' }],
    };
    deaf.send({ action: 'generate', id: 'g', operation: 'createChatCompletion', payload });
    lockStepOfLong.release();
    await deaf.answer({ type: 'delta' });
    deaf.webSocket.pause();
    const order = { accountId: replaced.id, id: replaced.keyId, overlapSeconds: 0 };
    await running.service.app.get(AccessKeys).rotate({ ...order, environment: 'test' });
    expect(await openReservations(running.service, replaced.id)).toEqual([]);
    deaf.webSocket.resume();
    expect(await deaf.closed()).toBe(4401);
    expect(deaf.of('delta').length).toBe(1);
    const { outcome, outputTokens } = await running.lastReceipt(replaced);
    expect(outcome).toBe('settled');
    expect(outputTokens).toBeLessThan(LONG_CHUNKS);
  });

  it('are counted', async () => {
    const client = await connect('stream');
    client.send({ action: 'cancel', id: 'x' });
    await client.answer({ id: 'x' });
    const text = () => running.service.app.get(Metrics).text();
    expect(await text()).toContain('sockets_open{socket="stream"} 1\n');
    await client.leave();
    await until('it is closed', async () => (await text()).includes('sockets_open{socket="stream"} 0\n'));
    expect(await text()).toMatch(/socket_messages_total\{socket="stream",direction="received"\} [1-9]/);
    expect(await text()).toMatch(/socket_closes_total\{socket="stream",code="1005"\} [1-9]/);
  });

  it('let a call under way end when the service shuts down, and close the rest at once', async () => {
    const [busy, idle, room] = [
      await connect('stream'),
      await connect('stream'),
      await connect('collaborate'),
    ];
    room.send({ action: 'join', room: 'last' });
    await room.answer({ type: 'joined' });
    const payload = { model: MODEL, max_tokens: 50, messages: [{ role: 'user', content: 'Go.' }] };
    busy.send({ action: 'generate', id: 'g', operation: 'createChatCompletion', payload });
    lockStep.release();
    await busy.answer({ type: 'delta' });
    const stopped = running.stop();
    expect([await idle.closed(), await room.closed()]).toEqual([1001, 1001]);
    busy.send({ action: 'generate', id: 'late', operation: 'createChatCompletion', payload });
    expect(await busy.answer({ id: 'late' })).toMatchObject({ type: 'error', status: 503 });
    for (let chunk = 0; chunk < 10; chunk += 1) {
      lockStep.release();
    }
    expect(await busy.answer({ type: 'done' })).toMatchObject({
      cancelled: false,
      usage: { output_tokens: 2 },
    });
    expect(await busy.closed()).toBe(1001);
    await stopped;
  });
});

describe('a shutdown', () => {
  it('breaks a stream on a socket off in time, and settles it', async () => {
    const service = await TestService.start();
    await service.app.listen(0, '127.0.0.1');
    const account = await createAccount(service, { creditUsd: '10' });
    const url = `${await service.app.getUrl()}/api/ws/stream`;
    const client = await SocketClient.open(`${url}?token=${account.key}`);
    const waits = jest.spyOn(service.app.get(OpenSockets, { strict: false }), 'beforeApplicationShutdown');
    jest.useFakeTimers({ doNotFake: [...REAL] });
    const stream = playNextStream(service, (signal) => inTurn([TEXT_CHUNK], () => untilAborted(signal)));
    const payload = { model: 'm', max_tokens: 50, messages: [{ role: 'user', content: 'When? At nine.' }] };
    client.send({ action: 'generate', id: 'g', operation: 'createChatCompletion', payload });
    await client.answer({ type: 'delta' });
    const stopped = service.app.close();
    await until('the shutdown waits', () => waits.mock.calls.length === 1);
    jest.advanceTimersByTime(19_999);
    expect(stream.signal?.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    jest.useRealTimers();
    expect(stream.signal?.aborted).toBe(true);
    const error = await client.answer({ type: 'error', id: 'g' });
    expect(error).toMatchObject({ status: 503, cost: expect.any(Number) as number });
    expect(error.cost).toBeGreaterThan(0.002);
    expect(await client.closed()).toBe(1001);
    await stopped;
    await service.stop();
  });
});

function words(count: number, paddingBytes = 0): string[] {
  const word = dataEvent({
    id: 'c',
    object: 'chat.completion.chunk',
    model: MODEL,
    choices: [{ index: 0, delta: { content: ' the' }, finish_reason: null }],
    padding: 'x'.repeat(paddingBytes),
  });
  return Array.from({ length: count }, () => word);
}

function chunks(): string[] {
  const chunk = (choices: unknown[], fields: object = {}) =>
    dataEvent({ id: 'c', object: 'chat.completion.chunk', model: MODEL, choices, ...fields });
  return [
    chunk([{ index: 0, delta: { content: 'One' }, finish_reason: null }]),
    chunk([{ index: 0, delta: { content: ' two' }, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
    chunk([], { usage: { prompt_tokens: 3, completion_tokens: 2 } }),
    dataEvent('[DONE]'),
  ];
}
