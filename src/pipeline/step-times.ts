import { Injectable } from '@nestjs/common';
import type { Distribution } from '../infrastructure/metrics/distribution';
import { Metrics } from '../infrastructure/metrics/metrics';
import type { MeteredCall } from './metered-call';

const SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1, 5, 30, 120];

/** What a call waits for in turn. `settlement` lasts to the end of a stream. */
const STEPS = [
  'rate_limit',
  'authentication',
  'validation',
  'idempotency',
  'price',
  'reservation',
  'work',
  'settlement',
] as const;

export type StepName = (typeof STEPS)[number];

/**
 * How long each step takes, for the metrics and for the spans of a traced call. Every call notes eight times, so that a
 * note is two reads of the clock and an addition.
 */
@Injectable()
export class StepTimes {
  private readonly seconds: Readonly<Record<StepName, Distribution>>;

  constructor(metrics: Metrics) {
    const family = metrics.histogram('pipeline_step_seconds', 'Time of one step of a call.', SECONDS);
    const series = STEPS.map((step) => [step, family.labelled({ step })] as const);
    this.seconds = Object.fromEntries(series) as Record<StepName, Distribution>;
  }

  /** @param begunMs when the step began, by performance.now() */
  note(step: StepName, call: MeteredCall, begunMs: number): void {
    const durationMs = performance.now() - begunMs;
    this.seconds[step].observe(durationMs / 1000);
    call.span?.child(step, 'internal', {}, durationMs).end();
  }
}
