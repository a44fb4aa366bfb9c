import { Logger } from '@nestjs/common';
import { TURNS_IN_100_MS, turnsDuring } from '../../../test/support/event-loop-turns';
import { LockStep } from '../../../test/support/ledger/lock-step';
import { until } from '../../../test/support/until';
import { RawUpstream } from '../../../test/support/upstream/raw-upstream';
import {
  chatEvents,
  dataEvent,
  errorReaction,
  jsonReaction,
  streamReaction,
} from '../../../test/support/upstream/upstream-answers';
import type { Reaction } from '../../../test/support/upstream/upstream-reaction';
import { UpstreamBrokeOff, UpstreamFailure, UpstreamRefused } from '../errors';
import type { ModelStream } from '../model-provider';
import { UpstreamProvider } from './upstream-provider';

const KEY = 'sk-key-of-the-upstream';
const REQUEST = { model: 'm', messages: [] };
const EVENTS = chatEvents('m-2026', { texts: ['a b', 'c d'], logprobs: true });
const TWO = EVENTS.slice(0, 2);
const FINISHED = EVENTS.slice(0, -1);

describe('streams of an upstream', () => {
  let upstream: RawUpstream;
  let provider: UpstreamProvider;
  const providers: UpstreamProvider[] = [];
  beforeEach(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    upstream = await RawUpstream.start(() => streamReaction(EVENTS));
    provider = made(9000, 9000);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(providers.splice(0).map((one) => one.close()));
    await upstream.stop();
  });

  function made(firstByteTimeoutMs: number, totalTimeoutMs: number): UpstreamProvider {
    const times = { connectTimeoutMs: 9000, firstByteTimeoutMs, totalTimeoutMs };
    const settings = { name: 'one', baseUrl: upstream.baseUrl, apiKey: KEY, models: null, ...times };
    const one = new UpstreamProvider(settings, { backoffMs: () => 1 });
    providers.push(one);
    return one;
  }

  const opened = (reaction: Reaction, signal?: AbortSignal) => {
    upstream.script = () => reaction;
    return provider.streamChat(REQUEST, { signal });
  };

  it.each<[string, Reaction, number, number]>([
    ['500', errorReaction(500, 'x'), 502, 2],
    ['429', errorReaction(429, 'x'), 503, 1],
    ['a reset before the headers', { instead: 'reset' }, 502, 2],
    ['an end before the first event', streamReaction([]), 502, 2],
    ['a break before the first event', streamReaction([': wait\n\n'], { end: 'cut' }), 502, 2],
    ['an error as the first event', streamReaction([dataEvent({ error: { message: 'x' } })]), 502, 2],
    ['no first byte', streamReaction(EVENTS, { delayBeforeFirstByteMs: 60_000 }), 504, 1],
    ['comments and no event', streamReaction([': wait\n\n'], { end: 'endless' }), 504, 1],
    ['an answer that is no stream', jsonReaction('<html>'), 502, 1],
    ['garbage as the first event', streamReaction(['data: nope\n\n']), 502, 1],
    ['an end as the first event', streamReaction([dataEvent('[DONE]')]), 502, 1],
  ])('fails for %s, before anything has left', async (_, reaction, status, requests) => {
    if (status === 504) {
      provider = made(200, 400);
    }
    const error: unknown = await opened(reaction).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(UpstreamFailure);
    expect([(error as UpstreamFailure).status, upstream.requests.length]).toEqual([status, requests]);
    await until('the connection is closed or free', () => upstream.requests.every(({ isOver }) => isOver));
  });

  it('breaks off where more choices are numbered than anybody can ask for', async () => {
    const numbered = (from: number) =>
      dataEvent({ choices: Array.from({ length: 9_000 }, (_, at) => ({ index: from + at })) });
    const { events } = await opened(streamReaction([numbered(0), numbered(9_000), ...EVENTS]));
    const read: unknown[] = [];
    const reading = async () => {
      for await (const event of events) {
        read.push(event);
      }
    };
    await expect(reading()).rejects.toThrow(UpstreamBrokeOff);
    expect(read).toHaveLength(1);
  });

  it('passes a refusal on', async () => {
    await expect(opened(errorReaction(400, 'no such field'))).rejects.toThrow(UpstreamRefused);
  });

  it.each<[string, Reaction, number, boolean]>([
    ['a cut', streamReaction(TWO, { end: 'cut' }), 502, false],
    ['a reset', streamReaction(TWO, { end: 'reset' }), 502, false],
    ['an end without a finish_reason', streamReaction(TWO), 502, false],
    ['silence', streamReaction(TWO, { end: 'silence' }), 504, false],
    ['garbage', streamReaction([...TWO, 'data: {"choices":\n\n', ...EVENTS]), 502, false],
    ['an error that repeats the key', streamReaction([...TWO, dataEvent({ error: KEY })]), 502, false],
  ])(
    'throws after what was delivered when it ends by %s',
    async (_, reaction, status, reportedByUpstream) => {
      if (status === 504) {
        provider = made(9000, 500);
      }
      const { text, error } = await readAll(await opened(reaction));
      expect(text).toBe(TWO.join(''));
      expect(error).toBeInstanceOf(UpstreamBrokeOff);
      expect(error).toMatchObject({ status, reportedByUpstream });
      expect(upstream.requests).toHaveLength(1);
    },
  );

  it.each(['{}', '""', '{"code":0,"message":""}'])('reads on past the empty error %s', async (empty) => {
    const sent = EVENTS.map((event) => event.replace('data: {', `data: {"error":${empty},`));
    expect(await readAll(await opened(streamReaction(sent)))).toEqual({ text: sent.join(''), error: null });
  });

  it("passes the upstream's own error on, and marks that it is told", async () => {
    const told = dataEvent({ error: { message: 'overloaded' } });
    const { text, error } = await readAll(await opened(streamReaction([...TWO, told, ...EVENTS])));
    expect([text, error]).toEqual([
      TWO.join('') + told,
      expect.objectContaining({ reportedByUpstream: true }),
    ]);
  });

  it('gives every byte, comments and all, whatever the chunks', async () => {
    const whole = `: wait\r\n\r\n${EVENTS.join('').replaceAll('"model"', '"x":1.0, "model"')}`;
    const chunks = Array.from(whole.match(/[^]{1,37}/g) ?? []);
    const stream = await opened(streamReaction(chunks));
    expect([stream.model, stream.engine.provider]).toEqual(['m-2026', 'one']);
    expect(await readAll(stream)).toEqual({ text: whole, error: null });
  });

  it('is complete without [DONE] when every choice has finished', async () => {
    expect(await readAll(await opened(streamReaction(FINISHED)))).toEqual({
      text: FINISHED.join(''),
      error: null,
    });
  });

  it("asks for usage, keeps the client's other options, and says nothing of its own", async () => {
    upstream.script = () => streamReaction(EVENTS);
    const options = { include_usage: false, include_obfuscation: false };
    const request = { ...REQUEST, stream_options: options, allow_degraded: true };
    await readAll(await provider.streamChat(request, {}));
    const stream_options = { include_usage: true, include_obfuscation: false };
    expect(upstream.lastCall.body).toEqual({ ...REQUEST, stream: true, stream_options });
    await readAll(await provider.streamCompletion({ model: 'm', prompt: 'x', stream_options: null }, {}));
    expect(upstream.lastCall.path).toBe('/v1/completions');
    expect(upstream.lastCall.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it('uses a connection again after a complete stream', async () => {
    for (let count = 0; count < 3; count++) {
      await readAll(await opened(streamReaction(EVENTS)));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect([upstream.requests.length, upstream.connections]).toEqual([3, 1]);
  });

  it('closes the connection within 100 ms of an abort, and throws its reason', async () => {
    const lockStep = new LockStep();
    const stop = new AbortController();
    lockStep.release(2);
    const stream = await opened(streamReaction(EVENTS, { lockStep }), stop.signal);
    const read = readAll(stream);
    await until('two events have left', () => upstream.lastCall.chunksWritten === 2);
    const reason = new Error('the caller has gone');
    const turns = await turnsDuring(async () => {
      stop.abort(reason);
      expect((await read).error).toBe(reason);
      await until('the connection is closed', () => upstream.lastCall.leftByClientAt !== null);
    });
    expect(turns).toBeLessThanOrEqual(TURNS_IN_100_MS);
  });

  it('closes the connection when its reader leaves', async () => {
    const stream = await opened(streamReaction(TWO, { end: 'silence' }));
    for await (const event of stream.events) {
      if (event.data !== '') {
        break;
      }
    }
    const turns = await turnsDuring(() =>
      until('the connection is closed', () => upstream.lastCall.leftByClientAt !== null),
    );
    expect(turns).toBeLessThanOrEqual(TURNS_IN_100_MS);
  });
});

async function readAll({ events }: ModelStream): Promise<{ text: string; error: unknown }> {
  let text = '';
  try {
    for await (const { bytes } of events) {
      text += Buffer.from(bytes).toString();
    }
    return { text, error: null };
  } catch (error) {
    return { text, error };
  }
}
