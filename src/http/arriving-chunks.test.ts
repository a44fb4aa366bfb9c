import { Readable } from 'node:stream';
import { arrivingChunks } from './upstream-transport';

async function read(body: Readable): Promise<{ text: string; error: unknown }> {
  let text = '';
  try {
    for await (const chunk of arrivingChunks(body)) {
      text += chunk.toString();
    }
    return { text, error: null };
  } catch (error) {
    return { text, error };
  }
}

function body(): Readable {
  return new Readable({ read: () => undefined });
}

describe('arrivingChunks', () => {
  it('throws the error of a broken body, after all that had arrived before it', async () => {
    const broken = body();
    const reading = read(broken);
    await new Promise(setImmediate);
    const reset = new Error('reset');
    ['one ', 'two ', 'three'].forEach((chunk) => broken.push(Buffer.from(chunk)));
    broken.destroy(reset);
    expect(await reading).toEqual({ text: 'one two three', error: reset });
  });

  it('gives the whole of a body that is there already', async () => {
    const whole = body();
    whole.push(Buffer.from('one '));
    whole.push(Buffer.from('two'));
    whole.push(null);
    expect(await read(whole)).toEqual({ text: 'one two', error: null });
  });

  it('lets the upstream wait for a reader that does not read, and loses nothing', async () => {
    const chunk = Buffer.alloc(16 * 1024, 'a');
    let produced = 0;
    const endless = new Readable({
      highWaterMark: 16 * 1024,
      read() {
        produced += 1;
        this.push(produced > 1_000 ? null : chunk);
      },
    });
    const chunks = arrivingChunks(endless);
    await chunks.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(produced).toBeLessThan(20);
    let bytes = chunk.length;
    for await (const next of chunks) {
      bytes += next.length;
    }
    expect(bytes).toBe(1_000 * chunk.length);
  });

  it('ends the body when it is left early', async () => {
    const left = body();
    left.push(Buffer.from('one'));
    for await (const chunk of arrivingChunks(left)) {
      expect(chunk.toString()).toBe('one');
      break;
    }
    expect(left.destroyed).toBe(true);
    left.destroy(new Error('late'));
  });
});
