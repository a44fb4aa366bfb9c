import fc from 'fast-check';
import { periodParts, type Span } from './period-sums';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

describe('periodParts', () => {
  it('covers every moment of a period once, with whole hours and days', () => {
    const time = fc.integer({ min: -3 * DAY_MS, max: 3 * DAY_MS });
    const even = fc.constantFrom(-48, -24, -1, 0, 1, 2, 24).map((hours) => hours * HOUR_MS);
    fc.assert(
      fc.property(fc.tuple(fc.oneof(time, even), fc.oneof(time, even)), (times) => {
        const [start = 0, end = 0] = times.sort((a, b) => a - b);
        const { rows, hours, days, allHours } = periodParts({ start: new Date(start), end: new Date(end) });
        expect(joined([...rows, ...hours, ...days])).toEqual(start === end ? [] : [[start, end]]);
        expect(joined(allHours)).toEqual(joined([...hours, ...days]));
        expect(hours.flatMap(inMs).every((bound) => bound % HOUR_MS === 0)).toBe(true);
        expect(days.flatMap(inMs).every((bound) => bound % DAY_MS === 0)).toBe(true);
        expect(lengthMs(rows)).toBeLessThan(2 * HOUR_MS);
        expect(lengthMs(hours)).toBeLessThan(2 * DAY_MS);
      }),
    );
  });

  it('has nothing but days where a period has no bounds', () => {
    const all = { start: '-infinity', end: 'infinity' };
    const parts = periodParts({ start: null, end: null });
    expect(parts).toEqual({ days: [all], allHours: [all], hours: [], rows: [] });
  });

  it('reads hours and single rows only at the bound that a period has', () => {
    const start = new Date('2026-01-15T12:00:00.001Z');
    const [hour, day] = [new Date('2026-01-15T13:00:00.000Z'), new Date('2026-01-16T00:00:00.000Z')];
    expect(periodParts({ start, end: null })).toEqual({
      rows: [{ start, end: hour }],
      hours: [{ start: hour, end: day }],
      days: [{ start: day, end: 'infinity' }],
      allHours: [{ start: hour, end: 'infinity' }],
    });
  });
});

function inMs({ start, end }: Span): [number, number] {
  return [Number(start), Number(end)];
}

function lengthMs(spans: Span[]): number {
  return spans.map(inMs).reduce((sum, [start, end]) => sum + end - start, 0);
}

/** The spans in order, with those that touch joined into one. */
function joined(spans: Span[]): number[][] {
  const all: number[][] = [];
  for (const [start, end] of spans.map(inMs).sort(([a], [b]) => a - b)) {
    const last = all.at(-1);
    if (last?.[1] === start) {
      last[1] = end;
    } else {
      all.push([start, end]);
    }
  }
  return all;
}
