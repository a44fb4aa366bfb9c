import { ownEvent } from './sse';
import { CallPlaces } from './stream-chunks';

describe('the places of calls in a stream', () => {
  it('are remembered up to a bound, whatever length their ids have', () => {
    const places = new CallPlaces();
    const calls = ['a', 'b', 'c', 'd'].map((letter) => {
      const call = { id: letter.repeat(700_000), function: { name: 'f', arguments: '' } };
      return ownEvent(JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] } }] }));
    });
    const isTold = calls.map((event) => places.given(event) !== event);
    expect(isTold).toEqual([true, true, false, false]);
  });
});
