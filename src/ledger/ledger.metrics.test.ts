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
      'ledger_leases',
      'ledger_reservations_total{path="memory"}',
      'ledger_reservations_total{path="flush"}',
      'ledger_recalls_total',
      'ledger_splits_total',
      'ledger_lost_connections_total',
      'ledger_refused_for_load_total',
      'ledger_swept_total',
      'ledger_flush_seconds_count',
      'ledger_sweep_seconds_count',
    ]) {
      expect([series, await read(series)]).toEqual([series, 0]);
    }
  });

  it('observes a flush once per kind that it held', async () => {
    ledger.flushed({ settlements: 3, leases: 0, durationMs: 4 });
    ledger.flushed({ settlements: 500, leases: 1, durationMs: 12_000 });
    const buckets = (kind: string, bound: string) =>
      read(`ledger_flush_items_bucket{kind="${kind}",le="${bound}"}`);
    expect([await buckets('settlement', '2'), await buckets('settlement', '4')]).toEqual([0, 1]);
    expect([await buckets('settlement', '256'), await buckets('settlement', '500')]).toEqual([1, 2]);
    expect([await buckets('lease', '1'), await buckets('lease', '+Inf')]).toEqual([1, 1]);
    expect(await read('ledger_flush_items_sum{kind="settlement"}')).toBe(503);
    expect(await read('ledger_flush_items_count{kind="lease"}')).toBe(1);
  });

  it('tells the time of flushes in seconds, the slowest beyond every bound', async () => {
    ledger.flushed({ settlements: 1, leases: 0, durationMs: 0.5 });
    ledger.flushed({ settlements: 1, leases: 0, durationMs: 12_000 });
    const within = (bound: string) => read(`ledger_flush_seconds_bucket{le="${bound}"}`);
    expect([await within('0.0005'), await within('10'), await within('+Inf')]).toEqual([1, 1, 2]);
    expect(await read('ledger_flush_seconds_sum')).toBeCloseTo(12.0005, 9);
  });

  it('gives the share of the reservations that were made in memory', async () => {
    for (let call = 0; call < 30; call += 1) {
      ledger.reservedInMemory.add();
    }
    ledger.reservedByFlush.add(2);
    const inMemory = await read('ledger_reservations_total{path="memory"}');
    const byFlush = await read('ledger_reservations_total{path="flush"}');
    expect([inMemory, byFlush]).toEqual([30, 2]);
  });

  it('asks for the depth of the queue and the number of leases when they are read, and not before', async () => {
    const waiting = ['a', 'b'];
    const leases = ['d'];
    ledger.observe({ waiting: () => waiting.length, leases: () => leases.length });
    waiting.push('c');
    leases.push('e');
    expect([await read('ledger_queue_depth'), await read('ledger_leases')]).toEqual([3, 2]);
    waiting.length = 0;
    leases.pop();
    expect([await read('ledger_queue_depth'), await read('ledger_leases')]).toEqual([0, 1]);
  });

  it('adds up what the ledgers of several shards have', async () => {
    ledger.observe({ waiting: () => 3, leases: () => 10 });
    ledger.observe({ waiting: () => 4, leases: () => 20 });
    expect([await read('ledger_queue_depth'), await read('ledger_leases')]).toEqual([7, 30]);
  });

  it('counts what went wrong, what others had to give back and what was swept, each on its own', async () => {
    ledger.splits.add();
    ledger.lostConnections.add(2);
    ledger.refusals.add(3);
    ledger.recalls.add(4);
    ledger.sweptCalls.add(5);
    ledger.sweepSeconds.observe(0.02);
    expect([
      await read('ledger_splits_total'),
      await read('ledger_lost_connections_total'),
      await read('ledger_refused_for_load_total'),
      await read('ledger_recalls_total'),
      await read('ledger_swept_total'),
      await read('ledger_sweep_seconds_count'),
      await read('ledger_sweep_seconds_sum'),
    ]).toEqual([1, 2, 3, 4, 5, 1, 0.02]);
  });
});
