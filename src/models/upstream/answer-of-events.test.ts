import { Readable } from 'node:stream';
import type { TokenCounter } from '../../text/token-counter';
import { ownEvent } from '../sse';
import { AnswerSoFar } from '../usage';
import { answerOfEvents, openStream } from './upstream-answer';

const RESERVED = { inputTokens: 7, outputTokensMax: 9 };

describe('a stream where one answer was asked for', () => {
  const chunk = (delta: object, rest: object = {}) =>
    ownEvent(JSON.stringify({ choices: [{ index: 0, delta, ...rest }] }));

  it('is that answer', async () => {
    const events = [chunk({ content: 'a' }), chunk({ content: 'b' }, { finish_reason: 'stop' })];
    expect(JSON.parse(await answerOfEvents('one', 'chat', Readable.from(events)))).toMatchObject({
      choices: [{ message: { content: 'ab' }, finish_reason: 'stop' }],
    });
  });

  it('breaks off when it is longer than any answer, and is read no further', async () => {
    const piece = Buffer.from(chunk({ content: 'x'.repeat(1024 * 1024) }).bytes);
    const pieces = Array<Buffer>(400).fill(piece);
    const next = () => pieces.pop() ?? null;
    const response = { status: 200, headers: {}, beginning: () => Promise.resolve('data:'), next };
    const discard = jest.fn();
    const source = { name: 'one', baseUrl: 'https://one.example', apiKey: null };
    const read = () => Promise.reject(new Error('a stream is not read whole'));
    const { events } = await openStream(source, { ...response, read, discard }, 'chat');
    await expect(answerOfEvents('one', 'chat', events)).rejects.toThrow('broke off');
    expect(pieces.length).toBeGreaterThan(100);
    expect(discard).toHaveBeenCalled();
  });

  it('costs its input and fails as broken off where it nests deeper than the stack goes', async () => {
    const depth = 100_000;
    const deep = `{"choices":[],"x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const soFar = new AnswerSoFar({} as TokenCounter, () => RESERVED);
    soFar.taken();
    await expect(answerOfEvents('one', 'chat', Readable.from([ownEvent(deep)]), soFar)).rejects.toThrow(
      'broke off',
    );
    expect(await soFar.useSoFar()).toEqual({ inputTokens: 7, outputTokens: 0 });
  });
});
