import { setImmediate as turn } from 'node:timers/promises';
import { EventLoopDelay } from './machine-load';

const HELD_MS = 100;
const WINDOW_MS = 60_000;

describe('EventLoopDelay', () => {
  let delay: EventLoopDelay;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate'] });
    delay = new EventLoopDelay();
    delay.onModuleInit();
  });

  afterEach(() => {
    delay.onApplicationShutdown();
    jest.useRealTimers();
  });

  it('has nothing to tell at first', () => {
    expect(delay.p99Ms()).toBe(0);
  });

  it('tells how late timers were, for one more minute after theirs', async () => {
    for (let held = 0; held < 4; held += 1) {
      hold();
      await turn();
    }
    expect(delay.p99Ms()).toBeGreaterThan(HELD_MS / 2);
    jest.advanceTimersByTime(WINDOW_MS);
    expect(delay.p99Ms()).toBeGreaterThan(HELD_MS / 2);
    jest.advanceTimersByTime(WINDOW_MS);
    expect(delay.p99Ms()).toBe(0);
  });

  it('stops its timer with the application', () => {
    delay.onApplicationShutdown();
    expect(jest.getTimerCount()).toBe(0);
  });
});

function hold(): void {
  const untilMs = performance.now() + HELD_MS;
  while (performance.now() < untilMs) {}
}
