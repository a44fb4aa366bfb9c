import type { Distribution } from '../../../infrastructure/metrics/distribution';
import type { Metrics } from '../../../infrastructure/metrics/metrics';
import type { Tally } from '../../../infrastructure/metrics/tally';

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
/**
 * `answered`; `refused` where the request was at fault; `failed` for an outage or an answer that can't be read;
 * `left_alone` where the upstream was not asked because of its outages; `stopped` where nobody waited any more.
 */
const OUTCOMES = ['answered', 'refused', 'failed', 'left_alone', 'stopped'] as const;

export type AttemptOutcome = (typeof OUTCOMES)[number];

/** Counts the attempts at one upstream. */
export class UpstreamSeries {
  private readonly tallies: Readonly<Record<AttemptOutcome, Tally>>;

  constructor(
    tallyOf: (outcome: AttemptOutcome) => Tally,
    private readonly seconds: Distribution,
  ) {
    const tallies = OUTCOMES.map((outcome) => [outcome, tallyOf(outcome)] as const);
    this.tallies = Object.fromEntries(tallies) as Record<AttemptOutcome, Tally>;
  }

  /** @param durationMs to the whole answer, or to the first event of a stream; null where nobody was asked */
  attempted(outcome: AttemptOutcome, durationMs: number | null): void {
    this.tallies[outcome].add();
    if (durationMs !== null) {
      this.seconds.observe(durationMs / 1000);
    }
  }
}

/** The metrics of all upstreams. Their names are the operator's own. */
export class UpstreamMetrics {
  private readonly attempts;
  private readonly seconds;

  /** @param leftAlone tells which upstreams are left alone, by their names */
  constructor(
    metrics: Metrics,
    leftAlone: () => readonly (readonly [upstream: string, isLeftAlone: boolean])[],
  ) {
    this.attempts = metrics.counter(
      'upstream_attempts_total',
      'Attempts at upstreams, by how they ended. A second try is an attempt of its own.',
    );
    this.seconds = metrics.histogram(
      'upstream_attempt_seconds',
      'Time of an attempt to the whole answer, or to the first event of a stream.',
      SECONDS,
    );
    metrics.gauges('upstream_left_alone', 'Whether an upstream is left alone after outages: 1 or 0.', () =>
      leftAlone().map(([upstream, isLeftAlone]) => ({ labels: { upstream }, value: isLeftAlone ? 1 : 0 })),
    );
  }

  of(upstream: string): UpstreamSeries {
    const tallyOf = (outcome: AttemptOutcome) => this.attempts.labelled({ upstream, outcome });
    return new UpstreamSeries(tallyOf, this.seconds.labelled({ upstream }));
  }
}
