import { setTimeout as delay } from 'node:timers/promises';
import { UpstreamBrokeOff } from '../../src/models/errors';
import { Ledger } from '../../src/ledger/ledger';
import { Sweeper } from '../../src/ledger/ledger.module';
import { Models } from '../../src/models/models';
import { newId } from '../../src/runtime/ids';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { TURNS_IN_100_MS, turnsDuring } from '../support/event-loop-turns';
import { callAs } from '../support/api/call-as';
import {
  DONE,
  inTurn,
  playNextStream,
  STOP_CHUNK,
  TEXT_CHUNK,
  untilAborted,
  USAGE_CHUNK,
} from '../support/upstream/fake-stream';
import { openRequest, type OpenRequest } from '../support/api/open-request';
import { TestService } from '../support/api/service';
import { until } from '../support/until';
import { World } from '../support/api/world';

const CHAT = {
  model: 'm',
  max_tokens: 50,
  stream: true,
  messages: [{ role: 'user', content: 'When? At nine.' }],
};
const PLAIN = { ...CHAT, stream: false };
const BEFORE = 10_000_000_000n;
const STREAM_TIMEOUT_MS = 600_000;
const LEASE_MS = 2 * (120_000 + STREAM_TIMEOUT_MS);
const REAL = ['Date', 'nextTick', 'queueMicrotask', 'setImmediate', 'setInterval', 'clearInterval'] as const;

describe('a stream that does not come to its end', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
    await service.app.listen(0, '127.0.0.1');
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(async () => {
    jest.useRealTimers();
    jest.restoreAllMocks();
    expect(await ledgerFaults(service.database)).toEqual([]);
    expect((await service.app.get(Ledger).balance(world.owner.id)).reservedNanoUsd).toBe(0n);
  });
  afterAll(async () => service.stop());

  it('stops its upstream within 100 ms when the client goes away, and is charged for what was produced', async () => {
    const stream = playNextStream(service, (signal) => inTurn([TEXT_CHUNK], () => untilAborted(signal)));
    const answer = await openRequest(service, world.owner.key, CHAT);
    await answer.arrived('At nine.');
    const turns = await turnsDuring(async () => {
      answer.hangUp();
      await until('the upstream is told', () => stream.signal?.aborted === true);
    });
    expect(turns).toBeLessThanOrEqual(TURNS_IN_100_MS);
    await expectCharged(answer, 3);
    expect(stream.ended).toBe(true);
  });

  it('stops also a source that does not heed the signal', async () => {
    playNextStream(service, () => inTurn([TEXT_CHUNK], () => new Promise(() => undefined)));
    const answer = await openRequest(service, world.owner.key, CHAT);
    await answer.arrived('At nine.');
    answer.hangUp();
    await expectCharged(answer, 3);
  });

  it('frees its Idempotency-Key, so that a retry runs anew', async () => {
    const headers = { 'idempotency-key': newId() };
    playNextStream(service, () => inTurn([TEXT_CHUNK], broken));
    await (
      await openRequest(service, world.owner.key, CHAT, headers)
    ).ended;
    playNextStream(service, () => inTurn([TEXT_CHUNK, STOP_CHUNK, USAGE_CHUNK, DONE]));
    const retry = await openRequest(service, world.owner.key, CHAT, headers);
    await retry.ended;
    expect(retry.headers['idempotent-replayed']).toBeUndefined();
    expect(retry.text()).toContain('[DONE]');
  });

  it('frees its Idempotency-Key also where many calls are settled together', async () => {
    const keys = Array.from({ length: 12 }, () => ({ 'idempotency-key': newId() }));
    let breakAllOff: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (breakAllOff = resolve)).then(broken);
    gate.catch(() => undefined);
    keys.forEach(() => playNextStream(service, () => inTurn([TEXT_CHUNK], () => gate)));
    const answers = await Promise.all(
      keys.map((headers) => openRequest(service, world.owner.key, CHAT, headers)),
    );
    await Promise.all(answers.map((answer) => answer.arrived('At nine.')));
    breakAllOff();
    await Promise.all(answers.map(({ ended }) => ended));
    const retries = await Promise.all(
      keys.map((headers) => openRequest(service, world.owner.key, CHAT, headers)),
    );
    expect(retries.map(({ status }) => status)).toEqual(keys.map(() => 200));
    await Promise.all(retries.map(({ ended }) => ended));
  });

  it('ends with an error in place of [DONE] when the upstream breaks off, and is charged for what was delivered', async () => {
    playNextStream(service, () => inTurn([TEXT_CHUNK], broken));
    const answer = await openRequest(service, world.owner.key, CHAT);
    await answer.ended;
    await expectCharged(answer, 3);
    expectFailure(answer, { type: 'upstream_error', code: 502 });
    expect(answer.text()).toMatch(/\n\n: cost=[\d.]+ tokens=\d+ balance=[\d.]+\n\ndata: \{"error"/);
  });

  it('tells nothing of a fault of our own', async () => {
    playNextStream(service, () => inTurn([TEXT_CHUNK], () => Promise.reject(new Error('secret'))));
    const answer = await openRequest(service, world.owner.key, CHAT);
    await answer.ended;
    await expectCharged(answer, 3);
    expectFailure(answer, { code: 500 });
    expect(answer.text()).not.toContain('secret');
  });

  it('is broken off when its time is over, and charged for what was delivered', async () => {
    jest.useFakeTimers({ doNotFake: [...REAL] });
    const stream = playNextStream(service, (signal) => inTurn([TEXT_CHUNK], () => untilAborted(signal)));
    const answer = await openRequest(service, world.owner.key, CHAT);
    await answer.arrived('At nine.');
    jest.advanceTimersByTime(STREAM_TIMEOUT_MS - 1);
    expect(stream.signal?.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    jest.useRealTimers();
    await answer.ended;
    await expectCharged(answer, 3);
    expectFailure(answer, { type: 'timeout', code: 504 });
  });

  it('costs nothing and names an error when its reservation was swept meanwhile', async () => {
    let goOn: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    playNextStream(service, async function* () {
      yield* inTurn([TEXT_CHUNK], () => gate);
      yield* inTurn([STOP_CHUNK, USAGE_CHUNK, DONE]);
    });
    const answer = await openRequest(service, world.owner.key, CHAT);
    await answer.arrived('At nine.');
    service.clock.advance(LEASE_MS - 1);
    expect(await service.app.get(Sweeper).sweep()).toBe(0);
    service.clock.advance(1);
    expect(await service.app.get(Sweeper).sweep()).toBe(1);
    goOn();
    await answer.ended;
    expectFailure(answer, { code: 504 });
    expect(answer.text()).not.toContain(': cost');
    expect(await world.balanceNanoUsd()).toBe(BEFORE);
  });

  it('is cut without any end when nobody can tell whether it was settled', async () => {
    jest.spyOn(service.app.get(Ledger), 'settle').mockRejectedValueOnce(new Error('no answer'));
    playNextStream(service, () => inTurn([TEXT_CHUNK, STOP_CHUNK, USAGE_CHUNK, DONE]));
    const answer = await openRequest(service, world.owner.key, CHAT);
    await expect(answer.ended).rejects.toThrow();
    expect(answer.text()).not.toMatch(/DONE|error|: cost/);
    await until('the reservation is released', async () => {
      const { reservedNanoUsd } = await service.app.get(Ledger).balance(world.owner.id);
      return reservedNanoUsd === 0n;
    });
    expect(await world.balanceNanoUsd()).toBe(BEFORE);
  });

  async function expectCharged(answer: OpenRequest, outputTokens: number): Promise<void> {
    await until('the call is settled', async () => (await world.balanceNanoUsd()) < BEFORE);
    const receipt = await callAs('getRequestReceipt', world, {
      params: { request_id: String(answer.headers['x-request-id']) },
    });
    const { input_tokens: inputTokens } = receipt.body;
    expect(inputTokens).toBeGreaterThan(0);
    expect(receipt.body).toMatchObject({ outcome: 'settled', status: 200, output_tokens: outputTokens });
    const cost = 2_000_000n + 10_000n * BigInt(inputTokens + outputTokens);
    expect(await world.balanceNanoUsd()).toBe(BEFORE - cost);
  }
});

describe('an answer that is no stream', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
    await service.app.listen(0, '127.0.0.1');
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => service.stop());

  it('is not worked on for a client that has gone away, who pays nothing while no upstream was asked', async () => {
    const held = holdNextChat();
    const sent = new AbortController();
    const call = post(sent.signal, {});
    const signal = await held.signal;
    sent.abort();
    await expect(call).rejects.toThrow();
    await until('the work is told', () => signal.aborted);
    await until('the reservation is released', async () => {
      const { reservedNanoUsd } = await service.app.get(Ledger).balance(world.owner.id);
      return reservedNanoUsd === 0n;
    });
    expect(await world.balanceNanoUsd()).toBe(BEFORE);
    held.goOn();
  });

  it('is worked on all the same when an Idempotency-Key says that the client may come back for it', async () => {
    const held = holdNextChat();
    const sent = new AbortController();
    const headers = { 'idempotency-key': newId() };
    const call = post(sent.signal, headers);
    const signal = await held.signal;
    sent.abort();
    await expect(call).rejects.toThrow();
    await delay(100);
    expect(signal.aborted).toBe(false);
    held.goOn();
    await until('the call is settled', async () => (await world.balanceNanoUsd()) < BEFORE);
    const retry = await callAs('createChatCompletion', world, { body: PLAIN, headers });
    expect([retry.status, retry.headers['idempotent-replayed']]).toEqual([200, 'true']);
  });

  async function post(signal: AbortSignal, headers: Record<string, string>): Promise<unknown> {
    return fetch(`${await service.app.getUrl()}/v1/chat/completions`, {
      method: 'POST',
      signal,
      headers: { 'content-type': 'application/json', 'x-api-key': world.owner.key, ...headers },
      body: JSON.stringify(PLAIN),
    });
  }

  function holdNextChat(): { signal: Promise<AbortSignal>; goOn: () => void } {
    const models = service.app.get(Models);
    const chat = models.chat.bind(models);
    let enter: (signal: AbortSignal) => void;
    let goOn: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    const signal = new Promise<AbortSignal>((resolve) => (enter = resolve));
    jest.spyOn(models, 'chat').mockImplementationOnce(async (request, options) => {
      enter(options?.signal as AbortSignal);
      await gate;
      return chat(request, options);
    });
    return { signal, goOn: () => goOn() };
  }
});

describe('a shutdown', () => {
  it('breaks streams off before its end, and settles them', async () => {
    const service = await TestService.start();
    await service.app.listen(0, '127.0.0.1');
    const world = await World.create(service);
    jest.useFakeTimers({ doNotFake: [...REAL] });
    playNextStream(service, (signal) => inTurn([TEXT_CHUNK], () => untilAborted(signal)));
    const answer = await openRequest(service, world.owner.key, CHAT);
    await answer.arrived('At nine.');
    const stopped = service.app.close();
    await until('the shutdown waits', () => jest.getTimerCount() >= 3);
    jest.advanceTimersByTime(20_000);
    jest.useRealTimers();
    await answer.ended;
    expectFailure(answer, { code: 503 });
    expect(answer.text()).toMatch(/: cost=0\.002\d+ tokens=\d+ balance=9\.99/);
    await stopped;
    await service.stop();
  });
});

function expectFailure(answer: OpenRequest, fields: object): void {
  const [, data] = /data: (\{"error".*)\n\n$/.exec(answer.text()) ?? [];
  expect(JSON.parse(data ?? 'null')).toMatchObject({
    error: { ...fields, message: expect.any(String), request_id: answer.headers['x-request-id'] },
  });
  expect(answer.text()).not.toContain('[DONE]');
}

function broken(): Promise<never> {
  return Promise.reject(new UpstreamBrokeOff(502, 'played', 'was reset'));
}
