import { newId } from './new-id';

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NOW_MS = Date.parse('2100-01-01T00:00:00.000Z');

describe('newId', () => {
  // Later than any id of another test: the ids of a process never go back.
  beforeEach(() => jest.spyOn(Date, 'now').mockReturnValue(NOW_MS));
  afterEach(() => jest.restoreAllMocks());

  it('has the form of a UUIDv7', () => {
    expect(newId()).toMatch(FORM);
  });

  it('begins with the Unix time in milliseconds', () => {
    jest.spyOn(Date, 'now').mockReturnValue(NOW_MS + 1);
    expect(timeMsOf(newId())).toBe(NOW_MS + 1);
  });

  it('never repeats, and grows within a millisecond', () => {
    const ids = Array.from({ length: 100_000 }, newId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual([...ids].sort());
    expect(ids.every((id) => FORM.test(id))).toBe(true);
  });

  it('grows while the clock is set back', () => {
    const before = newId();
    jest.spyOn(Date, 'now').mockReturnValue(NOW_MS - 86_400_000);
    expect(newId() > before).toBe(true);
  });

  it('starts each millisecond elsewhere', () => {
    const starts = Array.from({ length: 50 }, (_, index) => {
      jest.spyOn(Date, 'now').mockReturnValue(NOW_MS + 10 + index);
      return newId().slice(15, 23);
    });
    expect(new Set(starts).size).toBeGreaterThan(45);
  });
});

function timeMsOf(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
