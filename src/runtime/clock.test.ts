import fc from 'fast-check';
import { DatabaseClock, goBy, presentMs, readIsoTime } from './clock';

const DAY_MS = 24 * 60 * 60_000;

describe('readIsoTime', () => {
  it.each([
    ['a date', '2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['a leap day', '2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['minutes', '2026-11-20T12:30', '2026-11-20T12:30:00.000Z'],
    ['seconds', '2026-11-20T12:30:05', '2026-11-20T12:30:05.000Z'],
    ['minutes in UTC', '2026-11-20T12:30Z', '2026-11-20T12:30:00.000Z'],
    ['small letters', '2026-11-20t12:30:05z', '2026-11-20T12:30:05.000Z'],
    ['a blank for the T', '2026-11-20 12:30', '2026-11-20T12:30:00.000Z'],
    ['microseconds', '2026-11-20T12:30:05.123456', '2026-11-20T12:30:05.123Z'],
    ['a tenth behind a comma', '2026-11-20T12:30:05,5Z', '2026-11-20T12:30:05.500Z'],
    ['a zone', '2026-11-20T12:30+02:00', '2026-11-20T10:30:00.000Z'],
    ['a zone without a colon', '2026-11-20T12:30:00-0530', '2026-11-20T18:00:00.000Z'],
    ['a zone of hours', '2026-11-20T12:30:00+02', '2026-11-20T10:30:00.000Z'],
    ['a zone whose plus a URL made a blank', '2026-11-20T12:30:00 02:00', '2026-11-20T10:30:00.000Z'],
    ['a year below 100', '0026-11-20', '0026-11-20T00:00:00.000Z'],
    ['before the first year', '0001-01-01T00:00+14:00', '0001-01-01T00:00:00.000Z'],
    ['after the last year', '9999-12-31T23:59-14:00', '9999-12-31T23:59:59.999Z'],
  ])('reads %s', (_, text, expected) => {
    expect(readIsoTime(text)?.time.toISOString()).toBe(expected);
  });

  it.each([
    '',
    'yesterday',
    '2026',
    '2026-11',
    '2026-11-20T',
    '2026-11-20T12',
    '2026-11-20T12:30:',
    '2026-11-20T12:30:05.',
    '2026-02-30',
    '2026-02-29T00:00:00Z',
    '2026-13-01',
    '2026-00-10',
    '2026-11-00',
    '0000-01-01',
    '2026-11-20T24:00:00Z',
    '2026-11-20T12:60',
    '2026-11-20T12:30:60Z',
    '2026-11-20T12:30+24:00',
    '2026-11-20T12:30+02:60',
    '2026-11-20+02:00',
    '20.11.2026',
    '٢٠٢٦-١١-٢٠',
    ' 2026-11-20',
    '2026-11-20\n',
  ])('refuses %j', (text) => {
    expect(readIsoTime(text)).toBeNull();
  });

  it('tells a date from a time at midnight', () => {
    expect(readIsoTime('2026-11-20')?.isDate).toBe(true);
    expect(readIsoTime('2026-11-20T00:00')?.isDate).toBe(false);
  });

  it('reads every time as JavaScript writes it', () => {
    const times = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(times, (time) => {
        expect(readIsoTime(time.toISOString())).toEqual({ time, isDate: false });
        const midnight = new Date(`${time.toISOString().slice(0, 10)}T00:00:00.000Z`);
        expect(readIsoTime(time.toISOString().slice(0, 10))).toEqual({ time: midnight, isDate: true });
      }),
    );
  });
});

describe('presentMs', () => {
  afterEach(() => {
    goBy(null);
    jest.restoreAllMocks();
  });

  it("follows the database's time, also where the machine's clock is set meanwhile", () => {
    const nowMs = Date.now();
    const clock = new DatabaseClock();
    goBy(clock);
    clock.set(nowMs + DAY_MS - performance.now(), 0);
    expect(Math.abs(presentMs() - (nowMs + DAY_MS))).toBeLessThan(1_000);
    jest.spyOn(Date, 'now').mockReturnValue(nowMs + 40 * DAY_MS);
    expect(Math.abs(presentMs() - (nowMs + DAY_MS))).toBeLessThan(1_000);
    expect(Math.abs(clock.now().getTime() - (nowMs + DAY_MS))).toBeLessThan(1_000);
    goBy(null);
    expect(presentMs()).toBe(nowMs + 40 * DAY_MS);
  });

  it('leaves a small difference alone', () => {
    const clock = new DatabaseClock();
    const offsetMs = Date.now() - performance.now();
    clock.set(offsetMs + DAY_MS, 0);
    const before = clock.now().getTime();
    clock.set(offsetMs + DAY_MS - 4, 0);
    expect(clock.now().getTime()).toBeGreaterThanOrEqual(before);
  });
});
