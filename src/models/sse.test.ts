import * as fc from 'fast-check';
import { growthFault } from '../../test/support/texts/growth';
import { readEvents } from '../../test/support/upstream/read-events';
import { EventReader, OversizedEvent, type ServerSentEvent } from './sse';

const MIB = 1024 * 1024;

describe('EventReader', () => {
  it('refuses an event above 16 MiB, in one chunk or in many', async () => {
    const whole = Buffer.concat([Buffer.from('data: '), Buffer.alloc(16 * MIB, 'a'), Buffer.from('\n\n')]);
    await expect(eventsOf([whole])).rejects.toThrow(OversizedEvent);

    const many = Array.from({ length: 17 }, () => Buffer.alloc(MIB, 'a'));
    await expect(eventsOf(many)).rejects.toThrow(OversizedEvent);
  });

  it('hands on what its source throws, after the events before it', async () => {
    const seen: string[] = [];
    const reading = (async () => {
      for await (const event of readEvents(breaking())) {
        seen.push(event.data);
      }
    })();

    await expect(reading).rejects.toThrow('reset');
    expect(seen).toEqual(['1']);
  });

  it('gives what has come already without waiting, and waits only for more', async () => {
    const pieces = [Buffer.from('data: 1\n\ndata: 2\n\nda'), Promise.resolve(Buffer.from('ta: 3\n\n')), null];
    const reader = new EventReader(() => pieces.shift() ?? null);
    expect(reader.next()).toMatchObject({ data: '1' });
    expect(reader.next()).toMatchObject({ data: '2' });
    const third = reader.next();
    expect(third).toBeInstanceOf(Promise);
    expect(await third).toMatchObject({ data: '3' });
    expect(reader.next()).toBeNull();
    expect(reader.next()).toBeNull();
  });

  it('gives the events before one that is too large', async () => {
    const whole = Buffer.concat([Buffer.from('data: 1\n\ndata: '), Buffer.alloc(16 * MIB + 1, 'a')]);
    const pieces = [whole, Buffer.from('a')];
    const reader = new EventReader(() => pieces.shift() ?? null);
    expect(await reader.next()).toMatchObject({ data: '1' });
    expect(() => reader.next()).toThrow(OversizedEvent);
  });

  it.each([
    ['line feeds', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['carriage returns', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['both', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['lines of several data', 'data: a\ndata:b\ndata\ndata:  c\n\n', ['a\nb\n\n c']],
    ['a byte order mark', '\ufeffdata: a\n\n', ['a']],
    ['comments', ': wait\n\n: once\ndata: a\n\n', ['', 'a']],
    ['other fields', 'id: 1\nretry: 5\ndatabase: x\ndata: a\n\n', ['a']],
    ['no blank line at the end', 'data: a\n\ndata: [DONE]', ['a', '[DONE]']],
    ['a colon in the data', 'data: {"a": 1}\n\n', ['{"a": 1}']],
  ])('reads %s', async (_what, text, data) => {
    const events = await eventsOf([Buffer.from(text)]);
    expect(events.map((event) => event.data)).toEqual(data);
  });

  it('names the type of an event', async () => {
    const events = await eventsOf([Buffer.from('event: response.completed\ndata: {}\n\ndata: x\n\n')]);
    expect(events.map((event) => event.type)).toEqual(['response.completed', '']);
  });

  it('gives an event when its blank line is there, without the byte behind it', async () => {
    async function* source() {
      yield Buffer.from('data: a\r\r');
      await new Promise(() => undefined);
    }

    const first = await readEvents(source()).next();

    expect(first.value).toMatchObject({ data: 'a' });
  });

  it('keeps every byte and reads the same events, wherever the chunks are cut', async () => {
    await fc.assert(
      fc.asyncProperty(streams(), fc.array(fc.nat(400), { maxLength: 40 }), async (written, cuts) => {
        const bytes = Buffer.from(written.text);
        const events = await eventsOf(cutAt(bytes, cuts));

        expect(Buffer.concat(events.map((event) => event.bytes)).equals(bytes)).toBe(true);
        expect(events.map((event) => event.data).filter((data) => data !== '')).toEqual(written.data);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps bytes that are no text at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.array(fc.nat(300)), async (bytes, cuts) => {
        const events = await eventsOf(cutAt(Buffer.from(bytes), cuts));
        expect(Buffer.concat(events.map((event) => event.bytes)).equals(Buffer.from(bytes))).toBe(true);
      }),
    );
  });

  it('takes time in proportion to the bytes, also when each comes alone', async () => {
    const readInBytes = (length: number) => async () => {
      const bytes = Buffer.from(`data: ${'a'.repeat(length)}\n\n`);
      const events = await eventsOf(
        cutAt(
          bytes,
          Array.from(bytes, (_, at) => at),
        ),
      );
      expect(events.map((event) => event.bytes.length)).toEqual([bytes.length]);
    };
    expect(
      await growthFault(readInBytes, { length: 131_072, lengthMax: 2_097_152, limitMs: 10_000 }),
    ).toBeNull();
  });
});

async function eventsOf(chunks: readonly Uint8Array[]): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of readEvents(inTurn(chunks))) {
    events.push(event);
  }
  return events;
}

async function* inTurn(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    yield await Promise.resolve(chunk);
  }
}

async function* breaking(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from('data: 1\n\nda'));
  throw new Error('reset');
}

function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const borders = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
  return borders.slice(1).map((border, index) => bytes.subarray(borders[index], border));
}

/**
 * Streams of events, each with one kind of line end and with comments between, and the data that a reader has to find.
 */
function streams(): fc.Arbitrary<{ text: string; data: string[] }> {
  const line = fc
    .string({ unit: 'grapheme', maxLength: 12 })
    .map((text) => `x${text.replace(/[\r\n]/g, '')}`);
  const event = fc.record({
    comment: fc.option(line),
    type: fc.option(line),
    data: fc.array(line, { minLength: 1, maxLength: 3 }),
  });
  return fc
    .tuple(fc.constantFrom('\n', '\r', '\r\n'), fc.array(event, { maxLength: 6 }), fc.boolean())
    .map(([end, events, marked]) => ({
      text: `${marked ? '\ufeff' : ''}${events.map((one) => written(one, end)).join('')}`,
      data: events.map((one) => one.data.join('\n')),
    }));
}

function written(
  event: { comment: string | null; type: string | null; data: string[] },
  end: string,
): string {
  const lines = [
    ...(event.comment === null ? [] : [`: ${event.comment}`]),
    ...(event.type === null ? [] : [`event: ${event.type}`]),
    ...event.data.map((line) => `data: ${line}`),
  ];
  return `${lines.join(end)}${end}${end}`;
}
