import type { RateWindow } from './rate-limiter';
import { CallHistory } from './rate-windows';

const START_MS = 1_800_000_000_000;

function windowOf(limit: number, lengthMs: number): RateWindow {
  return { name: 'second', limit, lengthMs };
}

/** Adds calls at one moment until the window is full, and returns how many fitted. */
function fill(history: CallHistory, window: RateWindow, timeMs: number): number {
  history.advance(window, timeMs);
  const fitted = history.room;
  for (let call = 0; call < fitted; call += 1) {
    history.add(timeMs);
  }
  return fitted;
}

describe('CallHistory', () => {
  it('refuses a window that no call fits', () => {
    expect(() => new CallHistory(windowOf(0, 1_000))).toThrow(RangeError);
    expect(() => new CallHistory(windowOf(1, 0))).toThrow(RangeError);
    const history = new CallHistory(windowOf(1, 1_000));
    expect(() => history.advance(windowOf(NaN, 1_000), START_MS)).toThrow(
      'A rate window of NaN calls per 1000 ms is impossible',
    );
  });

  it('counts a call from its moment to just before a window later', () => {
    const window = windowOf(1, 1_000);
    const history = new CallHistory(window);
    history.add(START_MS);
    history.advance(window, START_MS + 999);
    expect(history.room).toBe(0);
    expect(history.growsAtMs()).toBe(START_MS + 1_000);
    history.advance(window, START_MS + 1_000);
    expect(history.room).toBe(1);
  });

  it('has no time to tell at which an empty window would grow', () => {
    expect(() => new CallHistory(windowOf(1, 1_000)).growsAtMs()).toThrow(RangeError);
  });

  it('tells when enough calls have left for one more after the limit was lowered', () => {
    const history = new CallHistory(windowOf(5, 10_000));
    [0, 1_000, 2_000, 3_000, 4_000].forEach((afterMs) => history.add(START_MS + afterMs));
    history.advance(windowOf(2, 10_000), START_MS + 5_000);
    expect(history.room).toBe(0);
    expect(history.growsAtMs()).toBe(START_MS + 13_000);
  });

  it('counts again in a longer window the calls that have left a shorter one', () => {
    const shorter = windowOf(2, 1_000);
    const longer = windowOf(5, 2_000);
    const history = new CallHistory(shorter);
    expect(fill(history, shorter, START_MS)).toBe(2);
    expect(fill(history, shorter, START_MS + 1_500)).toBe(2);
    expect(fill(history, longer, START_MS + 1_600)).toBe(1);
    expect(fill(history, longer, START_MS + 2_000)).toBe(2);
  });

  it('counts each call once, however often the window grows', () => {
    const shorter = windowOf(2, 1_000);
    const longer = windowOf(4, 2_000);
    const history = new CallHistory(shorter);
    fill(history, shorter, START_MS);
    history.advance(shorter, START_MS + 1_500);
    history.advance(longer, START_MS + 1_600);
    expect(history.room).toBe(2);
    history.advance(longer, START_MS + 2_500);
    expect(history.room).toBe(4);
    history.advance(windowOf(9, 10_000), START_MS + 3_000);
    expect(history.room).toBe(7);
  });

  it('assumes of the calls that have left as many as the loosest earlier window let through', () => {
    const loose = windowOf(50, 1_000);
    const history = new CallHistory(loose);
    for (let second = 0; second < 58; second += 1) {
      expect(fill(history, loose, START_MS + second * 1_000)).toBe(50);
    }
    expect(fill(history, windowOf(1, 2_000), START_MS + 58_000)).toBe(0);
    expect(fill(history, windowOf(3_000, 60_000), START_MS + 59_000)).toBe(100);
  });

  it('assumes no more calls than the earlier windows can have let through since', () => {
    const loose = windowOf(10, 1_000);
    const history = new CallHistory(loose);
    for (let second = 0; second < 100; second += 1) {
      fill(history, loose, START_MS + second * 1_000);
    }
    history.advance(windowOf(45, 3_000), START_MS + 100_000);
    expect(history.room).toBe(5);
  });

  it('loses no call when a window that has changed needs more cells than there are', () => {
    const large = windowOf(200, 60_000);
    const history = new CallHistory(large);
    for (let second = 0; second < 60; second += 1) {
      history.advance(large, START_MS + 900 + second * 1_000);
      history.add(START_MS + 900 + second * 1_000);
    }
    expect(fill(history, windowOf(64, 60_000), START_MS + 59_950)).toBe(4);
    expect(fill(history, large, START_MS + 60_000)).toBe(136);
    expect(fill(history, large, START_MS + 120_000)).toBe(200);
  });
});
