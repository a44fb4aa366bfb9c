import { Unprocessable } from '../errors/api-errors';
import { openPeriod, recentPeriod } from './period';

const NOW = new Date('2026-11-21T10:00:00.000Z');

describe('openPeriod', () => {
  it('has no bounds where none are given', () => {
    expect(openPeriod({})).toEqual({ start: null, end: null });
  });

  it.each([
    ['a date starts at midnight UTC', { start_date: '2026-11-20' }, { start: '2026-11-20T00:00:00.000Z' }],
    ['a date ends with its last moment', { end_date: '2026-11-20' }, { end: '2026-11-21T00:00:00.000Z' }],
    ['a time is taken as it is', { end_date: '2026-11-20T12:30:00Z' }, { end: '2026-11-20T12:30:00.000Z' }],
    ['an offset counts', { start_date: '2026-11-20T00:00:00+02:00' }, { start: '2026-11-19T22:00:00.000Z' }],
    ['the last date there is', { end_date: '9999-12-31' }, { end: '9999-12-31T23:59:59.999Z' }],
    ['before the first', { start_date: '0001-01-01T00:00:00+14:00' }, { start: '0001-01-01T00:00:00.000Z' }],
  ])('%s', (_, query, expected) => {
    const { start, end } = openPeriod(query);
    expect({ start: start?.toISOString(), end: end?.toISOString() }).toEqual({
      start: undefined,
      end: undefined,
      ...expected,
    });
  });

  it('spans one day when both dates are the same', () => {
    const { start, end } = openPeriod({ start_date: '2026-11-20', end_date: '2026-11-20' });
    expect(Number(end) - Number(start)).toBe(24 * 60 * 60 * 1000);
  });

  it.each([
    [{ start_date: '2026-11-21', end_date: '2026-11-19' }],
    [{ start_date: '2026-11-20T12:00:00.001Z', end_date: '2026-11-20T12:00:00.000Z' }],
    [{ start_date: '2026-11-20T12:00:00Z', end_date: '2026-11-20T12:00:00+01:00' }],
  ])('refuses %o, which would end before it starts', (query) => {
    expect(() => openPeriod(query)).toThrow(Unprocessable);
  });
});

describe('recentPeriod', () => {
  it('is the last 30 days where no dates are given', () => {
    expect(recentPeriod({}, NOW)).toEqual({ start: new Date('2026-10-22T10:00:00.000Z'), end: NOW });
  });

  it('ends now where only a start is given', () => {
    const period = recentPeriod({ start_date: '2026-01-01' }, NOW);
    expect(period).toEqual({ start: new Date('2026-01-01T00:00:00.000Z'), end: NOW });
  });

  it('starts 30 days before a given end', () => {
    const { start } = recentPeriod({ end_date: '2026-03-01T00:00:00Z' }, NOW);
    expect(start.toISOString()).toBe('2026-01-30T00:00:00.000Z');
  });

  it('never starts before the first year that can be answered', () => {
    const { start } = recentPeriod({ end_date: '0001-01-05' }, NOW);
    expect(start.toISOString()).toBe('0001-01-01T00:00:00.000Z');
  });

  it('refuses a start in the future without an end', () => {
    expect(() => recentPeriod({ start_date: '2026-11-22' }, NOW)).toThrow(Unprocessable);
  });
});
