import { PolledFigures } from './metrics';

describe('PolledFigures', () => {
  let failures: number;
  let figures: PolledFigures;
  beforeEach(() => {
    jest.useFakeTimers();
    failures = 0;
    figures = new PolledFigures(() => (failures += 1));
  });
  afterEach(() => jest.useRealTimers());

  it('leaves the figures of a read that fails, reads the others, and counts it', async () => {
    const broken = figures.add(7, () => Promise.reject(new Error('away')));
    const whole = figures.add(0, () => Promise.resolve(1));
    await figures.refresh();
    expect([broken.latest, whole.latest, failures]).toEqual([7, 1, 1]);
  });

  it('reads again only after five seconds, however often it is asked', async () => {
    let reads = 0;
    figures.add(0, () => Promise.resolve((reads += 1)));
    await Promise.all([figures.refresh(), figures.refresh()]);
    await figures.refresh();
    expect(reads).toBe(1);
    jest.advanceTimersByTime(5_000);
    await figures.refresh();
    expect(reads).toBe(2);
  });

  it('waits no longer than a second for a slow read, begins no second one, and shows it once it has ended', async () => {
    let reads = 0;
    let end: (value: number) => void = () => undefined;
    const slow = figures.add(0, () => {
      reads += 1;
      return new Promise<number>((resolve) => (end = resolve));
    });
    const scrape = figures.refresh();
    await jest.advanceTimersByTimeAsync(1_000);
    await scrape;
    expect(slow.latest).toBe(0);
    await jest.advanceTimersByTimeAsync(60_000);
    const next = figures.refresh();
    expect(reads).toBe(1);
    end(5);
    await next;
    expect(slow.latest).toBe(5);
  });
});
