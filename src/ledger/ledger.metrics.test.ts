import { Metrics } from '../observability/metrics';
import { LedgerMetrics } from './ledger.metrics';

describe('LedgerMetrics', () => {
  let metrics: Metrics;
  let ledger: LedgerMetrics;
  beforeEach(() => {
    metrics = new Metrics();
    ledger = new LedgerMetrics(metrics);
  });

  /** The value of one line of the text that Prometheus reads; undefined where there is no such line. */
  async function read(series: string): Promise<number | undefined> {
    const line = (await metrics.text()).split('\n').find((text) => text.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length + 1));
  }

  it('refuses a second set in the same registry, which would count into nothing', () => {
    expect(() => new LedgerMetrics(metrics)).toThrow('already been registered');
  });

  it('shows every counter at 0 before anything happened, so that its first increase is seen', async () => {
    for (const series of [
      'ledger_queue_depth',
      'ledger_reservations_total{path="exact"}',
      'ledger_reservations_total{path="together"}',
      'ledger_splits_total',
      'ledger_lost_connections_total',
      'ledger_refused_for_load_total',
      'ledger_direct_total{kind="settlement"}',
      'ledger_direct_total{kind="reservation"}',
      'ledger_swept_total',
      'ledger_flush_seconds_count',
      'ledger_sweep_seconds_count',
    ]) {
      expect([series, await read(series)]).toEqual([series, 0]);
    }
  });

  it('observes a flush once per kind that it held', async () => {
    ledger.flushed({ settlements: 3, reservations: 0, durationMs: 4 });
    ledger.flushed({ settlements: 500, reservations: 1, durationMs: 12_000 });
    const buckets = (kind: string, bound: string) =>
      read(`ledger_flush_items_bucket{kind="${kind}",le="${bound}"}`);
    expect([await buckets('settlement', '2'), await buckets('settlement', '4')]).toEqual([0, 1]);
    expect([await buckets('settlement', '256'), await buckets('settlement', '500')]).toEqual([1, 2]);
    expect([await buckets('reservation', '1'), await buckets('reservation', '+Inf')]).toEqual([1, 1]);
    expect(await read('ledger_flush_items_sum{kind="settlement"}')).toBe(503);
    expect(await read('ledger_flush_items_count{kind="reservation"}')).toBe(1);
  });

  it('tells the time of flushes in seconds, the slowest beyond every bound', async () => {
    ledger.flushed({ settlements: 1, reservations: 0, durationMs: 0.5 });
    ledger.flushed({ settlements: 1, reservations: 0, durationMs: 12_000 });
    const within = (bound: string) => read(`ledger_flush_seconds_bucket{le="${bound}"}`);
    expect([await within('0.0005'), await within('10'), await within('+Inf')]).toEqual([1, 1, 2]);
    expect(await read('ledger_flush_seconds_sum')).toBeCloseTo(12.0005, 9);
  });

  it('gives the share of the exact path', async () => {
    ledger.decidedTogether(30);
    ledger.decidedExactly(8);
    ledger.decidedExactly(2);
    const exact = await read('ledger_reservations_total{path="exact"}');
    const together = await read('ledger_reservations_total{path="together"}');
    expect([exact, together]).toEqual([10, 30]);
  });

  it('asks for the depth of the queue when it is read, and not before', async () => {
    const waiting = ['a', 'b'];
    ledger.observeQueue(() => waiting.length);
    waiting.push('c');
    expect(await read('ledger_queue_depth')).toBe(3);
    waiting.length = 0;
    expect(await read('ledger_queue_depth')).toBe(0);
  });

  it('counts what went wrong and what went alone, each on its own', async () => {
    ledger.split();
    ledger.lostConnection();
    ledger.lostConnection();
    for (let refusal = 0; refusal < 3; refusal += 1) {
      ledger.refusedForLoad();
    }
    ledger.direct('settlement');
    ledger.direct('reservation');
    ledger.direct('reservation');
    ledger.swept(5);
    ledger.sweep(20);
    expect([
      await read('ledger_splits_total'),
      await read('ledger_lost_connections_total'),
      await read('ledger_refused_for_load_total'),
      await read('ledger_direct_total{kind="settlement"}'),
      await read('ledger_direct_total{kind="reservation"}'),
      await read('ledger_swept_total'),
      await read('ledger_sweep_seconds_count'),
      await read('ledger_sweep_seconds_sum'),
    ]).toEqual([1, 2, 3, 1, 2, 5, 1, 0.02]);
  });
});
