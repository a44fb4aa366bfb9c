import { Ledger } from '../../src/ledger/ledger';
import { newId } from '../../src/runtime/ids';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { callAs } from '../support/api/call-as';
import {
  chunkOf,
  DONE,
  inTurn,
  playNextStream,
  STOP_CHUNK,
  TEXT_CHUNK,
  USAGE_CHUNK,
} from '../support/upstream/fake-stream';
import { openRequest } from '../support/api/open-request';
import { TestService } from '../support/api/service';
import { until } from '../support/until';
import { World } from '../support/api/world';

const CHAT = {
  model: 'm',
  max_tokens: 50,
  stream: true,
  messages: [{ role: 'user', content: 'When? At nine.' }],
};
const WITH_USAGE = { ...CHAT, stream_options: { include_usage: true } };
const METRICS_TOKEN = 'a token that only the scraper of the metrics has';
const COST = 2_270_000n;
const BEFORE = 10_000_000_000n;

describe('a stream', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start({ METRICS_TOKEN });
    await service.app.listen(0, '127.0.0.1');
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await ledgerFaults(service.database)).toEqual([]);
    expect((await service.app.get(Ledger).balance(world.owner.id)).reservedNanoUsd).toBe(0n);
  });
  afterAll(async () => service.stop());

  it('is refused like any other call, before anything is reserved', async () => {
    const body = { ...CHAT, n: 0 };
    const answer = await openRequest(service, world.owner.key, body);
    expect([answer.status, answer.headers['content-type']]).toEqual([400, 'application/json; charset=utf-8']);
    await world.setBalanceUsd(world.owner, '0.001');
    expect((await openRequest(service, world.owner.key, CHAT)).status).toBe(402);
  });

  it('is answered as JSON where the model refuses it before the first event', async () => {
    const answer = await openRequest(service, world.owner.key, { ...CHAT, n: 2 });
    await answer.ended;
    expect([answer.status, answer.text()]).toEqual([400, expect.stringContaining('"field":"n"')]);
    expect(await world.balanceNanoUsd()).toBe(BEFORE);
  });

  it('leaves with the headers of every answer, and those of events', async () => {
    const answer = await openRequest(service, world.owner.key, CHAT, { 'x-request-id': 'my-request-1' });
    await answer.ended;
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-api-version': '1.0',
      'access-control-allow-origin': '*',
      'x-model-used': 'embedded-extractive-1',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(answer.headers['x-request-cost']).toBeUndefined();
  });

  it('leaves byte by byte as it came, with cost and balance before its end', async () => {
    const events = [TEXT_CHUNK, STOP_CHUNK, USAGE_CHUNK, DONE];
    playNextStream(service, () => inTurn(events));
    const answer = await openRequest(service, world.owner.key, CHAT);
    await answer.ended;
    expect(answer.text()).toBe(
      `${textOf(TEXT_CHUNK, STOP_CHUNK)}: cost=0.00227 tokens=27 balance=9.99773\n\n${textOf(DONE)}`,
    );
    const params = { request_id: String(answer.headers['x-request-id']) };
    const receipt = await callAs('getRequestReceipt', world, { params });
    expect(receipt.body).toMatchObject({ charged: 0.00227, outcome: 'settled' });
    playNextStream(service, () => inTurn(events));
    const asked = await openRequest(service, world.owner.key, WITH_USAGE);
    await asked.ended;
    const usage = textOf(USAGE_CHUNK).replace(':3}', ':3,"cost":0.00227}');
    expect(asked.text()).toBe(
      `${textOf(TEXT_CHUNK, STOP_CHUNK)}${usage}: cost=0.00227 tokens=27 balance=9.99546\n\n${textOf(DONE)}`,
    );
  });

  it('lets each event leave when it is there, not when the next one is', async () => {
    let goOn: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    playNextStream(service, async function* () {
      yield* inTurn([TEXT_CHUNK]);
      await gate;
      yield* inTurn([STOP_CHUNK, DONE]);
    });
    const answer = await openRequest(service, world.owner.key, CHAT);
    await answer.arrived('At nine.');
    expect(answer.text()).toBe(textOf(TEXT_CHUNK));
    goOn();
    await answer.ended;
  });

  it('is settled before its end leaves', async () => {
    const ledger = service.app.get(Ledger);
    const settle = ledger.settle.bind(ledger);
    let goOn: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    let settling = false;
    jest.spyOn(ledger, 'settle').mockImplementationOnce(async (order) => {
      settling = true;
      await gate;
      return settle(order);
    });
    playNextStream(service, () => inTurn([TEXT_CHUNK, STOP_CHUNK, USAGE_CHUNK, DONE]));
    const answer = await openRequest(service, world.owner.key, WITH_USAGE);
    await until('the settlement has begun', () => settling);
    await answer.arrived('"stop"');
    expect(answer.text()).toBe(textOf(TEXT_CHUNK, STOP_CHUNK));
    goOn();
    await answer.arrived('[DONE]');
    expect(await world.balanceNanoUsd()).toBe(BEFORE - COST);
    const receipt = await callAs('getRequestReceipt', world, {
      params: { request_id: String(answer.headers['x-request-id']) },
    });
    expect(receipt.body).toMatchObject({
      outcome: 'settled',
      status: 200,
      input_tokens: 24,
      output_tokens: 3,
    });
  });

  it("leaves the client's options as they are, and caps it where the client put his cap", async () => {
    const options = { ...CHAT, stream_options: { vendor: 1 }, temperature: 0.5 };
    const stream = playNextStream(service, () => inTurn([STOP_CHUNK, DONE]));
    await (
      await openRequest(service, world.owner.key, options)
    ).ended;
    expect(stream.request).toEqual(options);
    const { max_tokens: cap, ...rest } = CHAT;
    const other = playNextStream(service, () => inTurn([STOP_CHUNK, DONE]));
    await (
      await openRequest(service, world.owner.key, { ...rest, max_completion_tokens: cap, n: 2 })
    ).ended;
    expect(other.request).toMatchObject({ max_completion_tokens: cap, n: 2 });
    expect(other.request).not.toHaveProperty('max_tokens');
  });

  it.each([
    ['missing', '"vendor":1', 2_000_000n, 3],
    ['zero', '"usage":{"prompt_tokens":0,"completion_tokens":0}', 2_000_000n, 0],
    ['negative', '"usage":{"prompt_tokens":-9,"completion_tokens":-9}', 2_000_000n, 3],
    ['absurd', '"usage":{"prompt_tokens":1,"completion_tokens":1e300}', 2_000_000n, 50],
  ])('is charged for %s usage as the table of outcomes says', async (_, usage, base, outputTokens) => {
    playNextStream(service, () => inTurn([TEXT_CHUNK, STOP_CHUNK, chunkOf(`"choices":[],${usage}`), DONE]));
    const answer = await openRequest(service, world.owner.key, CHAT);
    await answer.ended;
    const receipt = await callAs('getRequestReceipt', world, {
      params: { request_id: String(answer.headers['x-request-id']) },
    });
    expect(receipt.body.output_tokens).toBe(outputTokens);
    const tokens = BigInt(receipt.body.input_tokens + outputTokens);
    expect(await world.balanceNanoUsd()).toBe(BEFORE - base - 10_000n * tokens);
  });

  it('is replayed as the answer that it would have been, free of charge', async () => {
    const headers = { 'idempotency-key': newId() };
    playNextStream(service, () => inTurn([TEXT_CHUNK, STOP_CHUNK, USAGE_CHUNK, DONE]));
    await (
      await openRequest(service, world.owner.key, CHAT, headers)
    ).ended;
    const replay = await callAs('createChatCompletion', world, { body: CHAT, headers });
    expect([replay.status, replay.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(replay.body.choices).toMatchObject([
      { message: { role: 'assistant', content: 'At nine.' }, finish_reason: 'stop' },
    ]);
    expect(await world.balanceNanoUsd()).toBe(BEFORE - COST);
  });

  it('waits for a client that does not read, and holds little meanwhile', async () => {
    const filler = chunkOf(`"choices":[],"filler":"${'x'.repeat(64 * 1024)}"`);
    const stream = playNextStream(service, () => inTurn(Array.from({ length: 4000 }, () => filler)));
    const answer = await openRequest(service, world.owner.key, CHAT, {}, false);
    let taken = -1;
    await until('the service stops taking', async () => {
      const before = taken;
      taken = stream.taken;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return before === taken;
    });
    expect(stream.taken).toBeLessThan(400);
    answer.hangUp();
    await until('the stream has ended', () => stream.ended);
    await until('it is settled', async () => (await world.balanceNanoUsd()) < BEFORE);
  });

  it('also passes where no socket is, and is counted once', async () => {
    const counted = async () =>
      /http_requests_total\{operation="createCompletion",status="200"\} (\d+)/.exec(
        (await service.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${METRICS_TOKEN}` } }))
          .body,
      )?.[1];
    const response = await service.app.inject({
      method: 'POST',
      url: '/v1/completions',
      headers: { 'x-api-key': world.owner.key },
      payload: { model: 'm', prompt: 'The library opens at nine. When does the library open?', stream: true },
    });
    const chunks = response.body.match(/^data: \{.*$/gm) ?? [];
    const texts = chunks.map((line) => JSON.parse(line.slice(6)) as { choices: { text: string }[] });
    expect(texts.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe('The library opens at nine.');
    expect(response.body).toMatch(/: cost=[\d.]+ tokens=\d+ balance=[\d.]+\n\ndata: \[DONE\]\n\n$/);
    expect(await counted()).toBe('1');
  });
});

function textOf(...events: { bytes: Uint8Array }[]): string {
  return events.map(({ bytes }) => Buffer.from(bytes).toString()).join('');
}
