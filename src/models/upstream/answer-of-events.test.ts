import { Readable } from 'node:stream';
import type { TokenCounter } from '../../text/token-counter';
import { ownEvent, type ServerSentEvent } from '../sse';
import { AnswerSoFar } from '../usage';
import { answerOfEvents } from './upstream-answer';

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

  it('fails when it is longer than any answer, and is read no further', async () => {
    const piece = chunk({ content: 'x'.repeat(1024 * 1024) });
    const pieces = Array<ServerSentEvent>(400).fill(piece)[Symbol.iterator]();
    await expect(answerOfEvents('one', 'chat', Readable.from(pieces))).rejects.toThrow('broke off');
    expect([...pieces].length).toBeGreaterThan(100);
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
