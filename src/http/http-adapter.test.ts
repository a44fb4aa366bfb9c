import { setImmediate as nextTurn } from 'node:timers/promises';
import { AddressTurns } from './http-adapter';

describe('the turns of addresses', () => {
  let turns: AddressTurns;
  let begun: string[];

  beforeEach(() => {
    turns = new AddressTurns();
    begun = [];
  });

  function send(address: string, requests: number): void {
    for (let at = 0; at < requests; at++) {
      turns.take(address, () => begun.push(address));
    }
  }

  function begunBy(address: string): number {
    return begun.filter((one) => one === address).length;
  }

  it('begins at once what an address sends within its share', () => {
    send('one', 8);
    expect(begunBy('one')).toBe(8);
  });

  it('lets a flooding address wait, and nobody else', async () => {
    send('flood', 100);
    send('other', 3);
    expect(begunBy('flood')).toBe(8);
    expect(begunBy('other')).toBe(3);
    await nextTurn();
    send('other', 3);
    expect(begunBy('flood')).toBe(16);
    expect(begunBy('other')).toBe(6);
  });

  it('begins every request once, in the order of its address', async () => {
    const order: number[] = [];
    for (let at = 0; at < 50; at++) {
      turns.take('flood', () => order.push(at));
    }
    for (let turn = 0; turn < 8; turn++) {
      await nextTurn();
    }
    expect(order).toEqual(Array.from({ length: 50 }, (_, at) => at));
  });
});
