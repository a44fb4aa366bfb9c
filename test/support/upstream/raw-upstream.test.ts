import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request as httpRequest } from 'undici';
import { LockStep } from '../ledger/lock-step';
import { TURNS_IN_100_MS, turnsDuring } from '../event-loop-turns';
import { RawUpstream, refusingBaseUrl } from './raw-upstream';
import { UnacceptingPort } from '../processes/unaccepting-port';
import { until } from '../until';
import { chatEvents, embeddingAnswer, jsonReaction, streamReaction, vectorOf } from './upstream-answers';
import type { Reaction } from './upstream-reaction';

const TEXTS = ['one', 'two', 'three'];

describe('RawUpstream', () => {
  let upstream: RawUpstream;
  let dispatcher: Agent;
  beforeEach(async () => {
    dispatcher = new Agent();
    upstream = await RawUpstream.start(() => jsonReaction('{}'));
  });
  afterEach(async () => {
    await dispatcher.destroy();
    await upstream.stop();
  });

  const post = (signal?: AbortSignal) =>
    httpRequest(`${upstream.baseUrl}/chat/completions`, {
      method: 'POST',
      body: '{"model":"m"}',
      signal,
      dispatcher,
    });
  const reacting = (reaction: Reaction) => {
    upstream.script = () => reaction;
    return post();
  };

  it('refuses connections on a closed port, resets them when told to, and lets them hang', async () => {
    await expect(httpRequest(await refusingBaseUrl())).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    upstream.welcome = 'reset';
    await expect(post()).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) });
    const port = await UnacceptingPort.open();
    const socket = connect(Number(new URL(port.baseUrl).port), '127.0.0.1');
    await delay(200);
    expect(socket.connecting).toBe(true);
    socket.destroy();
    await port.close();
  });

  it.each<[string, Reaction]>([
    ['a reset before the headers', { instead: 'reset' }],
    ['an end before the headers', { instead: 'end' }],
    ['what is no HTTP', { instead: { bytes: 'SSH-2.0-OpenSSH_9.6\r\n' } }],
  ])('gives %s in place of an answer', async (_, reaction) => {
    await expect(reacting(reaction)).rejects.toThrow();
    expect(upstream.lastCall).toMatchObject({ chunksWritten: 0, leftByClientAt: null });
  });

  it.each(['cut', 'reset'] as const)('breaks off by a %s after what it has delivered', async (end) => {
    const { body } = await reacting(streamReaction(TEXTS, { end }));
    let received = '';
    const read = (async () => {
      for await (const part of body) {
        received += String(part);
      }
    })();
    await expect(read).rejects.toThrow();
    expect(received).toBe('onetwothree');
    expect(upstream.lastCall).toMatchObject({ chunksWritten: 3, leftByClientAt: null, isOver: true });
  });

  it('answers with status, headers and bytes as given, and records what it was asked', async () => {
    const answer = await reacting(
      jsonReaction('{"a": 1.0}', { status: 429, headers: { 'retry-after': '7' } }),
    );
    expect([answer.statusCode, answer.headers['retry-after'], await answer.body.text()]).toEqual([
      429,
      '7',
      '{"a": 1.0}',
    ]);
    expect(upstream.lastCall).toMatchObject({
      method: 'POST',
      path: '/v1/chat/completions',
      body: { model: 'm' },
      text: '{"model":"m"}',
    });
  });

  it('lets chunks go one by one, and notices within milliseconds when its client has gone', async () => {
    const lockStep = new LockStep();
    const stop = new AbortController();
    upstream.script = () => streamReaction(TEXTS, { lockStep });
    const { body } = await post(stop.signal);
    lockStep.release(2);
    await until('two chunks are written', () => upstream.lastCall.chunksWritten === 2);
    await delay(20);
    expect(upstream.lastCall.chunksWritten).toBe(2);
    body.on('error', () => undefined);
    const turns = await turnsDuring(async () => {
      stop.abort();
      await until('it notices', () => upstream.lastCall.leftByClientAt !== null);
    });
    expect(turns).toBeLessThanOrEqual(TURNS_IN_100_MS);
    await until('the connection is closed', () => upstream.connections === 0);
  });

  it('interleaves the choices of a stream and gives logprobs and base64 as servers do', async () => {
    const events = chatEvents('m', { texts: ['a b', 'c'], logprobs: true });
    const indices = events
      .slice(0, -2)
      .map((event) => (JSON.parse(event.slice(6)) as { choices: [{ index: number }] }).choices[0].index);
    expect(indices).toEqual([0, 1, 0, 1, 0, 0, 1]);
    expect(events[2]).toContain('"logprob":-0.25');
    upstream.script = (request) => jsonReaction(embeddingAnswer(request));
    const body = JSON.stringify({ model: 'm', input: 'text', encoding_format: 'base64' });
    const answer = await httpRequest(`${upstream.baseUrl}/embeddings`, { method: 'POST', body });
    const { data } = (await answer.body.json()) as { data: [{ embedding: string }] };
    const bytes = Buffer.from(data[0].embedding, 'base64');
    expect([0, 4, 8, 12].map((at) => bytes.readFloatLE(at))).toEqual(vectorOf('text'));
  });
});
